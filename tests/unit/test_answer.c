/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether all ranks of a job are recorded: they come to one answer, whoever is there and when. */
#include "interpose/job/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/options.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"

#define RANKS 3

static char *scratch;

static void enter(void)
{
	scratch = scratch_new();
	setenv(option_rows[OPTION_OUTPUT].variable, scratch_path(scratch, "run"), 1);
}

static void leave(void)
{
	unsetenv(option_rows[OPTION_OUTPUT].variable);
	scratch_free(scratch);
}

static struct launch rank_of(int rank)
{
	return (struct launch){.rank = rank, .ranks = RANKS, .known = 1, .job = "test"};
}

/* Rank comes to MPI_Init; dir gets where it records. */
static void claim(int rank, char dir[1024])
{
	struct launch l = rank_of(rank);
	struct log log;
	struct err err;

	CU_ASSERT_FATAL(!launch_claim(&l, &log, 1024, dir, &err));
	log_close(&log);
}

static int ask(int rank, const char *dir)
{
	struct launch l = rank_of(rank);

	return launch_all_claimed(&l, dir, RANKS);
}

static void test_answer_is_yes_when_all_are_there(void)
{
	char dir[1024];
	int r;

	enter();
	for (r = 0; r < RANKS; r++)
		claim(r, dir);
	for (r = 0; r < RANKS; r++)
		CU_ASSERT_EQUAL(ask(r, dir), 1);
	leave();
}

/* Who asks without rank 0 answers for all: also for rank 0, whose log is seen only then. */
static void test_answer_of_the_first_holds_for_all(void)
{
	char dir[1024];

	enter();
	claim(1, dir);
	claim(2, dir);
	CU_ASSERT_EQUAL(ask(1, dir), 0);
	claim(0, dir);
	CU_ASSERT_EQUAL(ask(0, dir), 0);
	CU_ASSERT_EQUAL(ask(2, dir), 0);
	leave();
}

static void test_answer_is_no_when_one_cannot_be_counted_on(void)
{
	char dir[1024];
	int r;

	enter();
	for (r = 0; r < RANKS; r++)
		claim(r, dir);
	launch_leave_part(dir);
	for (r = 0; r < RANKS; r++)
		CU_ASSERT_EQUAL(ask(r, dir), 0);
	leave();
}

/* Rank 0 comes as late as the others are patient. */
static void test_answer_is_one_however_late_the_first_is(void)
{
	int round, status[2], yes = 0, r;
	pid_t child[2];
	char dir[1024];

	for (round = 0; round < 24; round++) {
		enter();
		claim(1, dir);
		claim(2, dir);
		for (r = 0; r < 2; r++) {
			child[r] = fork();
			if (child[r])
				continue;
			if (r == 0) {
				usleep((unsigned)round * 2000);
				claim(0, dir);
			}
			_exit(ask(r, dir));
		}
		for (r = 0; r < 2; r++)
			CU_ASSERT_EQUAL(waitpid(child[r], &status[r], 0), child[r]);
		CU_ASSERT_EQUAL(status[0], status[1]);
		yes += status[0] != 0;
		leave();
	}
	printf("%d of %d answers yes\n", yes, round);
}

/* Where nothing can be written nobody answers, and who would does not wait for that, a minute. */
static void test_answer_is_no_at_once_where_none_can_be_given(void)
{
	char path[1100];
	FILE *file;

	enter();
	snprintf(path, sizeof(path), "%s/log", scratch);
	file = fopen(path, "w"); /* no folder */
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fclose(file);
	alarm(40);
	launch_leave_part(scratch);
	alarm(0);
	leave();
}

/* As the shell completes the name of a folder: it is that one, or beside it, not in it. */
static void test_answer_does_without_slashes_at_the_end(void)
{
	char dir[1024];

	enter();
	setenv(option_rows[OPTION_OUTPUT].variable, scratch_path(scratch, "run//"), 1);
	claim(0, dir);
	CU_ASSERT_STRING_EQUAL(dir, scratch_path(scratch, "run"));
	leave();
	enter();
	setenv(option_rows[OPTION_OUTPUT].variable, scratch_path(scratch, "run/"), 1);
	CU_ASSERT_EQUAL(mkdir(scratch_path(scratch, "run"), 0777), 0);
	scratch_store(scratch_path(scratch, "run/run.json"), "{}", 2);
	claim(0, dir);
	CU_ASSERT_STRING_EQUAL(dir, scratch_path(scratch, "run.2"));
	leave();
}

static CU_TestInfo cases[] = {
	SUITE_CASE(test_answer_is_yes_when_all_are_there),
	SUITE_CASE(test_answer_of_the_first_holds_for_all),
	SUITE_CASE(test_answer_is_no_when_one_cannot_be_counted_on),
	SUITE_CASE(test_answer_is_one_however_late_the_first_is),
	SUITE_CASE(test_answer_is_no_at_once_where_none_can_be_given),
	SUITE_CASE(test_answer_does_without_slashes_at_the_end),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("answer", cases);
}
