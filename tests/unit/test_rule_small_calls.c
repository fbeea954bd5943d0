/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define RANKS  4
#define ROUNDS 30
#define SITE   5
#define TAKES  (20 * US)

struct scene {
	int in_a_row;
	int64_t between_ns;
	uint64_t bytes;
	int sites;       /* by turns */
	int uneven;      /* each row is longer than the one before */
	int64_t work_ns; /* before a row */
};

/* All work, and then call so many collectives with some time between them. */
static struct hotspots find(const struct scene *s)
{
	struct machine machine = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	int64_t enter[RANKS], now = US;
	struct tables x;
	struct hotspots h;

	tables_init(&x, RANKS, 1);
	for (uint32_t r = 0; r < RANKS; r++)
		tables_call(&x, r, REGION_MPI_LOCAL, 0, US, 6);
	for (int round = 0; round < ROUNDS; round++) {
		now += s->work_ns;
		for (int k = 0; k < s->in_a_row + (s->uneven ? round : 0); k++) {
			for (uint32_t r = 0; r < RANKS; r++) /* the first one waits for one rank */
				enter[r] = now + (k == 0 && r == 0 ? 50 * US : 0);
			now += TAKES + (k == 0 ? 50 * US : 0);
			tables_collective(&x, enter, now, SITE - (uint32_t)(k % s->sites));
			now += s->between_ns;
		}
	}
	tables_finish(&x);
	for (uint32_t k = 0; k < x.collectives.n; k++)
		x.collectives.c[k].bytes = s->bytes;
	h = findings_of(&x, machine);
	tables_release(&x);
	return h;
}

static void test_rule_small_calls_in_a_row(void)
{
	struct hotspots h = find(&(struct scene){10, US, 16, 1, 0, 1000 * US});
	const struct hotspot *x = findings_one(&h, "aggregation");
	double gain_s = ROUNDS * 9 * 20e-6;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.02 * gain_s);
	CU_ASSERT(x->saves_low_s == 0 && x->saves_high_s >= x->saves_mid_s);
	CU_ASSERT_EQUAL(findings_evidence(x, "in_a_row"), 10);
	CU_ASSERT_EQUAL(findings_evidence(x, "calls"), RANKS * ROUNDS * 9);
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

/* Each rank but the last gets so many values one by one, and waits for each with a flush. */
static struct hotspots find_gets(int in_a_row, uint64_t bytes, int sites)
{
	struct tables x;
	struct hotspots h;
	uint32_t flush = TRACE_NONE;

	tables_init(&x, RANKS, 1);
	for (uint32_t r = 0; r < RANKS; r++) {
		int64_t now = US;

		tables_call(&x, r, REGION_MPI_LOCAL, 0, US, 6);
		for (int round = 0; round < ROUNDS && r + 1 < RANKS; round++) {
			now += 1000 * US;
			for (int k = 0; k < in_a_row; k++, now += TAKES + US) {
				tables_call(&x, r, REGION_MPI_LOCAL, now, now + 2 * US,
					    SITE - (uint32_t)(k % sites));
				tables_call(&x, r, REGION_WAIT, now + 3 * US, now + TAKES, 7);
			}
		}
	}
	tables_finish(&x);
	x.trace.ops = calloc(x.trace.n_calls, sizeof(*x.trace.ops));
	for (uint32_t c = 0; c < x.trace.n_calls; c++) {
		if (x.trace.calls[c].site == SITE || x.trace.calls[c].site == SITE - 1)
			x.trace.ops[x.trace.n_ops++] = (struct op){
				.kind = OP_GET, .call = c, .peer = RANKS - 1, .bytes_in = bytes};
		if (x.trace.calls[c].site == 7)
			flush = x.trace.calls[c].region;
	}
	CU_ASSERT_FATAL(flush != TRACE_NONE);
	free(x.trace.regions[flush].name);
	x.trace.regions[flush].name = strdup("MPI_Win_flush");
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	free(x.trace.ops);
	tables_release(&x);
	return h;
}

static void test_rule_small_calls_of_gets(void)
{
	struct hotspots h = find_gets(10, 8, 1), few = find_gets(4, 8, 1);
	struct hotspots large = find_gets(10, 1 << 20, 1), turns = find_gets(10, 8, 2);
	const struct hotspot *x = findings_one(&h, "aggregation");
	double gain_s = ROUNDS * 9 * 19e-6;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.02 * gain_s);
	CU_ASSERT_EQUAL(findings_evidence(x, "in_a_row"), 10);
	CU_ASSERT_EQUAL(findings_count(&few, "aggregation"), 0);
	CU_ASSERT_EQUAL(findings_count(&large, "aggregation"), 0);
	CU_ASSERT_EQUAL(findings_count(&turns, "aggregation"), 0); /* one flush for two places */
	hotspots_release(&turns);
	hotspots_release(&large);
	hotspots_release(&few);
	hotspots_release(&h);
}

static void test_rule_small_calls_is_silent(void)
{
	static const struct scene cases[] = {
		{4, US, 16, 1, 0, 1000 * US},       /* too few */
		{10, 12 * US, 16, 1, 0, 1000 * US}, /* something is computed between them */
		{10, US, 1 << 20, 1, 0, 1000 * US}, /* one of all would take as long */
		{10, US, 0, 1, 0, 1000 * US},       /* barriers: nothing to hand in */
		{10, US, 16, 3, 0, 1000 * US},      /* of several places */
		{10, US, 16, 1, 1, 1000 * US},      /* as until something has changed, */
		{10, US, 16, 1, 0, US},             /* or as long as the run goes on */
	};

	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct hotspots h = find(&cases[k]);

		CU_ASSERT_EQUAL(findings_count(&h, "aggregation"), 0);
		hotspots_release(&h);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_small_calls_in_a_row),
		SUITE_CASE(test_rule_small_calls_of_gets),
		SUITE_CASE(test_rule_small_calls_is_silent),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_small_calls", tests);
}
