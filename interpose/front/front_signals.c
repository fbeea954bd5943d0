/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/front/front_signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

typedef void asked_function(int number, struct sigaction *found);
typedef void given_function(int number);
typedef int action_function(int number, const struct sigaction *action, struct sigaction *found);
typedef sighandler_t signal_function(int number, sighandler_t handler);
typedef int interrupt_function(int number, int interrupts);

/* A sanitizer calls sigaction() while it begins, when nothing built with it can run yet. */
#define EARLY __attribute__((no_sanitize("address", "thread", "undefined")))

static asked_function *_Atomic asked;
static given_function *_Atomic given;

void front_signals_tell(asked_function *when_asked, given_function *when_given)
{
	atomic_store(&asked, when_asked);
	atomic_store(&given, when_given);
}

EARLY static void say_asked(int number, struct sigaction *found)
{
	asked_function *f = atomic_load(&asked);

	if (f)
		f(number, found);
}

EARLY static void say_given(int number)
{
	given_function *f = atomic_load(&given);
	int saved = errno;

	if (f)
		f(number);
	errno = saved;
}

/* signal() by its names: which of them a program calls is up to the standard it is compiled for. */
#define EACH(DO) DO(signal) DO(bsd_signal) DO(ssignal) DO(sysv_signal) DO(__sysv_signal) DO(sigset)

static action_function *_Atomic next_sigaction;
static interrupt_function *_Atomic next_siginterrupt;
#define NEXT(name) static signal_function *_Atomic next_##name;
EACH(NEXT)

/* Not when one is called: that may be in a signal handler, or in a child made by vfork(). */
__attribute__((constructor)) static void find_all(void)
{
	atomic_store(&next_sigaction, (action_function *)dlsym(RTLD_NEXT, "sigaction"));
	atomic_store(&next_siginterrupt, (interrupt_function *)dlsym(RTLD_NEXT, "siginterrupt"));
#define FIND(name) atomic_store(&next_##name, (signal_function *)dlsym(RTLD_NEXT, #name));
	EACH(FIND)
}

#define EXPORTED EARLY __attribute__((visibility("default")))

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *found)
{
	action_function *go = atomic_load(&next_sigaction);
	int ret;

	if (!go) /* called by the constructor of a library that ours comes after */
		go = (action_function *)dlsym(RTLD_NEXT, "sigaction");
	ret = go(number, action, found);
	if (!ret && found)
		say_asked(number, found);
	if (!ret && action)
		say_given(number);
	return ret;
}

EARLY static sighandler_t told(int number, sighandler_t handler)
{
	struct sigaction found = {.sa_handler = handler};

	if (handler == SIG_ERR)
		return handler;
	say_asked(number, &found);
	say_given(number);
	return found.sa_handler;
}

#define EXPORT(name)                                                     \
	EXPORTED sighandler_t name(int number, sighandler_t handler);    \
	EXPORTED sighandler_t name(int number, sighandler_t handler)     \
	{                                                                \
		signal_function *go = atomic_load(&next_##name);         \
                                                                         \
		if (!go)                                                 \
			go = (signal_function *)dlsym(RTLD_NEXT, #name); \
		return told(number, go(number, handler));                \
	}
EACH(EXPORT)

/*
 * The next one remembers what is asked for, for signal(), and changes the flags of what the kernel
 * has, which may be the recorder's: here those of what the program sees are.
 */
EXPORTED int siginterrupt(int number, int interrupts)
{
	interrupt_function *go = atomic_load(&next_siginterrupt);
	struct sigaction action;
	int ret;

	if (!go)
		go = (interrupt_function *)dlsym(RTLD_NEXT, "siginterrupt");
	ret = go(number, interrupts);
	if (ret || sigaction(number, NULL, &action))
		return ret;
	action.sa_flags &= ~SA_RESTART;
	action.sa_flags |= interrupts ? 0 : SA_RESTART;
	return sigaction(number, &action, NULL);
}
