/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Damaged archives: files cut and bytes changed in many places. Whatever they hold,
 * reading and matching ends, within seconds, with an error or a sane result. Each
 * attempt runs in a child of its own, so that a crash or a loop is counted and named.
 *
 * FUZZ_ROUNDS=N FUZZ_SEED=S test_damage   does more of it
 */
#include "analyze/clock/clock.h"
#include "analyze/matching/collectives.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/survival.h"
#include "tests/traces/mkrandom.h"
#include "tests/traces/mktrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_ROUNDS 600

static struct err err;
static char *dir;

/* A damaged size is no bug as long as the allocation fails in peace. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static const char *const files[] = {"traces.otf2",  "traces.def",   "traces/0.evt",
				    "traces/1.evt", "traces/2.evt", "traces/1.def"};
#define FILES (sizeof(files) / sizeof(files[0]))

static unsigned char *whole[FILES];
static size_t whole_bytes[FILES];

/* What holds for every trace that is accepted. Ends the child if it does not. */
static void check_sane(const struct trace *t, const struct messages *m, const struct collectives *c)
{
	uint32_t i;

	for (i = 0; i < t->n_calls; i++) {
		const struct call *call = &t->calls[i];

		if (call->rank >= t->n_ranks || call->region >= t->n_regions ||
		    call->leave_ns < call->enter_ns ||
		    (call_collective(call) != TRACE_NONE && call_collective(call) >= c->n) ||
		    (call->site != TRACE_NONE && call->site >= t->n_sites))
			_exit(3);
	}
	for (i = 0; i < t->n_ops; i++) {
		if (t->ops[i].call != TRACE_NONE && t->ops[i].call >= t->n_calls)
			_exit(4);
	}
	for (i = 0; i < t->ends.n_sends; i++) {
		if (t->ends.sends[i].call >= t->n_calls)
			_exit(4);
	}
	for (i = 0; i < m->n; i++) {
		if (m->m[i].src >= t->n_ranks || m->m[i].dst >= t->n_ranks ||
		    m->m[i].send_call >= t->n_calls || m->m[i].recv_done >= t->n_calls)
			_exit(5);
	}
	if (t->wall_ns < 0 || m->by_dst[t->n_ranks] != m->n)
		_exit(6);
}

static void read_and_match(const char *archive)
{
	struct trace t;
	struct messages m;
	struct collectives c;
	struct clock_quality q;

	err.text[0] = 0;
	if (trace_read(archive, &t, &err)) {
		if (!err.text[0] || strchr(err.text, '\n'))
			_exit(2);
		return;
	}
	if (messages_match(&t, &m, &err) || collectives_match(&t, &c, &err) ||
	    clock_align(&t, &m, &c, NULL, &q, &err))
		_exit(7);
	check_sane(&t, &m, &c);
	collectives_release(&c);
	messages_release(&m);
	trace_release(&t);
}

static void attempt(size_t file, const unsigned char *bytes, size_t n, const char *what, size_t at)
{
	char *path = strdup(scratch_path(dir, files[file]));
	int fine;

	scratch_store(path, bytes, n);
	fine = survival_of(read_and_match, dir);
	if (!fine)
		fprintf(stderr, "%s: %s at byte %zu: not survived\n", files[file], what, at);
	CU_ASSERT(fine);
	scratch_store(path, whole[file], whole_bytes[file]);
	free(path);
}

static void test_damage_none_at_all(void)
{
	CU_ASSERT(survival_of(read_and_match, dir));
}

static void test_damage_by_cutting(void)
{
	size_t f, at, step;

	for (f = 0; f < FILES; f++) {
		step = whole_bytes[f] / 40 + 1;
		for (at = 0; at < whole_bytes[f]; at += step)
			attempt(f, whole[f], at, "cut", at);
	}
}

/* Change one byte, or up to eight in a row; to anything, a neighbour's value, or 0xff. */
static void change(unsigned char *bytes, size_t n, size_t at)
{
	size_t k, length = rand() % 4 ? 1 : 1 + (size_t)rand() % 8;

	for (k = at; k < at + length && k < n; k++) {
		switch (rand() % 4) {
		case 0:
			bytes[k] ^= (unsigned char)(1U << rand() % 8);
			break;
		case 1:
			bytes[k] = 0xff;
			break;
		case 2:
			bytes[k] = bytes[(size_t)rand() % n];
			break;
		default:
			bytes[k] = (unsigned char)rand();
		}
	}
}

static void test_damage_by_changing_bytes(void)
{
	const char *rounds = getenv("FUZZ_ROUNDS"), *seed = getenv("FUZZ_SEED");
	long n = rounds ? atol(rounds) : DEFAULT_ROUNDS, i;

	srand(seed ? (unsigned)atol(seed) : 1);
	for (i = 0; i < n; i++) {
		size_t f = (size_t)rand() % FILES, at = (size_t)rand() % whole_bytes[f];
		unsigned char *bytes = malloc(whole_bytes[f]);

		memcpy(bytes, whole[f], whole_bytes[f]);
		change(bytes, whole_bytes[f], at);
		attempt(f, bytes, whole_bytes[f], "changed", at);
		free(bytes);
	}
}

static int make_archive(void)
{
	struct mkrandom what = {.ranks = 3, .steps = 200, .seed = 5};
	struct mkop coll = {.kind = OP_COLL, .peer = 0, .bytes = 8};
	struct mkexpected expected;
	struct mktrace *m;
	uint32_t r;
	size_t f;

	dir = scratch_new();
	m = mktrace_new(dir, what.ranks, &err);
	mktrace_comm(m, "pair", 2, (uint32_t[]){1, 0});
	coll.comm = mktrace_comm_self(m);
	mktrace_clock_offset(m, 1, 0, 10);
	mktrace_clock_offset(m, 1, 5000, 20);
	mkrandom_write(m, &what, &expected);
	for (r = 0; r < what.ranks; r++) {
		mktrace_call(m, r, (struct mkspan){9000 + r, 9100}, "MPI_Bcast",
			     "/a:-+0x1;/b:-+0x2", 1, &coll);
		mktrace_call(m, r, (struct mkspan){9200 + r, 9300}, "MPI_Finalize", "/a:-+0x9", 0,
			     NULL);
	}
	free(expected.messages);
	if (mktrace_close(m, &err))
		return 1;
	for (f = 0; f < FILES; f++)
		whole[f] = scratch_load(scratch_path(dir, files[f]), &whole_bytes[f]);
	return 0;
}

static int remove_archive(void)
{
	size_t f;

	for (f = 0; f < FILES; f++)
		free(whole[f]);
	scratch_free(dir);
	return 0;
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_damage_none_at_all),
	SUITE_CASE(test_damage_by_cutting),
	SUITE_CASE(test_damage_by_changing_bytes),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run_between("damage", make_archive, remove_archive, tests);
}
