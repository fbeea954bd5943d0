/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace that a test writes and reads again. */
#ifndef TESTS_UNIT_TRACED_H
#define TESTS_UNIT_TRACED_H

#include "analyze/reader/reader.h"

#include "tests/mktrace.h"
#include "tests/scratch.h"
#include "tests/unit/suite.h"

static struct err err;

/* To be filled, in a directory of its own. */
static inline struct mktrace *traced_begin(char **dir, uint32_t ranks)
{
	*dir = scratch_new();
	return mktrace_new(*dir, ranks, &err);
}

/* As it is read; the directory is gone. */
static inline struct trace traced_read(struct mktrace *m, char *dir)
{
	struct trace t;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	scratch_free(dir);
	return t;
}

#endif
