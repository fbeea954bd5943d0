/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/share.h"
#include "tests/fixtures/suite.h"

#include <sched.h>
#include <stdlib.h>

#define PIECES 1000

struct sheet {
	unsigned hands;
	unsigned done[PIECES];
	uint64_t sum[SHARE_MOST];
	uint32_t fails_from;
	unsigned strangers; /* hands that there are not */
};

static int add(void *work, unsigned hand, uint32_t piece, struct err *err)
{
	struct sheet *s = work;

	if (hand >= s->hands) {
		s->strangers++;
		return -1;
	}
	if (piece >= s->fails_from)
		return err_set(err, "piece %u", piece);
	s->done[piece]++;
	s->sum[hand] += piece;
	return 0;
}

/* By however many hands, more than there are cores or pieces too, each piece is done once. */
static void test_share_does_every_piece_once(void)
{
	static const unsigned hands[] = {1, 2, 3, 7, SHARE_MOST};
	static const uint32_t pieces[] = {0, 1, 2, PIECES};

	for (size_t h = 0; h < 5; h++)
		for (size_t p = 0; p < 4; p++) {
			struct sheet s = {.hands = hands[h], .fails_from = PIECES};
			uint64_t sum = 0;
			unsigned wrong = 0;
			struct err err;

			CU_ASSERT_EQUAL(share_run(hands[h], pieces[p], add, &s, &err), 0);
			for (uint32_t k = 0; k < PIECES; k++)
				wrong += s.done[k] != (k < pieces[p]);
			for (unsigned k = 0; k < SHARE_MOST; k++)
				sum += s.sum[k];
			CU_ASSERT_EQUAL(wrong, 0);
			CU_ASSERT_EQUAL(s.strangers, 0);
			CU_ASSERT_EQUAL(sum, (uint64_t)pieces[p] * (pieces[p] - 1) / 2);
		}
}

static void test_share_says_what_the_first_that_failed_said(void)
{
	for (unsigned hands = 1; hands < 8; hands++) {
		struct sheet s = {.hands = hands, .fails_from = 500};
		struct err err = {""};

		CU_ASSERT_EQUAL(share_run(hands, PIECES, add, &s, &err), -1);
		CU_ASSERT_STRING_EQUAL(err.text, "piece 500");
	}
}

/* As many as a launcher started copies here, else as there are cores for us. */
static void test_share_hands_are_copies_or_cores(void)
{
	cpu_set_t mine, one;

	unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
	unsetenv("MPI_LOCALNRANKS");
	unsetenv("MV2_COMM_WORLD_LOCAL_SIZE");
	unsetenv("SLURM_STEP_TASKS_PER_NODE");
	unsetenv("PALS_LOCAL_SIZE");
	CU_ASSERT_EQUAL(sched_getaffinity(0, sizeof(mine), &mine), 0);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	for (int k = 0; !CPU_ISSET(k, &mine); k++, CPU_SET(k, &one))
		CPU_CLR(k, &one);
	CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof(one), &one), 0);
	CU_ASSERT_EQUAL(share_hands(), 1);
	CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof(mine), &mine), 0);
	if (CPU_COUNT(&mine) < 16)
		CU_ASSERT_EQUAL(share_hands(), (unsigned)CPU_COUNT(&mine));
	setenv("SLURM_STEP_TASKS_PER_NODE", "3(x2),1", 1);
	CU_ASSERT_EQUAL(share_hands(), 3);
	setenv("MPI_LOCALNRANKS", "7", 1);
	CU_ASSERT_EQUAL(share_hands(), 7);
	setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "5000", 1);
	CU_ASSERT_EQUAL(share_hands(), SHARE_MOST);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_share_does_every_piece_once),
		SUITE_CASE(test_share_says_what_the_first_that_failed_said),
		SUITE_CASE(test_share_hands_are_copies_or_cores),
		CU_TEST_INFO_NULL,
	};

	return suite_run("share", tests);
}
