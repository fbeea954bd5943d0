/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/hangs.h"

static void test_hanging_names_a_circle(void)
{
	struct job j;
	uint32_t r;

	make(&j, 4);
	for (r = 0; r < 4; r++)
		end_receiving(&j, r, r == 3 ? 1 : r + 1);
	CU_ASSERT_STRING_EQUAL(
		said(&j),
		"The job did not end by itself: 4 of 4 ranks were in MPI_Recv at solver.c:120 when "
		"SIGTERM came, and no other recorded MPI call had begun or returned for 8.00 s (80 "
		"% of the "
		"run)\n"
		"3 ranks wait for each other in a circle: rank 1 for rank 2 (tag 7), rank 2 for "
		"rank 3 (tag 7), rank 3 for rank 1 (tag 7)\n1 more rank waits for one of these, "
		"directly "
		"or "
		"through others" STANDSTILL);
}

/* One by its ranks, and how many others there are. */
static void test_hanging_counts_circles(void)
{
	static const uint32_t peers[][7] = {{1, 0, 3, 2, 3, 4, 0}, {1, 0, 3, 2, 5, 6, 4}};
	static const char *const says[] = {"\nand 1 more circle, of 2 ranks in all\n",
					   "\nand 2 more circles, of 5 ranks in all\n"};
	struct job j;
	const char *text;
	uint32_t way, r;

	for (way = 0; way < 2; way++) {
		make(&j, 7);
		for (r = 0; r < 7; r++)
			end_receiving(&j, r, peers[way][r]);
		text = said(&j);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n2 ranks wait for each other in a circle: "
						    "rank 0 for rank 1 (tag 7), rank 1 for rank 0 "
						    "(tag 7)\n"));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, says[way]));
	}
}

/* However many they are, the text is short. */
static void test_hanging_names_the_first_of_many(void)
{
	struct job j;
	uint32_t r;

	make(&j, MOST);
	for (r = 0; r < MOST; r++)
		end_receiving(&j, r, (r + 1) % MOST);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "\n40 ranks wait for each other in a circle: rank "
						"0 for rank 1 (tag 7), "));
	make(&j, MOST);
	for (r = 0; r < MOST; r++)
		end_receiving(&j, r, (r + 1) % MOST);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "rank 5 for rank 6 (tag 7), and so on to rank 0"));
}

/* Others wait for it, one through another, while it is elsewhere: in a collective, or no call. */
static void test_hanging_names_whom_the_others_wait_for(void)
{
	struct job j;

	make(&j, 3);
	j.calls[2].region = 1;
	j.calls[2].site = 1;
	end_receiving(&j, 0, 1);
	end_receiving(&j, 1, 2);
	end(&j, 2, "{\"ended\":\"exit\",\"status\":195,\"inside\":\"MPI_Barrier\"}");
	CU_ASSERT_STRING_EQUAL(
		said(&j),
		"The job did not end by itself: 2 of 3 ranks were in MPI_Recv at solver.c:120, "
		"rank 2 in MPI_Barrier at solver+0x30 when SIGTERM came, and no other recorded "
		"MPI call had begun or returned for 8.00 s (80 % of the run)\n2 ranks wait for "
		"rank 2, directly "
		"or through others, which was in MPI_Barrier at solver+0x30" STANDSTILL);
	make(&j, 3);
	j.calls[2].leave_ns = 5 * S;
	end_receiving(&j, 0, 2);
	end_receiving(&j, 1, 2);
	end(&j, 2, "{\"ended\":\"killed\"}");
	CU_ASSERT_STRING_EQUAL(
		said(&j),
		"The job did not end by itself: 2 of 3 ranks were in MPI_Recv at solver.c:120, "
		"rank 2 in the program, outside MPI when SIGTERM came, and no other recorded MPI "
		"call had begun or returned for 5.00 s (50 % of the run); 1 could not note its "
		"end, which is "
		"taken for that of the others\n2 ranks wait for rank 2, which was in the program, "
		"outside MPI\nor rank 2 was killed first, after its last MPI call returned at "
		"5.00 s, and the others stood still for that" STANDSTILL);
}

/* Ended while it was going on, or by one of its ranks: that is no hang. */
static void test_hanging_is_not_any_end(void)
{
	struct hanging h;
	struct job j;

	make(&j, 2);
	j.calls[0].leave_ns = 9 * S + S / 2;
	j.calls[1].enter_ns = 9 * S + S / 10; /* not for a tenth of the run */
	end_receiving(&j, 1, 0);
	end(&j, 0, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"from\":\"launcher\"}");
	CU_ASSERT_STRING_EQUAL(said(&j), "");
	make(&j, 2);
	end_receiving(&j, 1, 0);
	end(&j, 0, "{\"ended\":\"killed\",\"signal\":\"SIGSEGV\",\"from\":\"itself\"}");
	CU_ASSERT_STRING_EQUAL(said(&j), "");
	make(&j, 2);
	end_receiving(&j, 1, 0);
	end(&j, 0, "{\"ended\":\"abort\",\"inside\":\"MPI_Abort\"}");
	CU_ASSERT_STRING_EQUAL(said(&j), "");
	make(&j, 2); /* the other was killed 2 s before the launcher saw it */
	j.calls[1].enter_ns = 8 * S;
	end_receiving(&j, 1, 0);
	end(&j, 0, "{\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"peer\":1}");
	CU_ASSERT_STRING_EQUAL(said(&j), "");
	make(&j, 2); /* MPI found an error */
	end_receiving(&j, 1, 0);
	end(&j, 0, "{\"ended\":\"exit\",\"status\":6,\"inside\":\"MPI_Send\"}");
	CU_ASSERT_STRING_EQUAL(said(&j), "");
	make(&j, 2);
	CU_ASSERT_STRING_EQUAL(said(&j), "");
	hanging_find(&h, NULL, &j.t, &j.m, &j.c);
	CU_ASSERT_STRING_EQUAL(h.text, "");
	hanging_release(&h);
}

/*
 * What a rank did meanwhile is not known where it paused, its log was full, or it left none: it may
 * have ended by itself then.
 */
static void test_hanging_is_not_told_of_what_was_not_recorded(void)
{
	struct job j;
	const char *text;
	int way;

	for (way = 0; way < 4; way++) {
		make(&j, 2);
		j.calls[1].leave_ns = 5 * S;
		j.ops[0] = (struct op){.kind = OP_PAUSE, .time_ns = way == 3 ? S : 5 * S};
		j.ops[1] = (struct op){.kind = OP_RESUME, .time_ns = way == 3 ? 2 * S : 10 * S};
		j.ranks[1].ops = way < 2 ? (uint32_t)way : 2;
		j.ranks[1].absent = !way;
		end_receiving(&j, 0, 1);
		if (way)
			end(&j, 1, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
		text = said(&j);
		CU_ASSERT_EQUAL(way > 0, text == strstr(text, "The job did not end by itself: "));
		CU_ASSERT_EQUAL(!way, text == strstr(text, "No recorded rank ended by itself: "));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "rank 0 was in MPI_Recv at solver.c:120"));
		CU_ASSERT_EQUAL(way < 3,
				strstr(text, "; of 1 other nothing is recorded then") != NULL);
		CU_ASSERT_PTR_NOT_NULL(strstr(
			text, way < 3 ? "\nrank 0 waits for rank 1 (tag 7), of which nothing is "
					"recorded then\n"
				      : "\nrank 0 waits for rank 1 (tag 7), which was in "));
	}
}

/* Threads that serve the others wait by design: another of each rank may have been at work. */
static void test_hanging_is_not_of_ranks_with_a_thread_at_work(void)
{
	struct job j;
	const char *text;
	uint32_t r;

	make(&j, 2);
	for (r = 0; r < 2; r++) {
		j.ranks[r].first_call = 2 * r;
		j.ranks[r].calls = 2;
		j.calls[2 * r] =
			(struct call){.enter_ns = 1 * S, .leave_ns = 2 * S, .rank = r, .region = 1};
		j.calls[2 * r + 1] = (struct call){
			.enter_ns = 2 * S, .leave_ns = 10 * S, .rank = r, .thread = 1};
		end_receiving(&j, r, 1 - r);
	}
	j.t.n_calls = 4;
	text = said(&j);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "2 of 2 ranks were in MPI_Recv at solver.c:120 (not "
					    "all threads) when SIGTERM came, and"));
	CU_ASSERT_PTR_NULL(strstr(text, "wait"));
}

/* Each thread notes its process's end for itself. */
static void test_hanging_is_of_ranks_whose_threads_all_wait(void)
{
	struct job j;

	make(&j, 2);
	j.ranks[1].calls = 2;
	j.calls[2] =
		(struct call){.enter_ns = 3 * S, .leave_ns = 10 * S - 2000, .rank = 1, .thread = 1};
	j.t.n_calls = 3;
	end_receiving(&j, 0, 1);
	end_receiving(&j, 1, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "returned for 7.00 s (70 % of the run)\n2 ranks "
						"wait for each other in a circle"));
}

/* Open MPI's run-time ends all that lose their launcher, one of them outside MPI: nobody left. */
static void test_hanging_of_ranks_that_lost_their_launcher(void)
{
	static const struct {
		const char *mpi, *first, *second;
		int hung;
	} cases[] = {
		{"Open MPI 4.1.4", "\"exit\",\"status\":195", "\"exit\",\"status\":195", 1},
		{"MPICH 4.0", "\"exit\",\"status\":195", "\"exit\",\"status\":195", 0},
		{"Open MPI 4.1.4", "\"exit\",\"status\":194", "\"exit\",\"status\":195", 0},
		{"Open MPI 4.1.4", "\"exit\",\"status\":195", "\"exit\",\"status\":1", 0},
		{"Open MPI 4.1.4", "\"exit\",\"status\":195",
		 "\"killed\",\"signal\":\"SIGTERM\",\"from\":\"launcher\"", 0},
	};
	struct job j;
	char how[200];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&j, 2);
		j.calls[0].leave_ns = 3 * S;
		json_object_set_new(j.run.meta, "mpi", json_string(cases[i].mpi));
		snprintf(how, sizeof(how), "{\"ended\":%s}", cases[i].first);
		end(&j, 0, how);
		snprintf(how, sizeof(how), "{\"ended\":%s,\"inside\":\"MPI_Recv\",\"peer\":0}",
			 cases[i].second);
		end(&j, 1, how);
		CU_ASSERT_EQUAL(strstr(said(&j), "\nrank 1 waits for rank 0, which was in the "
						 "program, outside MPI") != NULL,
				cases[i].hung);
	}
}

/* Nobody knows until when. */
static void test_hanging_of_those_that_were_all_killed(void)
{
	struct job j;
	const char *text;
	uint32_t r;

	make(&j, 2);
	for (r = 0; r < 2; r++)
		end(&j, r, "{\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"peer\":0}");
	text = said(&j);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "2 of 2 ranks were in MPI_Recv at solver.c:120 when "
					    "all were killed. How long they had been there is "
					    "not known"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " that a rank began\nrank 0 waits for itself\n1 more "
					    "rank waits for one of these"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nwho killed them is not known; MPI itself may have"));
}

/* Killed before it called MPI. */
static void test_hanging_of_a_rank_without_calls(void)
{
	struct job j;

	make(&j, 2);
	j.ranks[0].calls = j.ranks[0].first_call = 0;
	j.calls[0] = j.calls[1];
	j.ranks[1].first_call = 0;
	j.t.n_calls = 1;
	end(&j, 0, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
	end_receiving(&j, 1, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j),
				      "\nrank 1 waits for rank 0 (tag 7), which was in the "
				      "program, outside MPI\n"));
}

/* What run.json says of ranks that are not there, or of calls that are not in the trace. */
static void test_hanging_survives_nonsense(void)
{
	struct job j;

	make(&j, 2);
	end_receiving(&j, 77, 0);
	end_receiving(&j, 0, 99);
	end(&j, 1,
	    "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Send\",\"peer\":-5}");
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "rank 0 was in MPI_Recv at solver.c:120, rank 1 in "
						"MPI_Send when SIGTERM came"));
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_hanging_names_a_circle),
	SUITE_CASE(test_hanging_counts_circles),
	SUITE_CASE(test_hanging_names_the_first_of_many),
	SUITE_CASE(test_hanging_names_whom_the_others_wait_for),
	SUITE_CASE(test_hanging_is_not_any_end),
	SUITE_CASE(test_hanging_is_not_told_of_what_was_not_recorded),
	SUITE_CASE(test_hanging_is_not_of_ranks_with_a_thread_at_work),
	SUITE_CASE(test_hanging_is_of_ranks_whose_threads_all_wait),
	SUITE_CASE(test_hanging_of_ranks_that_lost_their_launcher),
	SUITE_CASE(test_hanging_of_those_that_were_all_killed),
	SUITE_CASE(test_hanging_survives_nonsense),
	SUITE_CASE(test_hanging_of_a_rank_without_calls),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("hanging", tests);
}
