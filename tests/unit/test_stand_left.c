/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/hangs.h"

#define ANY(comm) ",\"source\":\"any\",\"tag\":7,\"comm\":" #comm

/* Where all the others wait for it, or are at MPI's end, nobody is left to send anything. */
static void test_stand_left_is_nobody(void)
{
	struct loose sent = {.rank = 1, .peer = 0, .tag = 7, .n = 1, .is_send = 1};
	struct job j;
	const char *text;
	int way;

	for (way = 0; way < 4; way++) {
		make(&j, 3);
		end_in(&j, 0, IN_RECV, way == 1 ? ANY(1) : ANY(0));
		end_receiving(&j, 1, 0);
		if (way == 0)
			end_in(&j, 2, IN_FINALIZE, "");
		else
			end_outside(&j, 2);
		sent.comm = way == 3;
		j.m.loose = (struct loose_ends){&sent, way == 0 || way == 1 ? 0 : 1, 1};
		if (way == 3)
			j.calls[2].leave_ns = 10 * S, j.ranks[2].has_ended = 1;
		text = said(&j);
		CU_ASSERT_EQUAL(
			strstr(text, "\n2 ranks wait for each other in a circle: rank 0 for rank "
				     "1 (tag 7, of any rank), rank 1 for rank 0 (tag 7)\n") != NULL,
			way != 2);
		CU_ASSERT_EQUAL(strstr(text,
				       "\nnobody is left to send rank 0 the message of any rank "
				       "that it waits for (tag 7): of the others 1 waits for "
				       "it") != NULL,
				way != 2);
		CU_ASSERT_EQUAL(strstr(text, "1 waits for it, 1 had come to MPI_Finalize\n") !=
					NULL,
				way == 0 || way == 3);
	}
}

/* One or two others may go on; the rest waits for these or for the rank itself. */
static void test_stand_left_are_some(void)
{
	struct job j;
	const char *text;

	make(&j, 5);
	end_in(&j, 0, IN_RECV, ANY(0));
	end_receiving(&j, 1, 0);
	end_receiving(&j, 2, 3);
	end_outside(&j, 3);
	end_in(&j, 4, IN_FINALIZE, "");
	text = said(&j);
	CU_ASSERT_PTR_NOT_NULL(strstr(text,
				      "\n4 ranks wait for rank 3, directly or through others, "
				      "which was in the program, outside MPI\none of them "
				      "waits so: rank 0 for rank 3 or another (tag 7, of any "
				      "rank)\nwhether rank 0 is sent the message of any rank "
				      "that it waits for (tag 7) depends on rank 3: all others "
				      "wait for it or for rank 0, or had come to "
				      "MPI_Finalize\n"));
	make(&j, 4);
	end_in(&j, 0, IN_RECV, ANY(0));
	end_receiving(&j, 1, 0);
	end_outside(&j, 2);
	end_outside(&j, 3);
	text = said(&j);
	CU_ASSERT_PTR_NOT_NULL(strstr(text,
				      "\nrank 1 waits for rank 0 (tag 7), which was in MPI_Recv "
				      "at solver.c:120 of any rank\nwhether rank 0 is sent the "
				      "message of any rank that it waits for (tag 7) depends "
				      "on ranks 2 and 3: all others wait for one of these or "
				      "for rank 0\n"));
	make(&j, 3); /* of nobody more is known */
	end_in(&j, 0, IN_RECV, ANY(0));
	end_outside(&j, 1);
	end_outside(&j, 2);
	CU_ASSERT_PTR_NULL(strstr(said(&j), "wait"));
}

/* All that receive of anybody lead through each other to the one that does something else. */
static void test_stand_left_through_each_other(void)
{
	struct job j;
	uint32_t r;

	for (uint32_t outside = 0; outside < 2; outside++) {
		make(&j, 4);
		for (r = 0; r < 4; r++)
			if (r == 2 && outside)
				end_outside(&j, r);
			else
				end_in(&j, r, IN_RECV, ANY(0));
		CU_ASSERT_PTR_NOT_NULL(
			strstr(said(&j), outside ? "\n3 ranks wait for rank 2, which "
						   "was in the program, outside MPI\n"
						 : "\n2 ranks wait for each other in "
						   "a circle: rank 0 for rank 1 or "
						   "another (tag 7, of any rank), "
						   "rank 1 for rank 0 or another "
						   "(tag 7, of any rank)\n2 more ranks "
						   "wait for one of these, directly or "
						   "through others\nnobody is left"));
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_stand_left_is_nobody),
	SUITE_CASE(test_stand_left_are_some),
	SUITE_CASE(test_stand_left_through_each_other),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("stand_left", tests);
}
