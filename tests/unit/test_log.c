/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interpose/log/log.h"
#include "interpose/log/log_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"

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

	l->header->anchor[1].tick = UINT64_C(1000000007) * n;
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

/* The log whose file holds these bytes, open. How many records come before what is not whole? */
static uint32_t read_changed(struct log_view *v, const unsigned char *image, size_t bytes)
{
	struct err err;

	scratch_store(path, image, bytes);
	CU_ASSERT_FATAL(log_view_open(v, path, &err) == 0);
	return count_in_order(v);
}

static unsigned char *make_image(uint32_t n, size_t *bytes)
{
	struct log l;
	struct err err;

	unlink(path);
	CU_ASSERT_FATAL(log_create(&l, path, &err) == 0);
	append(&l, n);
	log_close(&l);
	return (unsigned char *)scratch_load(path, bytes);
}

/* A file that ends early loses its end and nothing before it, and says so. */
static void test_log_view_survives_truncation(void)
{
	const uint32_t all = 50000;
	struct log_view v = {0};
	uint32_t n, before = 0;
	size_t whole, bytes, i;
	unsigned char *image = make_image(all, &whole);
	char text[100], wanted[60];

	CU_ASSERT_FATAL(image && whole > LOG_DATA_BYTES + 100000);
	for (bytes = LOG_HEADER_BYTES; bytes < whole; bytes += 4999) {
		n = read_changed(&v, image, bytes);
		CU_ASSERT(n < all && n >= before);
		CU_ASSERT_EQUAL(v.lack, LOG_LACKS_END);
		snprintf(wanted, sizeof(wanted), "ends after %zu bytes, in part ", bytes);
		log_view_lack_text(&v, sizeof(text), text);
		CU_ASSERT(!strncmp(text, wanted, strlen(wanted)));
		before = n;
		/* the last records come first in the file: they are there, behind what is not */
		i = 0;
		while (log_view_next(&v, &i))
			;
		CU_ASSERT_EQUAL(log_view_resume(&v, &i), bytes > LOG_HEADER_BYTES + 64);
		log_view_close(&v);
	}
	CU_ASSERT(before > all / 2);
	CU_ASSERT_EQUAL(read_changed(&v, image, whole), all);
	CU_ASSERT_EQUAL(v.lack, LOG_LACKS_NOTHING);
	log_view_close(&v);
	free(image);
	unlink(path);
}

/* What nobody had written yet cannot be lost. */
static void test_log_view_knows_what_was_not_in_use(void)
{
	struct log_view v = {0};
	size_t whole, used = LOG_HEADER_BYTES + 64 * (1 + 50), bytes;
	unsigned char *image = make_image(50, &whole);

	CU_ASSERT_FATAL(image && whole == LOG_DATA_BYTES);
	for (bytes = used - 640; bytes <= used + 640; bytes += 32) {
		uint32_t n = read_changed(&v, image, bytes);

		CU_ASSERT_EQUAL(n, bytes < used ? (bytes - LOG_HEADER_BYTES) / 64 - 1 : 50);
		CU_ASSERT_EQUAL(v.lack, bytes < used + 64 ? LOG_LACKS_END : LOG_LACKS_NOTHING);
		log_view_close(&v);
	}
	free(image);
	unlink(path);
}

/* One changed byte in what is squeezed: all before its chunk is read, and it is noticed. */
static void test_log_view_notices_every_changed_chunk(void)
{
	const uint32_t all = 30000;
	struct log_view v = {0};
	uint32_t n, before = 0;
	size_t whole, at;
	unsigned char *image = make_image(all, &whole);
	const struct log_header *header = (const void *)image;

	CU_ASSERT_FATAL(image && header->written && header->flushed > header->written);
	for (at = LOG_DATA_BYTES; at < whole; at += 1 + at % 997) {
		image[at] ^= (unsigned char)(1u << at % 8);
		n = read_changed(&v, image, whole);
		image[at] ^= (unsigned char)(1u << at % 8);
		CU_ASSERT(n < all && n >= before);
		CU_ASSERT_NOT_EQUAL(v.lack, LOG_LACKS_NOTHING);
		log_view_close(&v);
		before = n;
	}
	for (at = LOG_GATHER_AT; at < LOG_GATHER_AT + 1000; at += 13) {
		image[at] ^= 16;
		n = read_changed(&v, image, whole);
		image[at] ^= 16;
		CU_ASSERT(n < all && n >= before);
		CU_ASSERT_EQUAL(v.lack, LOG_LACKS_CHANGED);
		log_view_close(&v);
	}
	free(image);
	unlink(path);
}

/* A log of which nothing is squeezed yet, with a time in one record that no clock showed. */
static void test_log_view_notices_times_that_cannot_be(void)
{
	struct log_view v = {0};
	size_t whole;
	unsigned char *image = make_image(50, &whole);
	struct record *r, was;
	struct err err;

	CU_ASSERT_FATAL(image != NULL);
	r = (void *)(image + LOG_HEADER_BYTES + 64 * (1 + 30));
	CU_ASSERT_EQUAL_FATAL(r->kind, RECORD_SEND);
	uint64_t *const times[] = {&r->enter, &r->leave, &r->bytes_in};

	r->kind = RECORD_TEST_FAILED; /* its last poll's time is in bytes_in */
	was = *r;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		*times[i] = UINT64_C(1) << 60;
		scratch_store(path, image, whole);
		*r = was;
		CU_ASSERT_FATAL(log_view_open(&v, path, &err) == 0);
		CU_ASSERT_EQUAL(v.lack, LOG_LACKS_CHANGED);
		log_view_close(&v);
	}
	free(image);
	unlink(path);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_log_keeps_every_record),
		SUITE_CASE(test_log_goes_on_in_its_tail),
		SUITE_CASE(test_log_totals_are_never_lost),
		SUITE_CASE(test_log_never_opens_an_earlier_one),
		SUITE_CASE(test_log_view_refuses_other_files),
		SUITE_CASE(test_log_view_survives_truncation),
		SUITE_CASE(test_log_view_knows_what_was_not_in_use),
		SUITE_CASE(test_log_view_notices_every_changed_chunk),
		SUITE_CASE(test_log_view_notices_times_that_cannot_be),
		CU_TEST_INFO_NULL,
	};

	snprintf(path, sizeof(path), "/tmp/test_log.%d", (int)getpid());
	return suite_run("log", tests);
}
