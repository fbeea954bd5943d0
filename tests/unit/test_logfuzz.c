/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Damaged logs: bytes, fields and whole records changed in many places, files cut. Whatever they
 * hold, recovering the run ends, within seconds, with a trace that can be read and has all calls of
 * the other rank. Each attempt runs in a child of its own, so that a crash or a loop is counted and
 * named. The same attempts every time:
 *
 * FUZZ_ROUNDS=N FUZZ_SEED=S test_logfuzz   does more of it, or other ones
 */
#include "interpose/archive/recover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/reader/reader.h"
#include "analyze/run/run.h"
#include "common/options.h"
#include "common/schema.h"
#include "tests/fixtures/runlogs.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/survival.h"

#define DEFAULT_ROUNDS 200
#define CALLS          17500 /* both halves full, chunks gathered and behind the end */

static const struct runlogs whole = {2, 1, CALLS, CALLS * 1000};
static unsigned char *image; /* of rank 1's log */
static size_t image_bytes;
static uint64_t state;
static uint32_t whole_calls; /* of rank 0 */

/* A damaged size is no bug as long as the allocation fails in peace. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static uint64_t draw(uint64_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 20) % n;
}

/* Values that are likely to be at the edge of something. */
static uint64_t edge(void)
{
	static const uint64_t values[] = {0,
					  1,
					  2,
					  63,
					  0x7f,
					  0x80,
					  0xff,
					  0x7fff,
					  0xffff,
					  LOG_HALF_UNITS - 1,
					  LOG_HALF_UNITS,
					  0x7fffffff,
					  0x80000000,
					  0xffffffff,
					  INT64_MAX,
					  UINT64_C(1) << 63,
					  UINT64_MAX};
	uint64_t which = draw(sizeof(values) / sizeof(values[0]) + 1);

	return which < sizeof(values) / sizeof(values[0]) ? values[which] : draw(UINT64_MAX);
}

/* Where something is written: most often in a record, where fields are. */
static size_t place(size_t n)
{
	switch (draw(6)) {
	case 0:
		return draw(sizeof(struct log_header));
	case 1: /* the definitions come first */
		return LOG_HEADER_BYTES + 64 + draw(7 * 64);
	case 2: /* chunks behind the end, and what is squeezed in them */
		return LOG_DATA_BYTES + draw(n - LOG_DATA_BYTES);
	case 3:
		return LOG_TAIL_AT + draw(LOG_DATA_BYTES - LOG_TAIL_AT); /* and gathered ones */
	default:
		return LOG_HEADER_BYTES + draw(2 * LOG_HALF_BYTES);
	}
}

static void put(unsigned char *p, size_t n, size_t at, uint64_t value, size_t bytes)
{
	memcpy(p + at, &value, at + bytes <= n ? bytes : n - at);
}

/* One change of the n bytes at p. Returns how many bytes are left. */
static size_t change(unsigned char *p, size_t n)
{
	size_t at = place(n), from = LOG_HEADER_BYTES + 64 * draw(2 * LOG_HALF_UNITS);
	struct record *r;

	switch (draw(8)) {
	case 0:
		p[at] ^= (unsigned char)(1u << draw(8));
		break;
	case 1: /* a record becomes one of another kind, or a part */
		at = LOG_HEADER_BYTES + at % (2 * LOG_HALF_BYTES);
		r = (void *)(p + at / 64 * 64);
		r->kind = (uint8_t)draw(RECORD_KINDS + 2);
		r->flags = (uint8_t)draw(4);
		break;
	case 2: /* a record is another one's copy */
		at = LOG_HEADER_BYTES + at % (2 * LOG_HALF_BYTES);
		memmove(p + at / 64 * 64, p + from, 64);
		break;
	case 3:
		memset(p + at, draw(2) ? 0 : 0xff, n - at < 200 ? n - at : 200);
		break;
	case 4: /* the end is missing */
		return draw(4) ? n : draw(2) ? draw(n + 1) : n - draw(n - LOG_DATA_BYTES);
	case 5: /* the tail is in use */
		memmove(p + LOG_TAIL_AT, p + from, 64 * draw(LOG_TAIL_UNITS));
		break;
	default:
		put(p, n, at & ~(size_t)7, edge(), (size_t)1 << draw(4));
	}
	return n;
}

/* In the child: recover, and read what comes of it. Rank 0, whose log is whole, is in it. */
static void recover_and_read(const char *dir)
{
	struct recover_result result;
	struct err err = {""};
	struct trace t;
	struct run r;

	if (recover_run(dir, NULL, &result, &err)) {
		fprintf(stderr, "%s\n", err.text);
		_exit(2);
	}
	if (run_open(dir, &r, &err) || r.needs_recovery || !r.meta) {
		fprintf(stderr, "%s\n", err.text);
		_exit(3);
	}
	if (trace_read(r.archive, &t, &err)) {
		fprintf(stderr, "%s\n", err.text);
		_exit(4);
	}
	if (t.ranks[0].calls != whole_calls)
		_exit(5);
	trace_release(&t);
	run_release(&r);
}

/* The run in dir, whose logs are kept, with another damaged one of rank 1. */
static void attempt(const char *dir, uint64_t seed)
{
	unsigned char *p = malloc(image_bytes);
	size_t n = image_bytes, left;
	char path[500];
	uint64_t changes;
	int fine;

	CU_ASSERT_FATAL(p != NULL);
	memcpy(p, image, n);
	state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	for (changes = draw(4) ? 1 + draw(3) : 1 + draw(60); changes; changes--) {
		left = change(p, image_bytes);
		n = left < n ? left : n;
	}
	runlogs_path(path, sizeof(path), dir, 1, 0);
	unlink(path); /* file systems make sure of one that is cut and written anew */
	scratch_store(path, p, n);
	snprintf(path, sizeof(path), "%s/" SCHEMA_RUN_JSON, dir);
	unlink(path);
	fine = survival_of(recover_and_read, dir);
	if (!fine)
		fprintf(stderr, "seed %llu: not survived\n", (unsigned long long)seed);
	CU_ASSERT(fine);
	free(p);
}

/* The calls of rank 0 in the trace of the run in dir. */
static uint32_t count_calls(const char *dir)
{
	struct recover_result result;
	struct trace t;
	struct err err;
	char path[500];
	uint32_t calls;

	CU_ASSERT_FATAL(!recover_run(dir, NULL, &result, &err) && !*result.lost);
	snprintf(path, sizeof(path), "%s/" SCHEMA_ARCHIVE ".otf2", dir);
	CU_ASSERT_FATAL(!trace_read(path, &t, &err));
	calls = t.ranks[0].calls;
	trace_release(&t);
	return calls;
}

static void test_logfuzz_nothing_changed(void)
{
	char *scratch = scratch_new(), *dir = strdup(scratch_path(scratch, "run"));

	CU_ASSERT_FATAL(dir && !runlogs_make(dir, &whole));
	whole_calls = count_calls(dir);
	CU_ASSERT(whole_calls > CALLS / 2);
	free(dir);
	scratch_free(scratch);
}

static void test_logfuzz_survives(void)
{
	const char *rounds = getenv("FUZZ_ROUNDS"), *seed = getenv("FUZZ_SEED");
	uint64_t n = rounds ? strtoull(rounds, NULL, 10) : DEFAULT_ROUNDS, i;
	uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
	char *scratch = scratch_new(), *dir = strdup(scratch_path(scratch, "run")), path[500];

	CU_ASSERT_FATAL(dir && !runlogs_make(dir, &whole));
	runlogs_path(path, sizeof(path), dir, 1, 0);
	image = scratch_load(path, &image_bytes);
	CU_ASSERT_FATAL(image && image_bytes > LOG_DATA_BYTES);
	setenv(option_rows[OPTION_KEEP_LOGS].variable, "yes", 1);
	for (i = 0; i < n; i++)
		attempt(dir, first + i);
	unsetenv(option_rows[OPTION_KEEP_LOGS].variable);
	free(image);
	scratch_free(scratch);
	free(dir);
}

static CU_TestInfo cases[] = {
	SUITE_CASE(test_logfuzz_nothing_changed),
	SUITE_CASE(test_logfuzz_survives),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("logfuzz", cases);
}
