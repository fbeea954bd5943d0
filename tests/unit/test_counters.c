/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters are read in the program's own calls: it must see nothing of what goes wrong there. */
#include "interpose/evidence/counters.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"

static char *scratch;

static int make_scratch(void)
{
	scratch = scratch_new();
	return 0;
}

static int remove_scratch(void)
{
	scratch_free(scratch);
	return 0;
}

static void add_file(struct counter_files *files, enum counter counter, const char *path)
{
	files->file[files->n].counter = counter;
	strcpy(files->file[files->n++].path, path);
}

/* A file that is not there, and one that opens but cannot be read. */
static void test_counters_keep_errno(void)
{
	struct counter_files files = {.n = 0};
	struct counters c;

	add_file(&files, COUNTER_NET_SENT, scratch);
	add_file(&files, COUNTER_NET_RECEIVED, "/nowhere/rx_bytes");
	errno = ENOTTY;
	counters_read(&files, &c);
	CU_ASSERT_EQUAL(errno, ENOTTY);
	CU_ASSERT(!(c.present >> COUNTER_NET_SENT & 1));
	CU_ASSERT(!(c.present >> COUNTER_NET_RECEIVED & 1));
	CU_ASSERT(c.present >> COUNTER_SWITCHES_OWN & 1);
}

/* A program that has used all of its descriptors. */
static void test_counters_without_descriptors(void)
{
	struct counter_files files = {.n = 0};
	struct rlimit before, none;
	struct counters c;

	CU_ASSERT_FATAL(!getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	CU_ASSERT_FATAL(!setrlimit(RLIMIT_NOFILE, &none));
	errno = 0;
	counters_read(&files, &c);
	CU_ASSERT_EQUAL(errno, 0);
	CU_ASSERT(!(c.present >> COUNTER_TCP_SENT & 1));
	CU_ASSERT(c.present >> COUNTER_SWITCHES_OWN & 1);
	CU_ASSERT_FATAL(!setrlimit(RLIMIT_NOFILE, &before));
}

/* Those of several ports are one counter; one of them that cannot be read adds nothing. */
static void test_counters_add_up(void)
{
	struct counter_files files = {.n = 0};
	struct counters c;

	scratch_store(scratch_path(scratch, "one"), "18446744073709551000\n", 21);
	scratch_store(scratch_path(scratch, "other"), "600\n", 4);
	add_file(&files, COUNTER_NET_DROPPED, scratch_path(scratch, "one"));
	add_file(&files, COUNTER_NET_DROPPED, scratch);
	add_file(&files, COUNTER_NET_DROPPED, scratch_path(scratch, "other"));
	counters_read(&files, &c);
	CU_ASSERT(c.present >> COUNTER_NET_DROPPED & 1);
	CU_ASSERT_EQUAL(c.value[COUNTER_NET_DROPPED], UINT64_C(18446744073709551600));
	CU_ASSERT(!(c.present >> COUNTER_IB_WAIT & 1));
	counters_read(NULL, &c); /* another process reads for this node */
	CU_ASSERT(!(c.present >> COUNTER_NET_DROPPED & 1));
	CU_ASSERT(!(c.present >> COUNTER_TCP_SENT & 1));
}

/* One that went back, as when a port is taken away and comes again, says nothing. */
static void test_counters_that_went_back(void)
{
	struct counters earlier = {.present = 1u << COUNTER_NET_SENT | 1u << COUNTER_TCP_SENT};
	struct counters later = earlier, since;

	earlier.value[COUNTER_NET_SENT] = 10;
	later.value[COUNTER_NET_SENT] = 9;
	earlier.value[COUNTER_TCP_SENT] = 5;
	later.value[COUNTER_TCP_SENT] = 7;
	later.present |= 1u << COUNTER_IB_WAIT;
	since = counters_since(&later, &earlier);
	CU_ASSERT_EQUAL(since.present, 1u << COUNTER_TCP_SENT);
	CU_ASSERT_EQUAL(since.value[COUNTER_TCP_SENT], 2);
}

/* Of the thread that asks: what it used grows while it works. */
static void test_counters_of_a_thread(void)
{
	struct counters before, after, since;
	uint64_t used = 0;

	counters_read_thread(&before);
	if (access("/proc/thread-self/schedstat", R_OK)) {
		CU_ASSERT_EQUAL(before.present, 0);
		return;
	}
	CU_ASSERT_EQUAL(before.present, 1u << COUNTER_CORE_USED | 1u << COUNTER_CORE_AWAITED);
	for (int i = 0; i < 10000 && !used; i++) {
		counters_read_thread(&after);
		since = counters_since(&after, &before);
		used = since.value[COUNTER_CORE_USED];
	}
	CU_ASSERT(used > 0);
	CU_ASSERT(used < UINT64_C(60000000000));
	counters_join(&since, &since);
	CU_ASSERT_EQUAL(since.value[COUNTER_CORE_USED], 2 * used);
}

static CU_TestInfo cases[] = {
	SUITE_CASE(test_counters_keep_errno),  SUITE_CASE(test_counters_without_descriptors),
	SUITE_CASE(test_counters_add_up),      SUITE_CASE(test_counters_that_went_back),
	SUITE_CASE(test_counters_of_a_thread), CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run_between("counters", make_scratch, remove_scratch, cases);
}
