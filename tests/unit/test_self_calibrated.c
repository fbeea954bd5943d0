/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The attribution of the scenarios whose truth is known to the ns (tests/traces/mkscenario.h), of
 * which the machine is estimated from the trace itself: every part of the messages' time is within
 * its interval.
 */
#include "analyze/attribution/attribution.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/traces/mkscenario.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDING 0.01 /* of all messages' time: single ns, and clocks of different rates */

struct played {
	struct mkoutcome out;
	struct clock_quality clock;
	struct machine machine;
	struct attribution a;
};

static struct played play(const char *scenario, uint32_t ranks)
{
	char *dir = scratch_new();
	struct collectives collectives;
	struct messages m;
	struct played p;
	struct trace t;
	struct err err;

	CU_ASSERT_FATAL(!mkscenario_write(scenario, dir, ranks, &p.out, &err));
	CU_ASSERT_FATAL(!trace_read(dir, &t, &err) && !messages_match(&t, &m, &err));
	CU_ASSERT_FATAL(!collectives_match(&t, &collectives, &err));
	CU_ASSERT_FATAL(!clock_align(&t, &m, &collectives, NULL, &p.clock, &err));
	CU_ASSERT_FATAL(!machine_from_trace(&t, &m, &p.machine, &err));
	CU_ASSERT_FATAL(!attribution_run(&t, &m, &collectives, &p.machine, &p.clock, &p.a, &err));
	collectives_release(&collectives);
	messages_release(&m);
	trace_release(&t);
	scratch_free(dir);
	return p;
}

static void release(struct played *p)
{
	attribution_release(&p->a);
	machine_release(&p->machine);
	free(p->out.fates);
}

static void covers(const char *scenario, uint32_t ranks)
{
	struct played p = play(scenario, ranks);
	double total = (double)p.a.blame.total_ns;

	for (int c = 0; c < COST_COUNT; c++) {
		const struct part *said = &p.a.blame.parts[c];
		double truth = 0, spare = ROUNDING * total;
		int is_covered;

		for (size_t i = 0; i < p.out.n; i++)
			truth += (double)p.out.fates[i].ns[c];
		is_covered = (double)said->low_ns - spare <= truth &&
			     truth <= (double)said->high_ns + spare;
		CU_ASSERT(is_covered);
		if (!is_covered || (getenv("VERBOSE") && (truth > 0 || said->high_ns > 0)))
			printf("%s%s of %u: %s is %.1f %%, said %.1f [%.1f, %.1f]\n",
			       is_covered ? "" : "WRONG ", scenario, ranks, cost_rows[c].name,
			       100 * truth / total, 100 * (double)said->ns / total,
			       100 * (double)said->low_ns / total,
			       100 * (double)said->high_ns / total);
	}
	release(&p);
}

static void all_cover(size_t n, const char *const scenarios[n])
{
	static const uint32_t ranks[] = {2, 4, 7, 12, 24};

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof(ranks) / sizeof(*ranks); k++)
			covers(scenarios[i], ranks[k]);
}

static void test_self_calibrated_covers_the_truth(void)
{
	static const char *const scenarios[] = {"quiet",           "late-sender",   "late-receiver",
						"inattention",     "shared-uplink", "back-pressure",
						"oversubscription"};

	all_cover(sizeof(scenarios) / sizeof(*scenarios), scenarios);
}

/* Where many crowd one port, and acknowledgements come back. */
static void test_self_calibrated_in_crowds(void)
{
	static const char *const scenarios[] = {"incast", "order-hotspot", "order-random"};

	all_cover(sizeof(scenarios) / sizeof(*scenarios), scenarios);
}

/* What the clocks leave open is in the machine that is estimated by them. */
static void test_self_calibrated_by_clocks_that_drift(void)
{
	static const char *const scenarios[] = {"drifted-clocks", "bent-clocks"};

	all_cover(sizeof(scenarios) / sizeof(*scenarios), scenarios);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_self_calibrated_covers_the_truth),
	SUITE_CASE(test_self_calibrated_in_crowds),
	SUITE_CASE(test_self_calibrated_by_clocks_that_drift),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("self_calibrated", tests);
}
