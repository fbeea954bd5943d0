/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interpose/log.h"
#include "interpose/log_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpose/squeeze.h"
#include "tests/unit/suite.h"

static char path[64];

/* Record number i: what identifies it is spread over its fields. */
static void fill(struct record *r, uint32_t i)
{
	r->enter = UINT64_C(1000000007) * i;
	r->leave = r->enter + 17;
	r->request = i;
	r->bytes = i % 7 ? 4096 : UINT64_C(1) << 40;
	r->peer = (int32_t)(i % 5) - 1;
	r->call = (uint16_t)(i % 23);
	r->kind = RECORD_SEND;
}

static int is_filled(const struct record *r, uint32_t i)
{
	struct record expected = {0};

	fill(&expected, i);
	return !memcmp(r, &expected, sizeof(expected));
}

#define NOISE_FROM 60000 /* records whose chunks cannot be squeezed to what is gathered */
#define NOISE_TO   80000

/* Every 100th is a definition of three units, of noise every second one of seven. */
static size_t units_of(uint32_t i)
{
	if (i >= NOISE_FROM && i < NOISE_TO)
		return i % 2 ? 7 : 1;
	return i % 100 == 99 ? 3 : 1;
}

/* What follows such a definition. */
static void fill_payload(uint64_t *words, size_t n, uint32_t i)
{
	for (size_t k = 0; k < n; k++)
		words[k] = i < NOISE_FROM
				   ? UINT64_C(0xa5a5a5a5a5a5a5a5)
				   : (i * UINT64_C(31) + k + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static int is_definition(const struct record *r, uint32_t i)
{
	size_t units = units_of(i) - 1;
	uint64_t expected[6 * sizeof(*r) / sizeof(uint64_t)];

	fill_payload(expected, units * sizeof(*r) / sizeof(*expected), i);
	return r->kind == RECORD_DEF_SITE && r->site == i && r->aux == units &&
	       !memcmp(r + 1, expected, units * sizeof(*r));
}

/* Append n records as the recorder does. */
static void append(struct log *l, uint32_t n)
{
	struct err err;

	for (uint32_t i = 0; i < n; i++) {
		size_t units = units_of(i);

		if ((size_t)(l->end - l->next) < units)
			CU_ASSERT_FATAL(log_grow(l, units, &err) == 0);
		if (units == 1) {
			fill(l->next, i);
		} else {
			fill_payload((uint64_t *)(l->next + 1),
				     (units - 1) * sizeof(struct record) / sizeof(uint64_t), i);
			l->next->aux = (uint32_t)units - 1;
			l->next->site = i;
			l->next->kind = RECORD_DEF_SITE;
		}
		l->next += units;
	}
}

/* How many records there are; each is the one that belongs there. */
static uint32_t count_in_order(struct log_view *v)
{
	const struct record *r;
	size_t at = 0;
	uint32_t i = 0;

	for (; (r = log_view_next(v, &at)); i++)
		CU_ASSERT_FATAL(units_of(i) > 1 ? is_definition(r, i) : is_filled(r, i));
	return i;
}

static void check(uint32_t n)
{
	struct log_view v = {0};
	struct err err;

	CU_ASSERT_FATAL(log_view_open(&v, path, &err) == 0);
	CU_ASSERT_EQUAL(count_in_order(&v), n);
	log_view_close(&v);
}

static void round_trip(uint32_t n)
{
	struct log l;
	struct err err;

	unlink(path);
	CU_ASSERT_FATAL(log_create(&l, path, &err) == 0);
	append(&l, n);
	check(n); /* as after a kill: nothing closed, nothing flushed */
	log_close(&l);
	check(n);
	unlink(path);
}

static void test_log_keeps_every_record(void)
{
	static const uint32_t sizes[] = {0,    1,    99,   100,   2000,  2040,
					 4000, 4100, 6000, 10000, 50000, 123456};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		round_trip(sizes[i]);
}

/* Where no chunk fits any more the halves stay, and the tail follows them. */
static void test_log_goes_on_in_its_tail(void)
{
	uint64_t left = 0;
	struct log l;
	struct err err;
	uint32_t n = 2 * (LOG_HALF_UNITS - 1), i;

	CU_ASSERT_FATAL(log_create(&l, path, &err) == 0);
	l.left = &left;
	for (i = 0; i < n; i++) {
		if (l.next == l.end)
			CU_ASSERT_FATAL(log_grow(&l, 1, &err) == 0);
		fill(l.next++, i);
	}
	CU_ASSERT_EQUAL(log_grow(&l, 1, &err), -1);
	CU_ASSERT(l.at_limit);
	CU_ASSERT(!log_is_in_tail(&l));
	log_begin_tail(&l);
	CU_ASSERT(log_is_in_tail(&l));
	for (; l.next < l.end; i++)
		fill(l.next++, i);
	CU_ASSERT_EQUAL(i, n + LOG_TAIL_UNITS - LOG_TAIL_KEPT - 1);
	CU_ASSERT_EQUAL(log_grow(&l, 1, &err), -1);
	log_close(&l);

	struct log_view v = {0};
	const struct record *r;
	size_t at = 0;

	CU_ASSERT_FATAL(log_view_open(&v, path, &err) == 0);
	for (n = 0; (r = log_view_next(&v, &at)); n++)
		CU_ASSERT(is_filled(r, n));
	CU_ASSERT_EQUAL(n, i);
	log_view_close(&v);
	unlink(path);
}

/* Totals of more kinds than there are entries: those that come late share one. */
static void test_log_totals_are_never_lost(void)
{
	struct log_view v = {0};
	uint64_t sum = 0;
	struct log l;
	struct err err;

	CU_ASSERT_FATAL(log_create(&l, path, &err) == 0);
	for (uint32_t k = 0; k < 3; k++)
		for (uint32_t i = 0; i < 1000; i++)
			log_total_of(&l, (uint16_t)(i % 7), i)->calls++;
	CU_ASSERT_EQUAL(log_total_of(&l, 0, 0)->calls, 3);
	CU_ASSERT_EQUAL(log_total_of(&l, 0, 0)->site, 0);
	log_close(&l);
	CU_ASSERT_FATAL(log_view_open(&v, path, &err) == 0);
	for (int i = 0; i < LOG_TOTALS; i++)
		sum += log_view_totals(&v)[i].calls;
	CU_ASSERT_EQUAL(sum, 3000);
	CU_ASSERT_EQUAL(log_view_totals(&v)[0].calls, 3 * (1000 - (LOG_TOTALS - 1)));
	log_view_close(&v);
	unlink(path);
}

static void test_log_never_opens_an_earlier_one(void)
{
	struct log first, second;
	struct err err;

	CU_ASSERT_FATAL(log_create(&first, path, &err) == 0);
	CU_ASSERT_EQUAL(log_create(&second, path, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, path));
	log_close(&first);
	unlink(path);
}

static void test_log_view_refuses_other_files(void)
{
	struct log_view v = {0};
	struct err err;
	FILE *f = fopen(path, "w");

	CU_ASSERT_FATAL(f != NULL);
	fputs("not a log", f);
	fclose(f);
	CU_ASSERT_EQUAL(log_view_open(&v, path, &err), -1);
	CU_ASSERT_EQUAL(truncate(path, 1 << 20), 0);
	CU_ASSERT_EQUAL(log_view_open(&v, path, &err), -1);
	unlink(path);
	CU_ASSERT_EQUAL(log_view_open(&v, path, &err), -1);
}

/* A file that ends early loses its end and nothing before it. */
static void test_log_view_survives_truncation(void)
{
	struct log l;
	struct err err;
	uint32_t n, before = 50000;

	CU_ASSERT_FATAL(log_create(&l, path, &err) == 0);
	append(&l, before);
	log_close(&l);
	for (off_t bytes = LOG_DATA_BYTES + 200000; bytes >= LOG_DATA_BYTES; bytes -= 9973) {
		struct log_view v = {0};

		CU_ASSERT_FATAL(truncate(path, bytes) == 0);
		CU_ASSERT_FATAL(log_view_open(&v, path, &err) == 0);
		n = count_in_order(&v);
		CU_ASSERT(n <= before);
		before = n;
		log_view_close(&v);
	}
	unlink(path);
}

static struct squeeze_room room; /* as the test before has left it */

static void test_unsqueeze_is_the_reverse(void)
{
	struct record *in = calloc(2000, sizeof(*in)), *out = calloc(2000, sizeof(*out));
	unsigned char *bytes = malloc(2000 * SQUEEZE_UNIT_MAX);
	size_t n;

	srand(7);
	for (size_t i = 0; i < 2000 * sizeof(*in); i++)
		if (rand() % 3 == 0)
			((unsigned char *)in)[i] = (unsigned char)rand();
	n = squeeze(2000, in, &room, bytes);
	CU_ASSERT_FATAL(n <= 2000 * SQUEEZE_UNIT_MAX);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, 2000, out), 0);
	CU_ASSERT_EQUAL(memcmp(in, out, 2000 * sizeof(*in)), 0);
	CU_ASSERT_EQUAL(unsqueeze(n - 1, bytes, 2000, out), -1);
	CU_ASSERT_EQUAL(unsqueeze(0, bytes, 1, out), -1);
	free(bytes);
	free(out);
	free(in);
}

/* Lists of ranks, some not in the world: their units are squeezed as if they had times. */
static void test_squeezes_lists(void)
{
	enum { N = 64, RANKS = N * (int)sizeof(struct record) / 4 };
	static union {
		int32_t rank[RANKS];
		struct record unit[N];
	} in, out;
	unsigned char *bytes = malloc(N * SQUEEZE_UNIT_MAX);
	size_t n;

	for (int i = 0; i < RANKS;
	     i++) /* -1 up to the middle of a unit's times, then 0, then ranks */
		in.rank[i] = i % 48 < 18 ? -1 : i % 48 < 32 ? 0 : i;
	n = squeeze(N, in.unit, &room, bytes);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, N, out.unit), 0);
	CU_ASSERT_EQUAL(memcmp(&in, &out, sizeof(in)), 0);
	free(bytes);
}

/* What a program does again and again, with its times in front. */
static void test_squeezes_what_repeats(void)
{
	enum { N = 2000 };
	struct record *in = calloc(N, sizeof(*in)), *out = calloc(N, sizeof(*out));
	unsigned char *bytes = malloc(N * SQUEEZE_UNIT_MAX);
	uint64_t now = UINT64_C(1) << 50;
	size_t n, i;

	for (i = 0; i < N; i++) {
		in[i] = (struct record){.kind = i % 2 ? RECORD_SEND_DONE : RECORD_ISEND,
					.request = 1 + i / 2,
					.site = (uint32_t)i % 2,
					.call = (uint16_t)(i % 2),
					.bytes = i % 2 ? 0 : 4096,
					.peer = i % 2 ? 0 : 3};
		in[i].enter = now += 100 + i % 7;
		in[i].leave = now += 40 + i % 11;
	}
	n = squeeze(N, in, &room, bytes);
	CU_ASSERT(n < 6 * N);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, N, out), 0);
	CU_ASSERT_EQUAL(memcmp(in, out, N * sizeof(*in)), 0);
	free(bytes);
	free(out);
	free(in);
}

/*
 * Loops over neighbours, the number of turns changing: what came behind the last time is not what
 * comes now; parts without times; request numbers that go past 32 bits.
 */
static void test_squeezes_loops(void)
{
	enum { N = 2000 };
	struct record *in = calloc(N, sizeof(*in)), *out = calloc(N, sizeof(*out));
	unsigned char *bytes = malloc(N * SQUEEZE_UNIT_MAX);
	uint64_t now = UINT64_C(1) << 50, request = (UINT64_C(1) << 32) - 500;
	unsigned turns = 0, turn, kind;
	size_t n, i = 0;

	while (i < N) {
		turns = turns % 5 + 1;
		for (kind = 0; kind < 3; kind++) {
			for (turn = 0; turn < turns && i < N; turn++, i++) {
				in[i] = (struct record){.kind = (uint8_t)(RECORD_ISEND + kind),
							.request = request + turn,
							.site = kind,
							.flags = kind == 2 && turn,
							.peer = (int)turn * 3,
							.bytes = turns == 4 ? 8 : 4096};
				if (in[i].flags)
					continue;
				in[i].enter = now += 100 + i % 7;
				in[i].leave = turns == 3 && turn == 2 ? 0 : (now += 40);
			}
			request += kind ? 0 : turns;
		}
	}
	n = squeeze(N, in, &room, bytes);
	CU_ASSERT(n < 13 * N);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, N, out), 0);
	CU_ASSERT_EQUAL(memcmp(in, out, N * sizeof(*in)), 0);
	free(bytes);
	free(out);
	free(in);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"keeps_every_record", test_log_keeps_every_record},
		{"goes_on_in_its_tail", test_log_goes_on_in_its_tail},
		{"totals_are_never_lost", test_log_totals_are_never_lost},
		{"never_opens_an_earlier_one", test_log_never_opens_an_earlier_one},
		{"view_refuses_other_files", test_log_view_refuses_other_files},
		{"view_survives_truncation", test_log_view_survives_truncation},
		{"unsqueeze_is_the_reverse", test_unsqueeze_is_the_reverse},
		{"squeezes_lists", test_squeezes_lists},
		{"squeezes_what_repeats", test_squeezes_what_repeats},
		{"squeezes_loops", test_squeezes_loops},
		CU_TEST_INFO_NULL,
	};

	snprintf(path, sizeof(path), "/tmp/test_log.%d", (int)getpid());
	return suite_run("log", tests);
}
