/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A directory for one test's files, and what tests do with files. Trouble ends the test program. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stddef.h>

/* A new empty directory (below $TMPDIR or /tmp). Give it to scratch_free. */
char *scratch_new(void);

/* Remove it with everything in it. */
void scratch_free(char *dir);

/* dir/name; valid until the next but three calls. */
const char *scratch_path(const char *dir, const char *name);

/* The bytes of a file, *n of them, to be freed; NULL when it cannot be read. */
unsigned char *scratch_load(const char *path, size_t *n);

/* Write a file; an old one is replaced. */
void scratch_store(const char *path, const void *bytes, size_t n);

#endif
