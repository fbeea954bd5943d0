/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A module whose cases share a directory. */
#ifndef TESTS_UNIT_IN_SCRATCH_H
#define TESTS_UNIT_IN_SCRATCH_H

#include "tests/scratch.h"
#include "tests/unit/suite.h"

static char *dir;

static inline int in_scratch_begin(void)
{
	dir = scratch_new();
	return 0;
}

static inline int in_scratch_end(void)
{
	scratch_free(dir);
	return 0;
}

/* As suite_run, with dir empty at first and removed at last. */
static inline int in_scratch_run(const char *module, CU_TestInfo *tests)
{
	return suite_run_between(module, in_scratch_begin, in_scratch_end, tests);
}

#endif
