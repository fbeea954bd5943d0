/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finishing the trace of a job that was killed: whose logs are taken, and what an end of that
 * leaves.
 */
#include "interpose/archive/recover.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyze/reader/reader.h"
#include "analyze/run/run.h"
#include "common/options.h"
#include "interpose/log/log_seal.h"
#include "tests/fixtures/runlogs.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"

static char *scratch, *dir;

static void make(unsigned calls)
{
	scratch = scratch_new();
	dir = strdup(scratch_path(scratch, "run"));
	CU_ASSERT_FATAL(!runlogs_make(dir, &(struct runlogs){3, 1, calls, 0}));
}

static void leave(void)
{
	free(dir);
	scratch_free(scratch);
}

/* The header of a rank's log, to change it, and the log's file. */
static struct log_header *open_header(unsigned rank, int *fd)
{
	struct log_header *h;
	char path[500];

	runlogs_path(path, sizeof(path), dir, rank, 0);
	*fd = open(path, O_RDWR);
	h = mmap(NULL, sizeof(*h), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	CU_ASSERT_FATAL(h != MAP_FAILED);
	return h;
}

static void seal_header(struct log_header *h)
{
	h->seal = log_seal_header(h);
	munmap(h, sizeof(*h));
}

/* Rank 1's log becomes that of a host that gave its last sign of life then. */
static void move_to(const char *host, const char *boot_id, time_t last)
{
	struct timespec times[2] = {{last, 0}, {last, 0}};
	int fd;
	struct log_header *h = open_header(1, &fd);

	strcpy(h->host, host);
	strcpy(h->boot_id, boot_id);
	h->realtime_ns = (int64_t)last * 1000000000;
	h->pid = getpid();
	seal_header(h);
	futimens(fd, times);
	close(fd);
}

static int has_log(unsigned rank)
{
	char path[500];

	runlogs_path(path, sizeof(path), dir, rank, 0);
	return !access(path, F_OK);
}

#define OTHER_BOOT "01234567-89ab-cdef-0123-456789abcdef"

static void test_recover_leaves_another_hosts_run_alone(void)
{
	struct recover_result result;
	struct err err = {""};

	make(100);
	move_to("far.away", OTHER_BOOT, time(NULL) - 20);
	CU_ASSERT_EQUAL(recover_run(dir, NULL, &result, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "rank 1 was being recorded 2"));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "on host far.away"));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "contend recover --force"));
	CU_ASSERT(has_log(0) && has_log(1));

	/* forced: a trace, and the logs stay, as somebody may go on writing them */
	setenv(option_rows[OPTION_FORCE].variable, "yes", 1);
	CU_ASSERT_EQUAL(recover_run(dir, NULL, &result, &err), 0);
	unsetenv(option_rows[OPTION_FORCE].variable);
	CU_ASSERT_EQUAL(result.ranks, 3);
	CU_ASSERT(has_log(0) && has_log(1));
	leave();
}

static void test_recover_takes_what_was_silent_for_long(void)
{
	struct recover_result result;
	struct err err = {""};

	make(100);
	move_to("far.away", OTHER_BOOT, time(NULL) - 3600);
	CU_ASSERT_EQUAL(recover_run(dir, NULL, &result, &err), 0);
	CU_ASSERT(!has_log(0) && !has_log(1));
	leave();
}

/* The host is this one, started anew since. */
static void test_recover_knows_its_own_host_again(void)
{
	char host[64] = "";
	struct recover_result result;
	struct err err = {""};

	make(100);
	gethostname(host, sizeof(host) - 1);
	move_to(host, OTHER_BOOT, time(NULL) - 20);
	CU_ASSERT_EQUAL(recover_run(dir, NULL, &result, &err), 0);
	leave();
}

/* A job of so many ranks, of which three left logs. */
static void grow_to(uint32_t ranks)
{
	for (unsigned r = 0; r < 3; r++) {
		int fd;
		struct log_header *h = open_header(r, &fd);

		h->ranks = ranks;
		seal_header(h);
		close(fd);
	}
}

/* A record of all its ranks is larger than OTF2's smallest chunk. */
static void test_recover_of_a_job_of_many_ranks(void)
{
	struct recover_result result;
	struct trace t;
	struct err err = {""};
	char path[500];

	make(100);
	grow_to(150000);
	CU_ASSERT_EQUAL(recover_run(dir, NULL, &result, &err), 0);
	CU_ASSERT_STRING_EQUAL(err.text, "");
	snprintf(path, sizeof(path), "%s/traces.otf2", dir);
	CU_ASSERT_EQUAL_FATAL(trace_read(path, &t, &err), 0);
	CU_ASSERT_EQUAL(t.n_ranks, 150000);
	trace_release(&t);
	leave();
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Recover in a child that is killed after some time; negative: never. Returns how long it took. */
static double recover_for(double seconds)
{
	double begin = now_s();
	struct recover_result result;
	struct err err;
	int status;
	pid_t pid = fork();

	CU_ASSERT_FATAL(pid >= 0);
	if (!pid)
		_exit(recover_run(dir, NULL, &result, &err) != 0);
	if (seconds >= 0) {
		usleep((unsigned)(seconds * 1e6));
		kill(pid, SIGKILL);
	}
	waitpid(pid, &status, 0);
	return now_s() - begin;
}

/* How many calls a reader of the finished run finds. */
static uint32_t calls_in(void)
{
	struct trace t;
	struct run r;
	struct err err;
	uint32_t n;

	CU_ASSERT_FATAL(!run_open(dir, &r, &err));
	CU_ASSERT_FATAL(!r.needs_recovery && r.meta);
	CU_ASSERT_FATAL(!trace_read(r.archive, &t, &err));
	n = t.n_calls;
	trace_release(&t);
	run_release(&r);
	return n;
}

/* Whatever the first attempt left, the second one makes a whole trace of it, or finds one. */
static void test_recover_again_after_a_kill(void)
{
	uint32_t wanted = 0;
	double whole_s = 1e9, once_s; /* the least of some: a busy machine adds to it */
	unsigned i, unfinished = 0;

	for (i = 0; i < 5; i++) {
		make(12000);
		once_s = recover_for(-1);
		whole_s = once_s < whole_s ? once_s : whole_s;
		wanted = calls_in();
		CU_ASSERT(wanted > 30000);
		leave();
	}
	for (i = 0; i < 25; i++) {
		struct recover_result result;
		struct err err;
		struct run r;

		make(12000);
		recover_for(whole_s * 1.1 * i / 24);
		CU_ASSERT_FATAL(!run_open(dir, &r, &err));
		if (r.needs_recovery) {
			unfinished++;
			CU_ASSERT_EQUAL(recover_run(dir, NULL, &result, &err), 0);
		}
		run_release(&r);
		CU_ASSERT_EQUAL(calls_in(), wanted);
		leave();
	}
	CU_ASSERT(unfinished > 3); /* else nothing was interrupted */
}

/* The most memory that recovering a run of that many calls takes, bytes; the size of its events. */
static long memory_for(unsigned calls, off_t *events)
{
	struct recover_result result;
	struct rusage usage;
	struct stat st = {0};
	struct err err;
	int status = -1;
	char path[500];
	pid_t pid;

	scratch = scratch_new();
	dir = strdup(scratch_path(scratch, "run"));
	CU_ASSERT_FATAL(!runlogs_make(dir, &(struct runlogs){1, 1, calls, 0}));
	pid = fork();
	if (!pid)
		_exit(recover_run(dir, NULL, &result, &err) != 0);
	wait4(pid, &status, 0, &usage);
	CU_ASSERT_EQUAL(status, 0);
	snprintf(path, sizeof(path), "%s/traces/0.evt", dir);
	stat(path, &st);
	*events = st.st_size;
	return usage.ru_maxrss * 1024;
}

/* Events go into their file while they are made: memory grows with the mapped logs only. */
static void test_recover_of_long_logs_takes_little_memory(void)
{
	off_t few, many;
	long small = memory_for(20000, &few), large;

	leave();
	large = memory_for(2000000, &many);
	printf("%ld KiB for %ld KiB of events, %ld KiB for %ld KiB\n", small / 1024,
	       (long)few / 1024, large / 1024, (long)many / 1024);
	CU_ASSERT(many > 20 * 1024 * 1024);
	CU_ASSERT(calls_in() > 1800000);
#ifndef __SANITIZE_ADDRESS__ /* it keeps what is freed */
	CU_ASSERT(large - small < many / 4 * 3);
#endif
	leave();
}

static CU_TestInfo cases[] = {
	SUITE_CASE(test_recover_of_long_logs_takes_little_memory),
	SUITE_CASE(test_recover_leaves_another_hosts_run_alone),
	SUITE_CASE(test_recover_takes_what_was_silent_for_long),
	SUITE_CASE(test_recover_knows_its_own_host_again),
	SUITE_CASE(test_recover_of_a_job_of_many_ranks),
	SUITE_CASE(test_recover_again_after_a_kill),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("recover", cases);
}
