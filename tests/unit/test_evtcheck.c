/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/evtcheck.h"

#include "tests/fixtures/in_scratch.h"
#include "tests/traces/mktrace.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK     (256U << 10)
#define DEF_CHUNK (4U << 20)

static struct err err;
static struct evtcheck out;

/* An event file of several chunks: calls of 3 events each, some with call sites. */
static uint64_t write_archive(uint32_t calls)
{
	struct mktrace *m = mktrace_new(dir, 1, &err);
	struct mkop send = {.kind = OP_SEND, .peer = 0, .tag = 7, .bytes = 1 << 20};
	uint64_t events;
	uint32_t i;

	mktrace_chunk(m, CHUNK);
	for (i = 0; i < calls; i++)
		mktrace_call(m, 0, (struct mkspan){10 * i, 10 * i + 5}, "MPI_Send",
			     i % 3 ? "/a:-+0x1" : NULL, 1, &send);
	events = mktrace_events(m);
	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	return events;
}

static int check_cut(const unsigned char *bytes, size_t n)
{
	const char *path = scratch_path(dir, "cut.evt");

	scratch_store(path, bytes, n);
	return evtcheck_file(path, EVTCHECK_EVENTS, CHUNK, &out, &err);
}

static void test_evtcheck_counts_records_of_whole_files(void)
{
	uint64_t events = write_archive(30000);

	CU_ASSERT_EQUAL(evtcheck_file(scratch_path(dir, "traces/0.evt"), EVTCHECK_EVENTS, CHUNK,
				      &out, &err),
			0);
	CU_ASSERT_EQUAL(out.records, events);
	CU_ASSERT(out.chunks > 3);
	CU_ASSERT_EQUAL(evtcheck_file(scratch_path(dir, "traces/0.def"), EVTCHECK_DEFINITIONS,
				      DEF_CHUNK, &out, &err),
			0);
	CU_ASSERT_EQUAL(out.records, 0);
	CU_ASSERT_EQUAL(evtcheck_file(scratch_path(dir, "traces.def"), EVTCHECK_DEFINITIONS,
				      DEF_CHUNK, &out, &err),
			0);
	CU_ASSERT(out.records > 10);
}

static void test_evtcheck_finds_every_cut(void)
{
	size_t n, at;
	uint64_t all, before = 0;
	unsigned char *bytes = scratch_load(scratch_path(dir, "traces/0.evt"), &n);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	/* the last byte, end of buffer, is the only one that may be missing */
	CU_ASSERT_EQUAL(check_cut(bytes, n), 0);
	all = out.records;
	for (at = 0; at < n - 1; at = at < 600 ? at + 1 : at + 4099) {
		CU_ASSERT_EQUAL(check_cut(bytes, at), -1);
		CU_ASSERT_EQUAL(out.end, EVTCHECK_CUT);
		CU_ASSERT(out.records >= before && out.records <= all);
		before = out.records;
		CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "ends early"));
	}
	for (at = CHUNK; at < n; at += CHUNK)
		CU_ASSERT_EQUAL(check_cut(bytes, at), -1);
	free(bytes);
}

static void test_evtcheck_rejects_damaged_headers(void)
{
	size_t n, at;
	unsigned char *bytes = scratch_load(scratch_path(dir, "traces/0.evt"), &n);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	for (at = 0; at < 18; at++) {
		bytes[CHUNK + at] ^= 0x40;
		CU_ASSERT_EQUAL(check_cut(bytes, n), -1);
		CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "damaged"));
		bytes[CHUNK + at] ^= 0x40;
	}
	free(bytes);
}

static void test_evtcheck_survives_any_byte(void)
{
	size_t n;
	unsigned char *bytes = scratch_load(scratch_path(dir, "traces/0.evt"), &n);
	unsigned i;

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	srand(1);
	for (i = 0; i < 500; i++) {
		size_t at = (size_t)rand() % n;
		unsigned char was = bytes[at];

		bytes[at] = (unsigned char)rand();
		check_cut(bytes, n); /* either answer is fine, it has to come back */
		bytes[at] = was;
	}
	free(bytes);
}

static void test_evtcheck_anchor_with_impossible_numbers(void)
{
	const char *path = scratch_path(dir, "traces.otf2");
	size_t n;
	unsigned char *bytes = scratch_load(path, &n);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	CU_ASSERT_EQUAL(evtcheck_anchor(path, &err), 0);
	bytes[52] = 0x7f; /* two billion properties */
	scratch_store(path, bytes, n);
	CU_ASSERT_EQUAL(evtcheck_anchor(path, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "damaged"));
	bytes[7] = 0x73; /* and of a format to come */
	scratch_store(path, bytes, n);
	CU_ASSERT_EQUAL(evtcheck_anchor(path, &err), -1);
	bytes[7] = 3;
	bytes[52] = 0;
	bytes[3] = 'x';
	scratch_store(path, bytes, n);
	CU_ASSERT_EQUAL(evtcheck_anchor(path, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "not an OTF2 archive"));
	bytes[3] = 'T';
	bytes[28] = 2; /* OTF2_SUBSTRATE_SION */
	scratch_store(path, bytes, n);
	CU_ASSERT_EQUAL(evtcheck_anchor(path, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "SION"));
	bytes[28] = 1;
	scratch_store(path, bytes, 47);
	CU_ASSERT_EQUAL(evtcheck_anchor(path, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "ends early"));
	scratch_store(path, bytes, n);
	free(bytes);
}

static void test_evtcheck_says_what_is_wrong(void)
{
	CU_ASSERT_EQUAL(evtcheck_file("/nowhere/0.evt", EVTCHECK_EVENTS, CHUNK, &out, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/nowhere/0.evt"));
	CU_ASSERT_EQUAL(check_cut((const unsigned char *)"", 0), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "ends early, after 0 records"));
	CU_ASSERT_EQUAL(check_cut((const unsigned char *)"not an event file at all", 24), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "damaged"));
	CU_ASSERT_EQUAL(evtcheck_file(scratch_path(dir, "cut.evt"), EVTCHECK_EVENTS, 1ULL << 60,
				      &out, &err),
			-1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "anchor"));
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_evtcheck_counts_records_of_whole_files),
	SUITE_CASE(test_evtcheck_finds_every_cut),
	SUITE_CASE(test_evtcheck_rejects_damaged_headers),
	SUITE_CASE(test_evtcheck_survives_any_byte),
	SUITE_CASE(test_evtcheck_anchor_with_impossible_numbers),
	SUITE_CASE(test_evtcheck_says_what_is_wrong),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return in_scratch_run("evtcheck", tests);
}
