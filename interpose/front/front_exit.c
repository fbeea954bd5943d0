/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/front/front_exit.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void exit_function(int status);

static exit_function *_Atomic tell;
static exit_function *_Atomic next; /* NULL: the kernel's */

/* Not when it is called: that may be in a signal handler, or in a child made by vfork(). */
__attribute__((constructor)) static void find_next(void)
{
	atomic_store(&next, (exit_function *)dlsym(RTLD_NEXT, "_exit"));
}

void front_exit_tell(exit_function *left)
{
	atomic_store(&tell, left);
}

__attribute__((visibility("default"), noreturn)) void _exit(int status)
{
	exit_function *left = atomic_load(&tell), *go = atomic_load(&next);

	if (left)
		left(status);
	if (go)
		go(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"), noreturn)) void _Exit(int status)
{
	_exit(status);
}
