/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion.h"

#include "tests/unit/exchange.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 8
#define BYTES 10000

static struct err err;

/* A total exchange on hosts of so many ranks; what the model says of it. */
static struct opinion ask(const char *model, uint32_t per_host, struct machine machine)
{
	const struct exchange e = {RANKS,        10,     1,     EXCHANGE_STAGGERED,
				   REGION_ISEND, BYTES,  10000, 1000,
				   20000,        100000, 1};
	static const struct clock_quality one_clock;
	struct opinion found = {.name = NULL};
	struct patterns patterns;
	struct attribution a;
	struct opinions all;
	struct phases phases;
	struct tables x;

	exchange_make(&x, &e);
	x.trace.nodes = (RANKS + per_host - 1) / per_host;
	for (uint32_t r = 0; r < RANKS; r++) {
		x.trace.ranks[r].node = r / per_host;
		snprintf(x.trace.ranks[r].host, 6, "host%u", r / per_host);
	}
	CU_ASSERT_EQUAL_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &machine,
					      &one_clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(phases_find(&x.trace, &x.collectives, &phases, &err), 0);
	CU_ASSERT_EQUAL_FATAL(patterns_find(&x.trace, &x.messages, &phases, &patterns, &err), 0);
	CU_ASSERT_EQUAL_FATAL(opinions_find(&(struct evidence_base){.t = &x.trace,
								    .m = &x.messages,
								    .c = &x.collectives,
								    .machine = &machine,
								    .a = &a},
					    &phases, &patterns, &all, &err),
			      0);
	for (uint32_t k = 0; k < all.n && !found.name; k++)
		if (!strcmp(all.o[k].name, model))
			found = all.o[k];
	CU_ASSERT_PTR_NOT_NULL_FATAL(found.name);
	opinions_release(&all);
	patterns_release(&patterns);
	phases_release(&phases);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&machine);
	return found;
}

static struct machine rated(int has_rate)
{
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);

	m.has_rate = has_rate;
	m.rate = (struct max_rate){30e-6, 1e9, 4e8, 4e8};
	return m;
}

/* Four ranks of a node get 1 GB/s together, less than 4 times 0.4. */
static void test_opinion_max_rate_of_full_nodes(void)
{
	struct opinion o = ask("max-rate", 4, rated(1));

	CU_ASSERT_EQUAL(o.valid, 1);
	CU_ASSERT_STRING_EQUAL(o.predicted.v[0].key, "message_s");
	CU_ASSERT_DOUBLE_EQUAL(o.predicted.v[0].value, 30e-6 + 4 * BYTES / 1e9, 1e-9);
	CU_ASSERT_EQUAL(o.measured.n, 1);
	CU_ASSERT(o.measured.v[0].value > 0);
}

static void test_opinion_max_rate_says_why_not(void)
{
	static const struct {
		uint32_t per_host;
		int has_rate;
		const char *why;
	} rows[] = {
		{RANKS, 1, "all ranks are on one node"},
		{1, 1, "a node of its own"},
		{4, 0, "is not known"},
		{RANKS - 1, 1, "stay on a node"},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct opinion o = ask("max-rate", rows[k].per_host, rated(rows[k].has_rate));

		CU_ASSERT_EQUAL(o.valid, 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(o.why_not, rows[k].why));
		CU_ASSERT_EQUAL(o.predicted.n, 0);
	}
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_opinion_max_rate_of_full_nodes),
		SUITE_CASE(test_opinion_max_rate_says_why_not),
		CU_TEST_INFO_NULL,
	};

	return suite_run("opinion", cases);
}
