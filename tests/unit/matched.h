/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collectives of a trace that a test writes. */
#ifndef TESTS_UNIT_MATCHED_H
#define TESTS_UNIT_MATCHED_H

#include "analyze/matching/collectives.h"

#include "tests/unit/traced.h"

struct matched {
	struct trace t;
	struct collectives c;
};

static inline struct matched match(struct mktrace *m, char *dir)
{
	struct matched out = {.t = traced_read(m, dir)};

	CU_ASSERT_EQUAL_FATAL(collectives_match(&out.t, &out.c, &err), 0);
	return out;
}

static inline void release(struct matched *r)
{
	collectives_release(&r->c);
	trace_release(&r->t);
}

static inline void enter(struct mktrace *m, uint32_t rank, int64_t ns, const char *function,
			 struct mkop op)
{
	op.kind = OP_COLL;
	mktrace_call(m, rank, (struct mkspan){ns, ns + 100}, function, NULL, 1, &op);
}

#endif
