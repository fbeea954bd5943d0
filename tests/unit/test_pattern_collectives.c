/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/messages.h"
#include "analyze/patterns/patterns.h"

#include "tests/fixtures/matched.h"

#include <string.h>

static void start(struct mktrace *m, uint32_t rank, int64_t ns, const char *function,
		  uint64_t request)
{
	struct mkop op = {.kind = OP_NBC_POST, .request = request};

	mktrace_call(m, rank, (struct mkspan){ns, ns + 1}, function, NULL, 1, &op);
}

/* What one moves is in the record of its completion and belongs to the call that started it. */
static void test_nonblocking_collectives_have_bytes(void)
{
	struct mkop both[] = {
		{.kind = OP_NBC_DONE, .peer = -1, .bytes = 4000, .request = 1},
		{.kind = OP_NBC_DONE, .peer = -1, .bytes = 500, .request = 2},
	};
	struct messages messages;
	struct patterns found;
	struct phases phases;
	struct matched r;
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);

	for (uint32_t rank = 0; rank < 2; rank++) {
		enter(m, rank, 10, "MPI_Allreduce", (struct mkop){.peer = -1, .bytes = 80});
		start(m, rank, 200, "MPI_Ineighbor_alltoallv", 1);
		start(m, rank, 210, "MPI_Iallgather", 2);
		mktrace_call(m, rank, (struct mkspan){220, 400}, "MPI_Waitall", NULL, 2, both);
	}
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(messages_match(&r.t, &messages, &err), 0);
	CU_ASSERT_EQUAL_FATAL(phases_find(&r.t, &messages, &r.c, &phases, &err), 0);
	CU_ASSERT_EQUAL_FATAL(patterns_find(&r.t, &messages, &r.c, &phases, &found, &err), 0);
	CU_ASSERT_EQUAL_FATAL(found.n, 3);
	CU_ASSERT_STRING_EQUAL(found.f[0].p.best.name, "neighbours of the communicator");
	CU_ASSERT_EQUAL(found.f[0].bytes, 8000);
	CU_ASSERT_STRING_EQUAL(found.f[1].p.best.name, "all-gather");
	CU_ASSERT_EQUAL(found.f[1].bytes, 1000);
	CU_ASSERT_STRING_EQUAL(found.f[2].p.best.name, "all-reduce");
	CU_ASSERT_EQUAL(found.f[2].bytes, 160);
	patterns_release(&found);
	phases_release(&phases);
	messages_release(&messages);
	release(&r);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_nonblocking_collectives_have_bytes),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern_collectives", cases);
}
