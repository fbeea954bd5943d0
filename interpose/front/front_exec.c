/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/front/front_exec.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"

typedef void becomes_function(int now);

static becomes_function *_Atomic tell;

void front_exec_tell(becomes_function *becomes)
{
	atomic_store(&tell, becomes);
}

static void say(int now)
{
	becomes_function *becomes = atomic_load(&tell);
	int saved = errno;

	if (becomes)
		becomes(now);
	errno = saved;
}

#define EACH(DO) DO(execv) DO(execve) DO(execvp) DO(execvpe) DO(fexecve) DO(execveat)

#define NEXT(name) static __typeof__(name) *_Atomic next_##name;
EACH(NEXT)

/* Not when one is called: that may be in a signal handler, or in a child made by vfork(). */
__attribute__((constructor)) static void find_all(void)
{
#define FIND(name) atomic_store(&next_##name, (__typeof__(name) *)dlsym(RTLD_NEXT, #name));
	EACH(FIND)
}

/* Constructors of libraries that ours comes after may call one before. */
#define GO(name, ...)                                                     \
	do {                                                              \
		__typeof__(name) *go = atomic_load(&next_##name);         \
		int ret;                                                  \
                                                                          \
		if (!go)                                                  \
			go = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
		say(1);                                                   \
		ret = go(__VA_ARGS__);                                    \
		say(0);                                                   \
		return ret;                                               \
	} while (0)

static size_t count_entries(char *const envp[])
{
	size_t n = 0;

	while (envp && envp[n])
		n++;
	return n + 1;
}

/* Does it say that this very process is the one to be recorded? */
static int is_mark(const char *entry)
{
	static const char mark[] = OPTION_PID_VARIABLE "=";

	return !strncmp(entry, mark, sizeof(mark) - 1) &&
	       atoi(entry + sizeof(mark) - 1) == getpid();
}

/*
 * envp without that, in room, when this process has been recorded: what it becomes need not call
 * MPI. Else envp itself.
 */
static char *const *unmark(char *const envp[], char *room[])
{
	size_t i, n = 0;

	if (!atomic_load(&tell) || !envp)
		return envp;
	for (i = 0; envp[i]; i++)
		if (!is_mark(envp[i]))
			room[n++] = envp[i];
	room[n] = NULL;
	return n < i ? room : envp;
}

#define UNMARKED(envp)                   \
	char *room[count_entries(envp)]; \
	char *const *env = unmark(envp, room)

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int execv(const char *path, char *const argv[])
{
	UNMARKED(environ);
	if (env != environ)
		GO(execve, path, argv, env);
	GO(execv, path, argv);
}

EXPORTED int execve(const char *path, char *const argv[], char *const envp[])
{
	UNMARKED(envp);
	GO(execve, path, argv, env);
}

EXPORTED int execvp(const char *file, char *const argv[])
{
	UNMARKED(environ);
	if (env != environ)
		GO(execvpe, file, argv, env);
	GO(execvp, file, argv);
}

EXPORTED int execvpe(const char *file, char *const argv[], char *const envp[])
{
	UNMARKED(envp);
	GO(execvpe, file, argv, env);
}

EXPORTED int fexecve(int fd, char *const argv[], char *const envp[])
{
	UNMARKED(envp);
	GO(fexecve, fd, argv, env);
}

EXPORTED int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	UNMARKED(envp);
	GO(execveat, fd, path, argv, env, flags);
}

/* Arguments of which first is the one before args; with the NULL at their end. */
static size_t count(const char *first, va_list args)
{
	size_t n = 1;

	for (; first; first = va_arg(args, const char *))
		n++;
	return n;
}

static void list(size_t n, char *argv[n], const char *first, va_list args)
{
	size_t i;

	argv[0] = (char *)(uintptr_t)first;
	for (i = 1; i < n; i++)
		argv[i] = va_arg(args, char *);
}

/* On the stack, as glibc does: it may be a vfork()ed child that calls. */
#define LISTED(first)           \
	va_list args;           \
	size_t n;               \
                                \
	va_start(args, first);  \
	n = count(first, args); \
	va_end(args);           \
	char *argv[n];          \
	va_start(args, first);  \
	list(n, argv, first, args)

EXPORTED int execl(const char *path, const char *arg, ...)
{
	LISTED(arg);
	va_end(args);
	return execv(path, argv);
}

EXPORTED int execlp(const char *file, const char *arg, ...)
{
	LISTED(arg);
	va_end(args);
	return execvp(file, argv);
}

EXPORTED int execle(const char *path, const char *arg, ...)
{
	char *const *envp;

	LISTED(arg);
	envp = va_arg(args, char *const *);
	va_end(args);
	return execve(path, argv, envp);
}
