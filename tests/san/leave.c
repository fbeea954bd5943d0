/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that ends inside of a call leaves frames without returning from them. What is not
 * built with AddressSanitizer does not tell it so, and their places would stay forbidden.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

extern void __asan_handle_no_return(void) __attribute__((weak));

__attribute__((noreturn)) void pthread_exit(void *value)
{
	void (*next)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "pthread_exit");

	if (__asan_handle_no_return)
		__asan_handle_no_return();
	next(value);
	abort();
}
