/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/ending.h"

#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <string.h>

static char text[ENDING_ROOM];

/* What is said of these ranks that did not finalize. */
static const char *said_of(const char *unfinished)
{
	struct run r = {.meta = json_pack("{s:o}", "unfinished", json_loads(unfinished, 0, NULL))};

	ending_text(&r, "; ", sizeof(text), text);
	json_decref(r.meta);
	return text;
}

/* Nor by how long they had been silent in calls, where who is alive is silent, too. */
static void test_ending_names_nobody_first_of_those_killed(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":0.5}"
			","
			"{\"rank\":1,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":1.5},"
			"{\"rank\":2,\"ended\":\"killed\",\"alive_s\":1.25},"
			"{\"rank\":3,\"ended\":\"killed\",\"inside\":\"MPI_Wait\",\"alive_s\":0.7}"
			"]"),
		"rank 2 was killed by a signal that leaves no note (SIGKILL?) outside MPI, "
		"last seen at 1.25 s; 3 more were killed by a signal that leaves no note "
		"(SIGKILL?), 2 in MPI_Recv, 1 in MPI_Wait; which was killed first is not "
		"known");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":0.5}"
			"]"),
		"rank 0 was killed by a signal that leaves no note (SIGKILL?) in MPI_Recv, "
		"there since 500 ms into the run");
}

/* Those that were killed alike have one clause, however few they are. */
static void test_ending_lists_those_killed_outside_mpi(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"alive_s\":0.75},"
			"{\"rank\":1,\"ended\":\"killed\",\"alive_s\":0.5}]"),
		"ranks 1 and 0 were killed by a signal that leaves no note (SIGKILL?) outside MPI, "
		"last seen at 500 ms to 750 ms; which was killed first is not known");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"alive_s\":0.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"alive_s\":0.5},"
			"{\"rank\":2,\"ended\":\"killed\",\"inside\":\"MPI_Wait\",\"alive_s\":0.7}"
			"]"),
		"ranks 0 and 1 were killed by a signal that leaves no note (SIGKILL?) outside MPI, "
		"last seen at 500 ms; rank 2 was killed by a signal that leaves no note "
		"(SIGKILL?) in MPI_Wait, there since 700 ms into the run; which was killed first "
		"is not known");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"alive_s\":0.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"alive_s\":0.5},"
			"{\"rank\":2,\"ended\":\"killed\",\"alive_s\":0.5},"
			"{\"rank\":3,\"ended\":\"killed\",\"inside\":\"MPI_Wait\",\"alive_s\":0.25}"
			"]"),
		"ranks 0, 1 and 2 were killed by a signal that leaves no note (SIGKILL?) outside "
		"MPI, last seen at 500 ms; 1 more was killed by a signal that leaves no note "
		"(SIGKILL?) in MPI_Wait; which was killed first is not known");
}

static void test_ending_prefers_what_a_rank_did_itself(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"alive_s\":0.5},"
			"{\"rank\":1,\"ended\":\"exit\",\"inside\":\"MPI_Send\",\"alive_s\":2.5,"
			"\"status\":14},"
			"{\"rank\":7,\"ended\":\"exit\",\"alive_s\":2.25,\"status\":0}]"),
		"rank 7 left without MPI_Finalize with exit status 0 at 2.25 s; rank 0 was "
		"killed by a signal that leaves no note (SIGKILL?) outside MPI, last seen at "
		"500 ms; rank 1 was ended by MPI in MPI_Send with exit status 14 at 2.50 s");
}

/* Where Open MPI's run-time ended all, as it does without its launcher, nobody left. */
static void test_ending_of_ranks_that_lost_their_launcher(void)
{
	struct run r = {
		.meta = json_pack("{s:s, s:[{s:i, s:s, s:i, s:f}, {s:i, s:s, s:i, s:f, s:s}]}",
				  "mpi", "Open MPI 4.1.4", "unfinished", "rank", 0, "ended", "exit",
				  "status", 195, "alive_s", 2.0, "rank", 1, "ended", "exit",
				  "status", 195, "alive_s", 2.5, "inside", "MPI_Recv")};

	ending_text(&r, "; ", sizeof(text), text);
	CU_ASSERT_STRING_EQUAL(
		text,
		"rank 0 was ended with exit status 195 (as by Open MPI's run-time when its "
		"launcher is gone) outside MPI at 2.00 s; rank 1 was ended with exit status 195 "
		"(as by Open MPI's run-time when its launcher is gone) in MPI_Recv at 2.50 s");
	json_object_set_new(r.meta, "mpi", json_string("MPICH 4.0"));
	ending_text(&r, "; ", sizeof(text), text);
	CU_ASSERT_STRING_EQUAL(text, "rank 0 left without MPI_Finalize with exit status 195 at "
				     "2.00 s; rank 1 was ended by MPI in MPI_Recv with exit "
				     "status 195 at 2.50 s");
	json_decref(r.meta);
}

static void test_ending_tells_the_earliest_where_all_are_in_calls(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":1.0}"
			","
			"{\"rank\":1,\"ended\":\"killed\",\"inside\":\"MPI_Send\",\"alive_s\":2.0}"
			"]"),
		"rank 0 was killed by a signal that leaves no note (SIGKILL?) in MPI_Recv, "
		"there since 1.00 s into the run; rank 1 was killed by a signal that leaves no "
		"note "
		"(SIGKILL?) in MPI_Send, there since 2.00 s into the run; which was killed first "
		"is not "
		"known");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"exit\",\"inside\":\"MPI_Recv\",\"alive_s\":1.0},"
			"{\"rank\":1,\"ended\":\"killed\",\"alive_s\":2.0}]"),
		"rank 1 was killed by a signal that leaves no note (SIGKILL?) outside MPI, "
		"last seen at 2.00 s; rank 0 was ended by MPI in MPI_Recv at 1.00 s");
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
	CU_ASSERT_STRING_EQUAL(
		said_of(many),
		"ranks 0, 1, 2, 3, 4, 5, 6, 7 and 91 more were killed by a signal that leaves no "
		"note (SIGKILL?) outside MPI; which was killed first is not known");
}

static void test_ending_tells_what_another_program_is(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\",\"alive_s\":1.0}"
			",{\"rank\":1,\"ended\":\"exec\",\"alive_s\":0.5}]"),
		"rank 1 became another program (exec) at 500 ms; rank 0 was killed by a signal "
		"that leaves no note (SIGKILL?) in MPI_Recv, there since 1.00 s into the run");
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
		"rank 3 was ended by SIGSEGV in MPI_Recv at 2.00 s; rank 1 was ended by "
		"SIGTERM from the launcher outside MPI at 2.25 s; rank 0 was ended by SIGTERM "
		"from the launcher in MPI_Recv at 2.50 s");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"inside\":\"MPI_Recv\","
			"\"alive_s\":0.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"alive_s\":0.25},"
			"{\"rank\":2,\"ended\":\"killed\",\"signal\":\"SIGABRT\","
			"\"from\":\"itself\",\"alive_s\":2.0}]"),
		"rank 2 was ended by SIGABRT outside MPI at 2.00 s; rank 1 was killed by a "
		"signal that leaves no note (SIGKILL?) outside MPI, last seen at 250 ms; rank "
		"0 was killed by a signal that leaves no note (SIGKILL?) in MPI_Recv, there "
		"since 500 ms into the run");
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":1,\"ended\":\"killed\",\"alive_s\":0.25},"
			"{\"rank\":2,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"alive_s\":2.0}]"),
		"rank 1 was killed by a signal that leaves no note (SIGKILL?) outside MPI, "
		"last seen at 250 ms; rank 2 was ended by SIGTERM from the launcher outside "
		"MPI at 2.00 s");
}

/* Who aborts because another rank ended is not the first. */
static void test_ending_orders_signals_and_aborts_by_time(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"abort\",\"code\":9,\"alive_s\":1.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"signal\":\"SIGUSR1\","
			"\"from\":\"other\",\"alive_s\":1.25}]"),
		"rank 1 was ended by SIGUSR1 from another process outside MPI at 1.25 s; rank "
		"0 called MPI_Abort with code 9 at 1.50 s");
}

static void test_ending_of_a_job_that_its_launcher_ended(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"inside\":\"MPI_Recv\",\"alive_s\":2.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"alive_s\":2.25}]"),
		"rank 1 was ended by SIGTERM from the launcher outside MPI at 2.25 s; rank 0 "
		"was ended by SIGTERM from the launcher in MPI_Recv at 2.50 s");
}

/* Of many only who may have begun it is named; the others are told where they were. */
static void test_ending_groups_the_others_of_many(void)
{
	char many[8000] = "[", *end = many + 1;
	int i;

	end += sprintf(end, "{\"rank\":7,\"ended\":\"killed\",\"signal\":\"SIGSEGV\","
			    "\"from\":\"itself\",\"alive_s\":2.0}");
	for (i = 0; i < 7; i++)
		end += sprintf(end,
			       ",{\"rank\":%d,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			       "\"from\":\"launcher\"%s}",
			       i,
			       i == 0  ? ""
			       : i < 6 ? ",\"inside\":\"MPI_Allreduce\""
				       : ",\"inside\":\"MPI_Wait\"");
	strcpy(end, "]");
	CU_ASSERT_STRING_EQUAL(
		said_of(many),
		"rank 7 was ended by SIGSEGV outside MPI at 2.00 s; 7 more were ended by "
		"SIGTERM from the launcher, 1 outside MPI, 5 in MPI_Allreduce, 1 in MPI_Wait");
}

/* Whose signal it was is said as far as it is known: the launcher's, or another process's name. */
static void test_ending_names_the_sender(void)
{
	CU_ASSERT_STRING_EQUAL(
		said_of("[{\"rank\":0,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"launcher\",\"by\":\"orted\",\"alive_s\":2.5},"
			"{\"rank\":1,\"ended\":\"killed\",\"signal\":\"SIGTERM\","
			"\"from\":\"between\",\"by\":\"timeout\",\"alive_s\":1.25},"
			"{\"rank\":2,\"ended\":\"killed\",\"signal\":\"SIGINT\","
			"\"from\":\"other\",\"by\":\"bash\",\"alive_s\":3.0}]"),
		"rank 2 was ended by SIGINT from another process (bash) outside MPI at 3.00 s; "
		"rank "
		"1 was ended by SIGTERM from another process (timeout) outside MPI at 1.25 s; rank "
		"0 was ended by SIGTERM from the launcher (orted) outside MPI at 2.50 s");
}

/*
 * Each signal and sender of those that are not named has a clause of its own, unless they are many.
 */
static void test_ending_tells_each_kind(void)
{
	static const char *const signals[] = {"HUP",  "INT",  "TERM", "USR1",
					      "USR2", "XCPU", "ALRM", "TERM"};
	char many[8000] = "[", *end = many + 1;
	int i;

	for (i = 0; i < 10; i++)
		end += sprintf(end,
			       "%s{\"rank\":%d,\"ended\":\"killed\",\"signal\":\"SIG%s\","
			       "\"from\":\"%s\"%s}",
			       i ? "," : "", i, i < 3 ? "SEGV" : signals[i % 2 * 2],
			       i < 3 ? "itself" : "launcher", i == 9 ? ",\"by\":\"srun\"" : "");
	strcpy(end, "]");
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said_of(many), "; 3 more were ended by SIGTERM from the launcher, all "
			       "outside MPI; 3 more were ended by SIGHUP from the launcher, all "
			       "outside MPI; 1 more was ended by SIGTERM from the launcher "
			       "(srun) outside MPI"));
	for (end = many + 1, i = 0; i < 11; i++)
		end += sprintf(end,
			       "%s{\"rank\":%d,\"ended\":\"killed\",\"signal\":\"SIG%s\","
			       "\"from\":\"itself\"}",
			       i ? "," : "", i, i < 3 ? "SEGV" : signals[i - 3]);
	strcpy(end, "]");
	CU_ASSERT_PTR_NOT_NULL(strstr(said_of(many), "; 2 more were ended by SIGTERM, all outside "
						     "MPI; 1 more was ended by SIGUSR1 out"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "SIGUSR2 outside MPI; 2 more ended in other ways"));
}

/* A run that died is told as one before its numbers are. */
static void test_ending_is_first_in_the_verdict(void)
{
	struct handmade f;
	json_t *document, *verdict;

	handmade_fill(&f);
	json_object_set_new(f.run.meta, "unfinished",
			    json_pack("[{s:i, s:s, s:s, s:s, s:f}]", "rank", 1, "ended", "killed",
				      "signal", "SIGSEGV", "from", "itself", "alive_s", 0.5));
	document = handmade_document(&f);
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_STRING_EQUAL(
		json_string_value(json_array_get(verdict, 0)),
		"Not all ranks reached MPI_Finalize:\nrank 1 was ended by SIGSEGV outside MPI "
		"at 500 ms");
	CU_ASSERT_TRUE(handmade_says(document, "quality", "conditions",
				     "1 rank did not reach MPI_Finalize: the last"));
	json_decref(document);
	handmade_release(&f);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_ending_names_nobody_first_of_those_killed),
	SUITE_CASE(test_ending_lists_those_killed_outside_mpi),
	SUITE_CASE(test_ending_prefers_what_a_rank_did_itself),
	SUITE_CASE(test_ending_of_ranks_that_lost_their_launcher),
	SUITE_CASE(test_ending_tells_the_earliest_where_all_are_in_calls),
	SUITE_CASE(test_ending_does_with_less),
	SUITE_CASE(test_ending_tells_what_another_program_is),
	SUITE_CASE(test_ending_names_the_signal),
	SUITE_CASE(test_ending_orders_signals_and_aborts_by_time),
	SUITE_CASE(test_ending_of_a_job_that_its_launcher_ended),
	SUITE_CASE(test_ending_groups_the_others_of_many),
	SUITE_CASE(test_ending_names_the_sender),
	SUITE_CASE(test_ending_tells_each_kind),
	SUITE_CASE(test_ending_is_first_in_the_verdict),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("ending", tests);
}
