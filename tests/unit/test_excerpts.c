/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Some rows of a large table stand for all. */
#include "analyze/tools/excerpts.h"

#include "analyze/machine/machine_fit.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"

#define US    1000
#define TABLE 1000000
#define MANY  600000 /* messages, of which not all are looked at */

/* Of a small table all rows, in one piece. */
static void test_excerpts_of_few_are_all(void)
{
	struct excerpts x = excerpts_of(1000, 1000);
	struct excerpt e;

	CU_ASSERT_EQUAL(x.every, 2); /* not fewer than enough: */
	x = excerpts_of(999, 1000);
	CU_ASSERT_EQUAL(x.every, 1);
	e = excerpts_next(x, 300, 900);
	CU_ASSERT_EQUAL(e.from, 300);
	CU_ASSERT_EQUAL(e.to, 900);
	e = excerpts_next(x, e.to, 900);
	CU_ASSERT_EQUAL(e.from, e.to);
	CU_ASSERT(excerpts_has(x, 899));
}

/*
 * Part by part the same rows as in one go, about as many as are enough, none far from all others.
 */
static void test_excerpts_of_parts_are_those_of_the_whole(void)
{
	struct excerpts x = excerpts_of(TABLE, TABLE / 7);
	uint32_t seen = 0, last = 0, farthest = 0;

	for (uint32_t part = 0; part < TABLE; part += 1700) {
		uint32_t end = part + 1700 < TABLE ? part + 1700 : TABLE;

		for (struct excerpt e = excerpts_next(x, part, end); e.from < e.to;
		     e = excerpts_next(x, e.to, end)) {
			CU_ASSERT_FATAL(e.from >= part && e.to <= end && e.from >= last);
			farthest = e.from - last > farthest ? e.from - last : farthest;
			for (last = e.from; last < e.to; last++)
				seen += excerpts_has(x, last) != 0;
			seen -= !excerpts_has(x, e.from);
		}
	}
	CU_ASSERT(seen >= TABLE / 8 && seen <= TABLE / 7);
	CU_ASSERT(farthest <= 8 * EXCERPT_ROWS);
}

/*
 * Messages to a waiting receiver, 10 us + 2 us + 1 ns a byte and noise. One in so many is large and
 * leaves early.
 */
static struct machine machine_of(int messages, int rare)
{
	uint64_t seed = 1;
	int64_t at = 0;
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 2, 1);
	for (int k = 0; k < messages; k++, at += 500 * US) {
		int is_rare = k % rare == rare - 1;
		uint64_t bytes = is_rare ? 100000 : 1u << (4 + k % 10);
		int64_t took =
			12 * US + bytes + exchange_draw(&seed, 3) * exchange_draw(&seed, 3000);
		int64_t asked = is_rare ? at + 200 * US : at - 5 * US;
		uint32_t s = tables_call(&x, 0, REGION_SEND, at, at + US, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, asked, asked + 10 * US + took, 1);

		tables_message(&x, bytes, s, s, r, r);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	tables_release(&x);
	return m;
}

static void test_machine_of_very_many_is_that_of_few(void)
{
	struct machine few = machine_of(10000, 1000), many = machine_of(MANY, MANY / 3);
	const struct machine_class *f = &few.classes[LOCALITY_NETWORK];
	const struct machine_class *m = &many.classes[LOCALITY_NETWORK];

	CU_ASSERT(m->samples < MANY / 2);
	CU_ASSERT_EQUAL_FATAL(m->n, f->n);
	for (uint32_t k = 0; k < f->n; k++) {
		double time = machine_latency_s(f, f->points[k].bytes) + f->points[k].g_s;

		CU_ASSERT_DOUBLE_EQUAL(machine_latency_s(m, m->points[k].bytes) + m->points[k].g_s,
				       time, 0.03 * time);
		CU_ASSERT_DOUBLE_EQUAL(m->points[k].o_s_s, f->points[k].o_s_s, 1e-8);
	}
	/* of the three large ones no excerpt has any: seen all the same */
	CU_ASSERT_EQUAL(f->eager_bytes, 100000);
	CU_ASSERT_EQUAL(m->eager_bytes, 100000);
	machine_release(&many);
	machine_release(&few);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_excerpts_of_few_are_all),
	SUITE_CASE(test_excerpts_of_parts_are_those_of_the_whole),
	SUITE_CASE(test_machine_of_very_many_is_that_of_few),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("excerpts", tests);
}
