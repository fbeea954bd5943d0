/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far intervals reach for other launches. */
#include "calibrate/launches.h"

#include "tests/fixtures/suite.h"

#include <math.h>

/* What a launch may change is part of the interval, and all of it where nothing else is. */
static void test_launches_reach(void)
{
	struct estimate e = launches_reach((struct estimate){100, 91, 100, 9}, 0.12, INFINITY, 1);

	CU_ASSERT_DOUBLE_EQUAL(e.value, 100, 0);
	CU_ASSERT_DOUBLE_EQUAL(e.low, 85, 1e-9); /* 9 and 12 */
	CU_ASSERT_DOUBLE_EQUAL(e.high, 112, 1e-9);
	e = launches_reach((struct estimate){100, 100, 100, 9}, 0.12, INFINITY, 0.4); /* a core */
	CU_ASSERT(e.low < 40 && e.low > 35);
	CU_ASSERT_DOUBLE_EQUAL(e.high, 112, 1e-9);
	e = launches_reach((struct estimate){-100, -100, -100, 9}, 0.12, INFINITY, 1);
	CU_ASSERT_DOUBLE_EQUAL(e.low, -112, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(e.high, -88, 1e-9);
	CU_ASSERT_EQUAL(e.n, 9);
}

/* Of a link's time a launch changes little: a quarter slower is beyond the intervals. */
static void test_launches_reach_on_a_link(void)
{
	const struct estimate was = {100, 97, 103, 9}, is = {126, 123, 129, 9};
	struct estimate then = launches_reach(was, 0.12, 5, 1),
			now = launches_reach(is, 0.12, 5, 1);

	CU_ASSERT_DOUBLE_EQUAL(then.high, 100 + hypot(3, 0.6 + 95 * LAUNCHES_WIRE), 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(then.low, 100 - hypot(3, 0.6 + 95 * LAUNCHES_WIRE), 1e-9);
	CU_ASSERT(estimates_differ(now, then));
	then = launches_reach(was, 0.12, INFINITY, 1);
	now = launches_reach(is, 0.12, INFINITY, 1);
	CU_ASSERT(!estimates_differ(now, then)); /* within a node it may be the launch */
	now = launches_reach((struct estimate){-2, -2, -2, 9}, 0.12, 5, 1);
	CU_ASSERT_DOUBLE_EQUAL(now.high, -2 + 0.24, 1e-9); /* not more than all of it */
}

static void expect_not_better(struct launches other, struct launches known)
{
	CU_ASSERT(other.trip >= known.trip);
	CU_ASSERT(other.overheads >= known.overheads);
	CU_ASSERT(other.least_gap >= known.least_gap);
}

/* Each MPI by its own launches; who is not known is taken for the one that differs most. */
static void test_launches_of_an_MPI(void)
{
	const uint64_t bytes[] = {0, 64, 65, 8192, 8193, UINT64_MAX};
	size_t i;

	for (i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		struct launches open = launches_assumed("Open MPI 4.1.4", NEAR_CACHE, bytes[i]);
		struct launches mpich = launches_assumed("MPICH 4.0.2", NEAR_CACHE, bytes[i]);
		struct launches other = launches_assumed("", NEAR_CACHE, bytes[i]);

		CU_ASSERT(open.trip <= mpich.trip && mpich.trip == other.trip);
		CU_ASSERT(open.overheads < mpich.overheads);
		expect_not_better(other, open);
		expect_not_better(other, mpich);
		other = launches_assumed("", NEAR_NETWORK, bytes[i]);
		expect_not_better(other,
				  launches_assumed("Open MPI 4.1.4", NEAR_NETWORK, bytes[i]));
		expect_not_better(other, launches_assumed("MPICH 4.0.2", NEAR_NETWORK, bytes[i]));
	}
	CU_ASSERT(launches_assumed("Open MPI 4.1.4", NEAR_NETWORK, 1024).overheads <
		  launches_assumed("Open MPI 4.1.4", NEAR_NETWORK, 1025).overheads);
	CU_ASSERT(launches_assumed("Open MPI 4.1.4", NEAR_NODE, 0).trip <
		  launches_assumed("MPICH 4.0.2", NEAR_NODE, 0).trip);
}

static struct estimate sharp(double value)
{
	return (struct estimate){value, value, value, 9};
}

static struct calibrated_direction direction(void)
{
	static const uint64_t bytes[] = {0, 1024, 262144};
	static const double rtt[] = {1, 2, 20};
	struct calibrated_direction d = {.n = 3, .core_share = 1, .g0 = sharp(0.1)};
	uint32_t i;

	for (i = 0; i < d.n; i++)
		d.size[i] = (struct calibrated_size){.bytes = bytes[i],
						     .rtt = sharp(rtt[i]),
						     .o_s = sharp(0.4),
						     .o_r = sharp(0.4),
						     .expected = sharp(0.4),
						     .g = sharp(rtt[i] - 0.9)};
	return d;
}

static double reach(struct estimate e)
{
	return e.high / e.value - 1;
}

/* Each size by its own share, which is said; L by those of what it is derived from. */
static void test_launches_widen_within_a_node(void)
{
	struct calibrated_direction d = direction();
	uint32_t i;

	launches_widen(&d, "MPICH 4.0", NEAR_NODE);
	for (i = 0; i < d.n; i++) {
		const struct calibrated_size *z = &d.size[i];

		CU_ASSERT(z->launches.trip > 0 && z->launches.overheads > z->launches.trip);
		CU_ASSERT_DOUBLE_EQUAL(reach(z->rtt), z->launches.trip, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(reach(z->g), i ? z->launches.trip : z->launches.least_gap,
				       1e-9);
		CU_ASSERT_DOUBLE_EQUAL(reach(z->o_s), z->launches.overheads, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(reach(z->o_r), z->launches.overheads, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(reach(z->expected), z->launches.overheads, 1e-9);
	}
	CU_ASSERT(reach(d.size[1].rtt) > reach(d.size[0].rtt));
	CU_ASSERT(reach(d.size[1].rtt) > reach(d.size[2].rtt));
	CU_ASSERT_DOUBLE_EQUAL(d.L.value, 0.4, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(reach(d.g0), d.size[0].launches.least_gap, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(d.L.high - d.L.value,
			       hypot(0.5 * d.size[0].launches.trip, 0.1 * reach(d.g0)), 1e-9);
}

/* Cores that moved: each value may be of either place, and a difference of both. */
static void test_launches_widen_to_either_place(void)
{
	struct calibrated_direction d = direction(), still = direction();

	d.cores = (struct estimate){5e-7, 1.25e-7, 5e-7, 9};
	still.cores = (struct estimate){5e-7, 4.9e-7, 5.2e-7, 9};
	launches_widen(&d, "MPICH 4.0", NEAR_NODE);
	launches_widen(&still, "MPICH 4.0", NEAR_NODE);
	CU_ASSERT_DOUBLE_EQUAL(d.size[1].rtt.low, 0.5, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(d.size[1].rtt.high, 8, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(d.size[1].o_s.high, 1.6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(d.g0.high, 0.4, 1e-9);
	CU_ASSERT(d.size[1].g.high > 7 && d.size[1].g.low < 0);
	CU_ASSERT(d.L.high > 1.8 && d.L.low < 0.1);
	CU_ASSERT_DOUBLE_EQUAL(d.size[1].alone.rtt.high, 2, 1e-9);
	CU_ASSERT(still.size[1].rtt.high < 3);
}

/* Between nodes what an empty round trip takes is the processors', the rest is the wire's. */
static void test_launches_widen_between_nodes(void)
{
	struct calibrated_direction d = direction();

	launches_widen(&d, "MPICH 4.0", NEAR_NETWORK);
	CU_ASSERT_DOUBLE_EQUAL(d.size[2].rtt.high,
			       20 + d.size[2].launches.trip + 19 * LAUNCHES_WIRE, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(reach(d.size[0].rtt), d.size[0].launches.trip, 1e-9);
	CU_ASSERT(reach(d.size[2].o_s) > 0.01);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_launches_reach),
	SUITE_CASE(test_launches_reach_on_a_link),
	SUITE_CASE(test_launches_of_an_MPI),
	SUITE_CASE(test_launches_widen_within_a_node),
	SUITE_CASE(test_launches_widen_to_either_place),
	SUITE_CASE(test_launches_widen_between_nodes),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("launches", tests);
}
