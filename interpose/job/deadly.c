/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/deadly.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "interpose/front/backend.h"
#include "interpose/job/early.h"
#include "interpose/job/launch.h"

/* By default each ends the process, and a program is not traced by it. */
static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGILL,  SIGABRT, SIGBUS,  SIGFPE,
			     SIGUSR1, SIGSEGV, SIGUSR2,   SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT,
			     SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSYS};

#define N_DEADLY (sizeof(deadly) / sizeof(deadly[0]))

/* libc's own, whatever comes before it in the search order. */
static int (*libc_sigaction)(int, const struct sigaction *, struct sigaction *);

static atomic_int watched;                    /* this process, while it is: its id */
static struct sigaction believed[SIGSYS + 1]; /* what the program is told of ours */
_Static_assert(SIGSYS == 31, "the last of those that are not realtime signals");

/* Who started this process as a rank, and who may have passed its signal on. */
static int launcher, parents[16];
static size_t n_parents;

static enum log_sender sender_of(const siginfo_t *info)
{
	int number = info->si_signo;
	size_t i;

	if (info->si_code == SI_KERNEL &&
	    (number == SIGHUP || number == SIGINT || number == SIGQUIT))
		return LOG_FROM_OTHER; /* somebody at its terminal, or that is gone */
	if (info->si_code != SI_USER && info->si_code != SI_QUEUE && info->si_code != SI_TKILL)
		return LOG_FROM_SELF; /* what it did, its timers and limits */
	if (info->si_pid == getpid())
		return LOG_FROM_SELF;
	for (i = 0; i < n_parents && parents[i] != info->si_pid; i++)
		;
	return i == n_parents             ? LOG_FROM_OTHER
	       : info->si_pid == launcher ? LOG_FROM_LAUNCHER
					  : LOG_FROM_BETWEEN;
}

/* /proc/PID/comm */
static void comm_path(pid_t pid, char path[32])
{
	char digits[12], *p = path + 6, *d = digits;

	for (; pid > 0; pid /= 10)
		*d++ = (char)('0' + pid % 10);
	strcpy(path, "/proc/");
	while (d > digits)
		*p++ = *--d;
	strcpy(p, "/comm");
}

/*
 * The sender's name, if it still lives and may be seen. What libc would do for that lets a thread
 * be cancelled, which then goes on instead of ending.
 */
static void name_of(pid_t pid, char name[16])
{
	char path[32];
	long fd, n, i;

	memset(name, 0, 16);
	if (pid <= 0)
		return;
	comm_path(pid, path);
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = syscall(SYS_read, fd, name, 15);
	syscall(SYS_close, fd);
	for (i = 0; i < n; i++)
		if (name[i] > 0 && name[i] < ' ')
			name[i] = i + 1 == n ? '\0' : '?';
}

/*
 * A fault would come again by itself, unless another thread has mended it meanwhile, and of some
 * the kernel does not say whether. Where a wait let the signal in (sigsuspend), the mask that comes
 * back with our return would keep out the one sent again.
 */
__attribute__((no_sanitize("address", "thread"))) static void note(int number, siginfo_t *info,
								   void *context)
{
	const struct sigaction before = {.sa_handler = SIG_DFL};
	const enum log_sender from = sender_of(info);
	pid_t self = getpid(), thread = (pid_t)syscall(SYS_gettid);
	char by[16] = "";
	int saved = errno;

	if (from != LOG_FROM_SELF && info->si_code != SI_KERNEL)
		name_of(info->si_pid, by);
	early_killed(number, from, by);
	libc_sigaction(number, &before, NULL);
	sigdelset(&((ucontext_t *)context)->uc_sigmask, number);
	if (syscall(SYS_rt_tgsigqueueinfo, self, thread, number, info))
		syscall(SYS_tgkill, self, thread, number);
	errno = saved;
}

static int is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == note;
}

/* What the program believes is so again, unless it has given something else meanwhile. */
static void give_back(int number)
{
	struct sigaction now, was;

	if (!libc_sigaction(number, NULL, &now) && is_ours(&now) &&
	    !libc_sigaction(number, &believed[number], &was) && !is_ours(&was))
		libc_sigaction(number, &was, NULL);
}

/*
 * Stand at a signal if the program has its default action. The program's stack for signals may be
 * too small for what the kernel puts there: only where the other may be full it is used, and what
 * ends the process where both are is SIGSEGV in any case.
 */
static void take(int number)
{
	struct sigaction ours = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
	struct sigaction now, was;

	if (number == SIGSEGV)
		ours.sa_flags |= SA_ONSTACK;
	if (libc_sigaction(number, NULL, &now) || now.sa_handler != SIG_DFL)
		return;
	sigfillset(&ours.sa_mask);
	believed[number] = now;
	if (libc_sigaction(number, &ours, &was))
		return;
	if (was.sa_handler != SIG_DFL && !is_ours(&was))
		libc_sigaction(number, &was, NULL); /* another thread of the program was quicker */
	else if (!atomic_load(&watched))
		give_back(number); /* another has left, perhaps before this handler was there */
}

static int is_deadly(int number)
{
	size_t i;

	for (i = 0; i < N_DEADLY && deadly[i] != number; i++)
		;
	return i < N_DEADLY;
}

void contend_backend_asked(int number, struct sigaction *found)
{
	if (found->sa_sigaction == note)
		*found = believed[number];
}

void contend_backend_given(int number)
{
	int pid = atomic_load(&watched);

	if (pid && pid == getpid() && is_deadly(number))
		take(number);
}

void deadly_watch(void)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	size_t i;

	if (getpid() == 1) /* of a container: there the default ends nothing */
		return;
	libc_sigaction = libc ? (__typeof__(libc_sigaction))dlsym(libc, "sigaction") : NULL;
	if (!libc_sigaction)
		return;
	n_parents = launch_parents(sizeof(parents) / sizeof(parents[0]), parents, &launcher);
	atomic_store(&watched, getpid());
	for (i = 0; i < N_DEADLY; i++)
		take(deadly[i]);
}

void deadly_leave(void)
{
	size_t i;

	if (!atomic_exchange(&watched, 0))
		return;
	for (i = 0; i < N_DEADLY; i++)
		give_back(deadly[i]);
}
