/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interpose/log.h"
#include "interpose/log_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int main(void)
{
	CU_TestInfo tests[] = {
		{"keeps_every_record", test_log_keeps_every_record},
		{"goes_on_in_its_tail", test_log_goes_on_in_its_tail},
		{"totals_are_never_lost", test_log_totals_are_never_lost},
		{"never_opens_an_earlier_one", test_log_never_opens_an_earlier_one},
		{"view_refuses_other_files", test_log_view_refuses_other_files},
		{"view_survives_truncation", test_log_view_survives_truncation},
		CU_TEST_INFO_NULL,
	};

	snprintf(path, sizeof(path), "/tmp/test_log.%d", (int)getpid());
	return suite_run("log", tests);
}
