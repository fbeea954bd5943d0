/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One error, in words. The first function that knows the cause writes the
 * message (lower case, with the value and the file); callers pass it up
 * unchanged and only main() prints it. No allocation; safe from any thread as
 * long as each thread has its own struct err.
 */
#ifndef COMMON_ERR_H
#define COMMON_ERR_H

struct err {
	char text[512]; /* always terminated; empty when nothing failed */
};

/* Write the message, cut to fit. Returns -1, so that `return err_set(...)` reads well. */
int err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
