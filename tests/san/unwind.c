/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In place of libunwind's under a sanitizer: libunwind's cache of a thread is freed by the
 * last of the thread's destructors, after ThreadSanitizer's own, which then crashes.
 */
#include <execinfo.h>

int unw_backtrace(void **address, int n)
{
	return backtrace(address, n);
}
