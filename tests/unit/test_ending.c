/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/ending.h"

#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

static char text[400];

/* What is said of these ranks that did not finalize. */
static const char *said_of(const char *unfinished)
{
	struct run r = {.meta = json_pack("{s:o}", "unfinished", json_loads(unfinished, 0, NULL))};

	ending_text(&r, sizeof(text), text);
	json_decref(r.meta);
	return text;
}

static void test_ending_names_nobody_first_of_those_killed(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":0.5}"
			","
			"{\"rank\":1,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":1.5},"
			"{\"rank\":2,\"ended\":\"killed\",\"alive_s\":1.25},"
			"{\"rank\":3,\"ended\":\"killed\",\"inside\":\"MPI_Wait\",\"alive_s\":0.7}"
			"]"),
		"which was killed first is not known; rank 0 gave its last sign of life first, "
		"at 500 ms, the others up to 1.00 s later; 1 outside MPI (rank 2); 3 in "
		"MPI calls (MPI_Recv 2, MPI_Wait 1)");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":0.5}"
			"]"),
		"rank 0 was killed in MPI_Recv, there since 500 ms");
}

static void test_ending_prefers_what_a_rank_did_itself(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"alive_s\":0.5},"
			"{\"rank\":1,\"ended\":\"exit\",\"inside\":\"MPI_Send\",\"alive_s\":2.5,"
			"\"status\":14},"
			"{\"rank\":7,\"ended\":\"exit\",\"alive_s\":2.25,\"status\":0}]"),
		"rank 7 left without MPI_Finalize with exit status 0 at 2.25 s, "
		"rank 0 was killed outside MPI after 500 ms; 1 more in MPI calls (MPI_Send 1)");
}

static void test_ending_tells_the_earliest_where_all_are_in_calls(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":1.0}"
			","
			"{\"rank\":1,\"ended\":\"killed\",\"inside\":\"MPI_Send\",\"alive_s\":2.0}"
			"]"),
		"which was killed first is not known; rank 0 gave its last sign of life first, "
		"at 1.00 s, the others up to 1.00 s later; 2 in MPI calls (MPI_Recv 1, "
		"MPI_Send 1)");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"exit\",\"inside\":\"MPI_Recv\",\"alive_s\":1.0},"
			"{\"rank\":1,\"ended\":\"killed\",\"alive_s\":2.0}]"),
		"rank 1 was killed outside MPI after 2.00 s; 1 more in MPI calls (MPI_Recv 1)");
}

/* Runs of an earlier version say nothing of times; and of many ranks only a few are named. */
static void test_ending_does_with_less(void)
{
	char many[8000] = "[", *end = many + 1;
	int i;

	CU_ASSERT_STRING_EQUAL(said_of("[]"), "");
	CU_ASSERT_STRING_EQUAL(said_of("[{\"rank\":4,\"ended\":\"abort\"}]"),
			       "rank 4 called MPI_Abort");
	CU_ASSERT_STRING_EQUAL(said_of("[{\"rank\":4,\"ended\":\"abort\",\"code\":-3}]"),
			       "rank 4 called MPI_Abort with code -3");
	for (i = 0; i < 99; i++)
		end += sprintf(end, "%s{\"rank\":%d,\"ended\":\"killed\"}", i ? "," : "", 98 - i);
	strcpy(end, "]");
	CU_ASSERT_STRING_EQUAL(said_of(many), "which was killed first is not known; "
					      "99 outside MPI (ranks 0, 1, 2 ...)");
}

static void test_ending_tells_what_another_program_is(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":1.0}"
			",{\"rank\":1,\"ended\":\"exec\",\"alive_s\":0.5}]"),
		"rank 1 became another program (exec) at 500 ms; 1 more in MPI calls (MPI_Recv 1)");
}

/* Only a rank's own signal is what began it; the launcher's are its consequence. */
static void test_ending_names_the_signal(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"inside\":\"MPI_Recv\",\"alive_s\":2.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"alive_s\":2.25},"
			"{\"rank\":3,\"ended\":\"killed\",\"signal\":\"SIGSEGV\","
			"\"from\":\"itself\",\"inside\":\"MPI_Recv\",\"alive_s\":2.0}]"),
		"rank 3 was ended by SIGSEGV in MPI_Recv at 2.00 s; 2 others were ended by the "
		"launcher's "
		"SIGTERM");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\","
			"\"alive_s\":0.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"alive_s\":0.25},"
			"{\"rank\":2,\"ended\":\"killed\",\"signal\":\"SIGABRT\","
			"\"from\":\"itself\",\"alive_s\":2.0}]"),
		"rank 2 was ended by SIGABRT outside MPI at 2.00 s, rank 1 was killed outside MPI "
		"after 250 ms; 1 more in MPI calls (MPI_Recv 1)");
	CU_ASSERT_STRING_EQUAL(said_of("[{\"rank\":1,\"ended\":\"killed\",\"alive_s\":0.25},"
				       "{\"rank\":2,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
				       "\"from\":\"launcher\",\"alive_s\":2.0}]"),
			       "rank 1 was killed outside MPI after 250 ms; 1 other was ended by "
			       "the launcher's SIGTERM");
}

/* Who aborts because another rank ended is not the first. */
static void test_ending_orders_signals_and_aborts_by_time(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"abort\",\"code\":9,\"alive_s\":1.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"signal\":\"SIGUSR1\","
			"\"from\":\"other\",\"alive_s\":1.25}]"),
		"rank 1 was ended by SIGUSR1 from another process outside MPI at 1.25 s, rank 0 "
		"called MPI_Abort with code 9 at 1.50 s");
}

static void test_ending_of_a_job_that_its_launcher_ended(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"inside\":\"MPI_Recv\",\"alive_s\":2.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"alive_s\":2.25}]"),
		"2 ranks were ended by the launcher's SIGTERM, rank 1 first, at 2.25 s");
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_ending_names_nobody_first_of_those_killed),
	SUITE_CASE(test_ending_prefers_what_a_rank_did_itself),
	SUITE_CASE(test_ending_tells_the_earliest_where_all_are_in_calls),
	SUITE_CASE(test_ending_does_with_less),
	SUITE_CASE(test_ending_tells_what_another_program_is),
	SUITE_CASE(test_ending_names_the_signal),
	SUITE_CASE(test_ending_orders_signals_and_aborts_by_time),
	SUITE_CASE(test_ending_of_a_job_that_its_launcher_ended),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("ending", tests);
}
