/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/hangs.h"

/* Rank r stands in a collective that missing never entered. */
static void end_in_barrier(struct job *j, uint32_t r, uint32_t missing)
{
	j->calls[r].region = 1;
	j->one = (struct collective){.region = 1, .is_short = 1, .last_rank = missing};
	j->c = (struct collectives){.c = &j->one, .n = 1};
	j->calls[r].part = 0;
	end(j, r, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Barrier\"}");
}

/* Who never came is waited for, be it at work or itself waiting for one that is there. */
static void test_stands_in_a_collective_waits_for_who_never_came(void)
{
	struct job j;

	make(&j, 3);
	end_in_barrier(&j, 0, 2);
	end_in_barrier(&j, 1, 2);
	j.calls[2].leave_ns = 3 * S;
	end(&j, 2, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "\n2 ranks wait for rank 2, which was in the "
						"program, outside MPI\n"));
	make(&j, 2);
	end_in_barrier(&j, 0, 1);
	end_receiving(&j, 1, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j),
				      "\n2 ranks wait for each other in a circle: rank 0 "
				      "for rank 1 to come to MPI_Barrier, rank 1 for rank 0 (tag "
				      "7)\n"));
	make(&j, 2);
	end_in_barrier(&j, 0, 1);
	j.one.is_short = 0; /* all came, or nobody knows */
	end_receiving(&j, 1, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "\nrank 1 waits for rank 0 (tag 7), which was in "
						"MPI_Barrier at solver.c:120\n"));
}

/*
 * Who receives what was sent waits for nobody: it is under way, or MPI found it too long. Unless
 * its sender is not done with it, or sent it to another.
 */
static void test_stands_of_who_was_sent_its_message(void)
{
	static const struct {
		uint32_t peer, open;
		int32_t tag;
		int64_t left_ns; /* the call that sent it */
		int waits;
	} cases[] = {{0, 0, 7, 2 * S, 0},
		     {0, 0, 7, 10 * S, 1},
		     {0, 1, 7, 2 * S, 1},
		     {0, 0, 8, 2 * S, 1},
		     {1, 0, 7, 2 * S, 1}};

	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct loose sent = {.rank = 1,
				     .peer = cases[k].peer,
				     .tag = cases[k].tag,
				     .n = 1,
				     .open = cases[k].open,
				     .call = 2,
				     .is_send = 1};
		struct job j;

		make(&j, 2);
		j.calls[2] = (struct call){
			.enter_ns = 1 * S, .leave_ns = cases[k].left_ns, .rank = 1, .region = 1};
		j.m.loose = (struct loose_ends){&sent, 1, 1};
		end_in(&j, 0, IN_RECV, ",\"peer\":1,\"tag\":7,\"comm\":0");
		end_in(&j, 1, IN_BARRIER, "");
		CU_ASSERT_EQUAL(strstr(said(&j), "rank 0 waits for rank 1") != NULL,
				cases[k].waits);
	}
}

/* Two ranks that call different collectives wait for ever, and say nothing. */
static void test_stands_names_collectives_that_are_mixed_up(void)
{
	struct region r[] = {{.name = "MPI_Bcast_c", .kind = REGION_COLLECTIVE},
			     {.name = "MPI_Barrier", .kind = REGION_COLLECTIVE},
			     {.name = "MPI_Bcast", .kind = REGION_COLLECTIVE}};
	struct job j;
	uint32_t second;

	for (second = 1; second <= 2; second++) {
		make(&j, 2);
		j.t.regions = r;
		j.t.n_regions = 3;
		j.one = (struct collective){.region = 1, .is_short = second == 1};
		j.one.is_mixed = second == 1;
		j.c = (struct collectives){.c = &j.one, .n = 1};
		j.calls[1].region = second;
		j.calls[0].part = j.calls[1].part = 0;
		end(&j, 0,
		    "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Bcast_c\"}");
		end(&j, 1, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
		CU_ASSERT_EQUAL(strstr(said(&j), "\nrank 0 was in MPI_Bcast_c at solver.c:120 "
						 "where rank 1 called MPI_Barrier at "
						 "solver.c:120: of one communicator") != NULL,
				second == 1);
		CU_ASSERT_PTR_NULL(strstr(said(&j), "waits for")); /* nobody is missing */
	}
}

/*
 * Whose call of the collective the trace has first, and how many ranks are in it, is all the same.
 */
static void test_stands_names_the_first_call_of_another_function(void)
{
	static const struct {
		uint32_t region[3]; /* of the ranks' calls */
		uint32_t stands;    /* which of them alone is there still */
		const char *says;
	} cases[] = {
		{{0, 1, 2},
		 2,
		 "\nrank 2 was in MPI_Bcast at solver.c:120 where rank 1 called "
		 "MPI_Barrier at solver.c:120: "},
		{{1, 1, 2},
		 2,
		 "\nrank 2 was in MPI_Bcast at solver.c:120 where rank 0 called "
		 "MPI_Barrier at solver.c:120: "},
		{{0, 1, 1},
		 1,
		 "\nrank 1 was in MPI_Barrier at solver.c:120 where rank 0 called "
		 "MPI_Bcast_c at solver.c:120: "},
	};
	struct region r[] = {{.name = "MPI_Bcast_c", .kind = REGION_COLLECTIVE},
			     {.name = "MPI_Barrier", .kind = REGION_COLLECTIVE},
			     {.name = "MPI_Bcast", .kind = REGION_COLLECTIVE}};
	struct job j;
	char how[100];
	size_t i, k;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&j, 3);
		j.t.regions = r;
		j.t.n_regions = 3;
		j.one = (struct collective){.region = cases[i].region[0]};
		j.c = (struct collectives){.c = &j.one, .n = 1};
		for (k = 0; k < 3; k++) {
			j.calls[k].region = cases[i].region[k];
			j.calls[k].part = 0;
			if (k != cases[i].stands)
				j.calls[k].leave_ns = 3 * S;
		}
		snprintf(how, sizeof(how),
			 "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"%s\"}",
			 r[cases[i].region[cases[i].stands]].name);
		for (k = 0; k < 3; k++)
			end(&j, (uint32_t)k,
			    k == cases[i].stands ? how
						 : "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
		CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), cases[i].says));
	}
}

/* A master that takes anybody's message waits for no one of them, but they for it. */
static void test_stands_waits_for_any_rank(void)
{
	struct job j;

	make(&j, 2);
	end(&j, 0,
	    "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Recv\",\"source\":"
	    "\"any\"}");
	end_receiving(&j, 1, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "rank 0 was in MPI_Recv at solver.c:120 of any "
						"rank, rank 1 in MPI_Recv at solver.c:120 when "));
	make(&j, 2);
	end(&j, 0,
	    "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Recv\",\"source\":"
	    "\"any\"}");
	end_receiving(&j, 1, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "\nrank 1 waits for rank 0 (tag 7), which was in "
						"MPI_Recv at solver.c:120 of any rank\n"));
}

/* MPI_Finalize ends when all have come to it. */
static void test_stands_at_the_end_waits_for_who_never_came(void)
{
	struct job j;
	int way;

	for (way = 0; way < 3; way++) {
		make(&j, 3);
		end_in(&j, 0, IN_FINALIZE, "");
		end_in(&j, 1, way == 2 ? IN_FINALIZE : IN_RECV, way == 2 ? "" : ",\"peer\":2");
		if (way == 0)
			end_outside(&j, 2);
		else
			end_in(&j, 2, IN_FINALIZE, "");
		CU_ASSERT_PTR_NOT_NULL(strstr(
			said(&j),
			way == 0   ? "\n2 ranks wait for rank 2, which was in the program, "
				     "outside MPI\n"
			: way == 1 ? "\n2 ranks wait for each other in a circle: rank 1 for rank "
				     "2, rank 2 for rank 1 to come to MPI_Finalize\n1 more rank "
				     "waits for one of these, directly or through others\n"
				   : " of the run)\nall shares here")); /* all came */
	}
}

/* MPI_Sendrecv waits for a message, and for its own to be taken if that is large. */
static void test_stands_in_a_swap(void)
{
	static const char *const froms[] = {",\"peer\":1,\"tag\":7,\"comm\":0",
					    ",\"source\":\"nobody\"",
					    ",\"peer\":1,\"tag\":7,\"comm\":0", ""};
	static const char *const says[] = {
		"\nrank 0 waits for rank 1 (tag 7), which was in the program, outside MPI\n",
		"\nrank 0 waits for rank 2 to receive (tag 5), which was in the program, outside "
		"MPI\n",
		"\nrank 0 waits for rank 2 to receive (tag 5), which was in the program, outside "
		"MPI\n",
		" of the run)\nall shares here"};
	struct loose sent = {.rank = 1, .peer = 0, .tag = 7, .n = 1, .is_send = 1};
	struct send large = {.bytes = 1 << 20, .dst = 2, .tag = 5, .done = 0};
	struct job j;
	uint32_t way, r;

	for (way = 0; way < 4; way++) {
		make(&j, 3);
		end_in(&j, 0, IN_SENDRECV, froms[way]);
		end_outside(&j, 1);
		end_outside(&j, 2);
		j.t.ends.sends = &large;
		for (r = 1; r <= 3; r++)
			j.of[r].send = 1;
		j.m.loose = (struct loose_ends){&sent, way == 2, 1};
		CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), says[way]));
	}
}

/* Polls in a row are one standstill, whether the signal came in the last of them or between two. */
static void test_stands_in_polls(void)
{
	struct region r[] = {{.name = "MPI_Recv", .kind = REGION_RECV},
			     {.name = "MPI_Test", .kind = REGION_TEST}};
	struct flood floods[] = {{.polls = 1000, .inside_ns = S}};
	struct job j;
	uint32_t inside;

	for (inside = 0; inside < 2; inside++) {
		make(&j, 2);
		j.t.regions = r;
		j.t.floods = floods;
		j.t.n_floods = 1;
		j.calls[1].part = 0;
		j.calls[1].is_flood = 1;
		j.calls[1].region = 1;
		j.calls[1].leave_ns = 10 * S - 500;
		j.calls[2] = (struct call){.enter_ns = 10 * S - 300,
					   .leave_ns = 10 * S,
					   .rank = 1,
					   .region = 1,
					   .part = TRACE_NONE};
		j.ranks[1].calls += inside;
		j.t.n_calls += inside;
		end_receiving(&j, 0, 1);
		end(&j, 1,
		    inside ? "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Test\"}"
			   : "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
		CU_ASSERT_PTR_NOT_NULL(strstr(
			said(&j), "begun or returned for 8.00 s (80 % of the run)\nrank 0 "
				  "waits for rank 1 (tag 7), which was in MPI_Test at solver.c:120 "
				  "again and again\n"));
	}
	make(&j, 2); /* but not if they were over long before */
	j.t.floods = floods;
	j.t.n_floods = 1;
	j.calls[1].part = 0;
	j.calls[1].is_flood = 1;
	j.calls[1].leave_ns = 5 * S;
	end_receiving(&j, 0, 1);
	end(&j, 1, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "for 5.00 s (50 % of the run)\nrank 0 waits for "
						"rank 1 (tag 7), which was in the program, outside "
						"MPI\n"));
}

/* Polls that take what comes are no standstill, however many they are. */
static void test_stands_in_polls_since_something_completed(void)
{
	struct region r[] = {{.name = "MPI_Recv", .kind = REGION_RECV},
			     {.name = "MPI_Test", .kind = REGION_TEST}};
	struct flood floods[] = {{.polls = 1000, .inside_ns = S}, {.polls = 1000, .inside_ns = S}};
	struct job j;
	uint32_t calls;

	for (calls = 2; calls <= 3; calls++) { /* of rank 1, the second completes something */
		make(&j, 2);
		j.t.regions = r;
		j.t.floods = floods;
		j.t.n_floods = 2;
		j.calls[3] = j.calls[2] = j.calls[1];
		j.calls[1].region = j.calls[2].region = j.calls[3].region = 1;
		j.calls[1].part = 0;
		j.calls[1].is_flood = 1;
		j.calls[1].leave_ns = j.calls[2].enter_ns = calls == 2 ? 10 * S - 800 : 5 * S;
		j.calls[2].leave_ns = j.calls[3].enter_ns = j.calls[2].enter_ns + 100;
		j.calls[3].part = 1;
		j.calls[3].is_flood = 1;
		j.calls[3].leave_ns = 10 * S - 500;
		j.ranks[1].calls = calls;
		j.ranks[1].completed = 2;
		j.t.n_calls = 1 + calls;
		end_receiving(&j, 0, 1);
		end(&j, 1, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
		CU_ASSERT_PTR_NOT_NULL(strstr(
			said(&j),
			calls == 3 ? "begun or returned for 5.00 s (50 % of the run)\nrank 0 waits "
				     "for rank 1 (tag 7), which was in MPI_Test at solver.c:120 "
				     "again and "
				     "again\n"
				   : "; others went on: rank 1 was in the program, outside MPI\n"));
	}
}

/* Some stood still while others went on: no standstill, but who waited for whom. */
static void test_stands_of_a_part_of_the_ranks(void)
{
	struct job j;

	make(&j, 4);
	j.calls[3].leave_ns = 9 * S + S / 2;
	j.calls[2].enter_ns = 9 * S + S / 4;
	end_receiving(&j, 0, 1);
	end_receiving(&j, 1, 3);
	end_receiving(&j, 2, 0);
	end(&j, 3, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
	CU_ASSERT_STRING_EQUAL(
		said(&j), "The job did not end by itself: 2 of 4 ranks had been in MPI_Recv at "
			  "solver.c:120 for 8.00 s or longer (80 % of the run) when SIGTERM came; "
			  "others went on: rank 2 was in MPI_Recv at solver.c:120, rank 3 in the "
			  "program, outside MPI\n2 ranks wait for rank 3, directly or through "
			  "others, which was in the program, outside MPI");
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_stands_in_a_collective_waits_for_who_never_came),
	SUITE_CASE(test_stands_of_who_was_sent_its_message),
	SUITE_CASE(test_stands_names_collectives_that_are_mixed_up),
	SUITE_CASE(test_stands_names_the_first_call_of_another_function),
	SUITE_CASE(test_stands_waits_for_any_rank),
	SUITE_CASE(test_stands_at_the_end_waits_for_who_never_came),
	SUITE_CASE(test_stands_in_a_swap),
	SUITE_CASE(test_stands_in_polls),
	SUITE_CASE(test_stands_in_polls_since_something_completed),
	SUITE_CASE(test_stands_of_a_part_of_the_ranks),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("stands", tests);
}
