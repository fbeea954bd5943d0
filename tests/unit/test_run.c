/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run.h"

#include "tests/fixtures/in_scratch.h"
#include "tests/traces/mktrace.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct err err;

static void make_run(const char *name, time_t changed)
{
	const char *path = scratch_path(dir, name);
	struct timespec times[2] = {{.tv_sec = changed}, {.tv_sec = changed}};
	struct mktrace *m = mktrace_new(path, 1, &err);

	mktrace_call(m, 0, (struct mkspan){0, 1}, "MPI_Init", NULL, 0, NULL);
	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL(mktrace_run_json(path, 1, 1.5, "finalize", &err), 0);
	utimensat(AT_FDCWD, path, times, 0);
}

static void test_run_fields(void)
{
	struct run r;

	make_run("a.1.contend", 1000);
	CU_ASSERT_EQUAL_FATAL(run_open(scratch_path(dir, "a.1.contend"), &r, &err), 0);
	CU_ASSERT_STRING_EQUAL(r.archive, scratch_path(dir, "a.1.contend/traces.otf2"));
	CU_ASSERT_EQUAL(r.needs_recovery, 0);
	CU_ASSERT_STRING_EQUAL(run_text(&r, "command", "?"), "./mktrace");
	CU_ASSERT_STRING_EQUAL(run_text(&r, "nothing", "?"), "?");
	CU_ASSERT_STRING_EQUAL(run_text(&r, "ranks", "not a text"), "not a text");
	CU_ASSERT_EQUAL(run_number(&r, "wall_s", 0), 1.5);
	CU_ASSERT_EQUAL(run_number(&r, "cost.share", -1), 0.0);
	CU_ASSERT_EQUAL(run_number(&r, "cost.nothing.more", -1), -1);
	run_release(&r);
	run_release(&r);
}

static void test_run_newest_here(void)
{
	char here[4096];
	struct run r;

	make_run("b.1.contend", 3000);
	make_run("c.1.contend", 2000);
	scratch_store(scratch_path(dir, "d.contend"), "a file", 6);
	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof(here)));
	CU_ASSERT_EQUAL_FATAL(chdir(dir), 0);
	CU_ASSERT_EQUAL_FATAL(run_open(NULL, &r, &err), 0);
	CU_ASSERT_STRING_EQUAL(r.dir, "b.1.contend");
	run_release(&r);
	CU_ASSERT_EQUAL(symlink("c.1.contend", "contend.latest"), 0);
	CU_ASSERT_EQUAL_FATAL(run_open(NULL, &r, &err), 0);
	CU_ASSERT_STRING_EQUAL(r.dir, "contend.latest");
	run_release(&r);
	unlink("contend.latest"); /* to nowhere: as if it were not there */
	CU_ASSERT_EQUAL(symlink("gone", "contend.latest"), 0);
	CU_ASSERT_EQUAL_FATAL(run_open(NULL, &r, &err), 0);
	CU_ASSERT_STRING_EQUAL(r.dir, "b.1.contend");
	run_release(&r);
	CU_ASSERT_EQUAL(chdir(here), 0);
}

static void test_run_foreign_archive(void)
{
	struct run r;
	const char *file = scratch_path(dir, "foreign/eztrace_log.otf2");

	mkdir(scratch_path(dir, "foreign"), 0777);
	scratch_store(file, "x", 1);
	CU_ASSERT_EQUAL_FATAL(run_open(scratch_path(dir, "foreign"), &r, &err), 0);
	CU_ASSERT_PTR_NULL(r.meta);
	CU_ASSERT_STRING_EQUAL(r.archive, scratch_path(dir, "foreign"));
	CU_ASSERT_STRING_EQUAL(run_text(&r, "command", "?"), "?");
	run_release(&r);
	CU_ASSERT_EQUAL_FATAL(run_open(scratch_path(dir, "foreign/eztrace_log.otf2"), &r, &err), 0);
	CU_ASSERT_STRING_EQUAL(r.dir, scratch_path(dir, "foreign"));
	run_release(&r);
}

static void test_run_archive_inside_a_run(void)
{
	struct run r;

	CU_ASSERT_EQUAL_FATAL(run_open(scratch_path(dir, "a.1.contend/traces.otf2"), &r, &err), 0);
	CU_ASSERT_EQUAL(run_number(&r, "wall_s", 0), 1.5);
	run_release(&r);
}

static void test_run_killed_needs_recovery(void)
{
	struct run r;

	mkdir(scratch_path(dir, "killed.contend"), 0777);
	mkdir(scratch_path(dir, "killed.contend/log"), 0777);
	CU_ASSERT_EQUAL(
		mktrace_run_json(scratch_path(dir, "killed.contend"), 1, 0, "running", &err), 0);
	CU_ASSERT_EQUAL_FATAL(run_open(scratch_path(dir, "killed.contend"), &r, &err), 0);
	CU_ASSERT_EQUAL(r.needs_recovery, 1);
	CU_ASSERT_STRING_EQUAL(run_text(&r, "ended", "?"), "running");
	run_release(&r);
}

static void fails(const char *path, const char *words)
{
	struct run r = {.needs_recovery = 7};

	CU_ASSERT_EQUAL(run_open(path, &r, &err), -1);
	CU_ASSERT_EQUAL(r.needs_recovery, 7);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, words));
	if (!strstr(err.text, words))
		fprintf(stderr, "\"%s\" does not say \"%s\"\n", err.text, words);
}

static void test_run_says_what_is_wrong(void)
{
	char here[4096], *empty = scratch_new();

	fails("/nowhere", "/nowhere: No such file");
	fails(empty, "no recording in it");
	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof(here)));
	CU_ASSERT_EQUAL_FATAL(chdir(empty), 0);
	fails(NULL, "contend record");
	CU_ASSERT_EQUAL(chdir(here), 0);
	scratch_store(scratch_path(empty, "a.txt"), "x", 1);
	fails(scratch_path(empty, "a.txt"), "neither a run directory nor");
	scratch_store(scratch_path(empty, "traces.otf2"), "x", 1);
	scratch_store(scratch_path(empty, "run.json"), "{ \"schema\": ", 12);
	fails(empty, "run.json: line 1");
	scratch_store(scratch_path(empty, "run.json"), "{\"schema\":\"contend-run/9\"}", 26);
	fails(empty, "contend-run/9, expected contend-run/1");
	scratch_store(scratch_path(empty, "run.json"), "[]", 2);
	fails(empty, "schema missing");
	scratch_free(empty);
}

/* What one may not look into is not empty. Root may look into everything: be nobody then. */
static void test_run_says_what_may_not_be_read(void)
{
	char *locked = scratch_new();
	struct run r;
	int status = -1;
	pid_t child;

	CU_ASSERT_EQUAL_FATAL(chmod(locked, 0), 0);
	child = fork();
	if (!child) {
		if (!geteuid() && setresuid(65534, 65534, 65534))
			_exit(2);
		_exit(!(run_open(locked, &r, &err) && strstr(err.text, "Permission denied")));
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	chmod(locked, 0700);
	scratch_free(locked);
}

/* EZTrace and Score-P make a folder of their own in the one that they are told. */
static void test_run_of_the_only_folder(void)
{
	char *outer = scratch_new();
	struct run r;

	mkdir(scratch_path(outer, "a"), 0777);
	mkdir(scratch_path(outer, "b"), 0777);
	fails(outer, "no recording in it");
	scratch_store(scratch_path(outer, "a/eztrace_log.otf2"), "x", 1);
	CU_ASSERT_EQUAL(symlink("a", scratch_path(outer, "latest")), 0);
	CU_ASSERT_EQUAL_FATAL(run_open(outer, &r, &err), 0);
	CU_ASSERT_STRING_EQUAL(r.dir, scratch_path(outer, "a"));
	run_release(&r);
	scratch_store(scratch_path(outer, "b/traces.otf2"), "x", 1);
	fails(outer, "recordings in 2 folders");
	fails(outer, "such as ");
	scratch_free(outer);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_run_fields),
	SUITE_CASE(test_run_newest_here),
	SUITE_CASE(test_run_foreign_archive),
	SUITE_CASE(test_run_of_the_only_folder),
	SUITE_CASE(test_run_archive_inside_a_run),
	SUITE_CASE(test_run_killed_needs_recovery),
	SUITE_CASE(test_run_says_what_is_wrong),
	SUITE_CASE(test_run_says_what_may_not_be_read),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return in_scratch_run("run", tests);
}
