/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simpler models' parameters, asymmetry and uncertainty from what was measured. */
#include "calibrate/derived.h"
#include "cmd/calibrate/calibrate_conditions.h"

#include "tests/fixtures/suite.h"

#include <math.h>
#include <string.h>

static struct estimate within(double value, double half)
{
	return (struct estimate){value, value - half, value + half, 20};
}

/* L = 10, o_s = 2 + m/100, o_r = 1 + m/50, g = 5 + m/10. */
static struct calibrated_direction known(double gap_scale)
{
	static const uint64_t bytes[] = {0, 1, 1000};
	struct calibrated_direction d = {.n = 3, .L = {10, 9, 11, 20}};
	uint32_t i;

	for (i = 0; i < d.n; i++) {
		struct calibrated_size *z = &d.size[i];
		double m = (double)bytes[i];

		z->bytes = bytes[i];
		z->o_s = within(2 + m / 100, 0.1);
		z->o_r = within(1 + m / 50, 0.1);
		z->g = within(gap_scale * (5 + m / 10), 0.25);
		z->rtt = within(30 + m / 10, 0.1);
	}
	return d;
}

/* Kielmann, Bal, Verstoep 2000, table 1. */
static void test_derived_models_are_the_papers(void)
{
	struct calibrated_direction d = known(1);
	struct derived_models m = derived_models(&d);

	CU_ASSERT_DOUBLE_EQUAL(m.L_s, 10 + 5.1 - 2.01 - 1.02, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.o_s, (2.01 + 1.02) / 2, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.g_s, 5.1, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.G_s_per_byte, 105.0 / 1000, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.alpha_s, 15, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.beta_s_per_byte, m.G_s_per_byte, 0);
}

/* L + g(m) comes from round trips alone: also where g(0) leaves no L. */
static void test_derived_latency_and_gap_of_round_trips(void)
{
	struct calibrated_direction d = known(1);
	uint32_t i;

	for (i = 0; i < d.n; i++)
		CU_ASSERT_DOUBLE_EQUAL(derived_latency_and_gap(&d, i).value,
				       d.L.value + d.size[i].g.value, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(derived_latency_and_gap(&d, 0).low, 15 - 0.05, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(derived_latency_and_gap(&d, 2).low, 115 - hypot(0.1, 0.05), 1e-12);
	d.L = within(-3, 1);
	d.size[0].g = within(18, 1);
	CU_ASSERT_DOUBLE_EQUAL(derived_latency_and_gap(&d, 0).value, 15, 1e-12);
}

/* Of empty messages alone, or where no gap is told, all is uncertain: not nothing. */
static void test_derived_uncertainty_of_nothing(void)
{
	struct calibrated_direction d = known(1);

	CU_ASSERT_DOUBLE_EQUAL(derived_uncertainty(&d), 0.25 / 5, 1e-12);
	CU_ASSERT(derived_has_bytes(&d));
	d.size[1].g = d.size[2].g = within(-1, 0.5);
	CU_ASSERT_EQUAL(derived_uncertainty(&d), 1);
	d = known(1);
	d.n = 1;
	CU_ASSERT_EQUAL(derived_uncertainty(&d), 1);
	CU_ASSERT(!derived_has_bytes(&d));
}

/* Gaps grow with the size, but for what a protocol or chance may do. */
static void test_derived_disorder(void)
{
	struct calibrated_direction d = known(1);

	CU_ASSERT_EQUAL(derived_disorder(&d).bytes, 0);
	d.size[1].g = within(210, 1); /* as long as two of 1000 bytes */
	CU_ASSERT_EQUAL(derived_disorder(&d).larger, 0);
	d.size[1].g = within(1050, 900); /* not for sure */
	CU_ASSERT_EQUAL(derived_disorder(&d).larger, 1000);
	d.size[1].g = within(1050, 1000);
	CU_ASSERT_EQUAL(derived_disorder(&d).larger, 0);
	d.size[1].g = within(1050, 1);
	CU_ASSERT_EQUAL(derived_disorder(&d).bytes, 1);
	CU_ASSERT_EQUAL(derived_disorder(&d).larger, 1000);
}

/* What a file says against itself. */
static void test_conditions_of_cores_that_move(void)
{
	static struct calibration c;
	struct calibrated_direction *d = &c.class[0].way[0];
	json_t *list;

	c.class[0].present = 1;
	*d = c.class[0].way[1] = known(1);
	d->core_share = c.class[0].way[1].core_share = 1;
	d->cores = within(94e-9, 3e-9);
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 0);
	json_decref(list);
	d->cores = (struct estimate){450e-9, 83e-9, 495e-9, 900};
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 0)),
				      "a cache line took 83.0 ns to 495 ns there and back"));
	json_decref(list);
	d->core_share = 0.3; /* who was off his core has seen less */
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 0)), "was busy"));
	json_decref(list);
}

static void test_conditions_of_a_busy_machine(void)
{
	static struct calibration c;
	json_t *list;

	c.class[0].present = 1;
	c.class[0].way[0] = c.class[0].way[1] = known(1);
	c.class[0].way[0].core_share = 1;
	c.class[0].way[1].core_share = 0.95;
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 0);
	json_decref(list);
	c.crowded = 1;
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 0)),
				      "more ranks than cores on a host"));
	json_decref(list);
	c.crowded = 0;
	c.class[0].way[1].core_share = 0.6;
	c.class[0].way[1].size[1].g = within(1050, 1);
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 0)),
				      "had a core for 60 % of the time"));
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 1)), "1 B take"));
	json_decref(list);
}

/* Ranks of hosts that are one machine, or have a quota, share cores though none has too many. */
static void test_conditions_of_cores_that_hosts_share(void)
{
	static struct calibration c = {.hosts = 8, .machines = 8};
	json_t *list;

	c.contention.ranks = 8;
	c.contention.core_share = 0.95;
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 0);
	json_decref(list);
	c.machines = 1;
	c.contention.core_share = 0.25;
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 0)),
				      "the 8 hosts are 1 machine (containers, namespaces)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(list, 1)),
				      "had a core for 25 % of the time only"));
	json_decref(list);
	c.crowded = 1; /* which says it already */
	list = calibrate_conditions_json(&c);
	CU_ASSERT_EQUAL(json_array_size(list), 2);
	json_decref(list);
}

/* A latency below 0 stays what it is. */
static void test_derived_models_are_not_clipped(void)
{
	struct calibrated_direction d = known(1);

	d.L.value = -8;
	CU_ASSERT_DOUBLE_EQUAL(derived_models(&d).L_s, -8 + 5.1 - 2.01 - 1.02, 1e-12);
}

static void test_derived_models_of_one_size(void)
{
	struct calibrated_direction d = known(1);

	d.n = 1;
	CU_ASSERT_DOUBLE_EQUAL(derived_models(&d).g_s, 5, 0);
	CU_ASSERT_DOUBLE_EQUAL(derived_models(&d).G_s_per_byte, 0, 0);
}

/* Of the gaps that are identified the worst: 0.25 of 5. The others do not count. */
static void test_derived_uncertainty_is_the_worst_gaps(void)
{
	struct calibrated_direction d = known(1);

	CU_ASSERT_DOUBLE_EQUAL(derived_uncertainty(&d), 0.05, 1e-12);
	d.size[1].g = within(1, 3); /* reaches 0 */
	CU_ASSERT_DOUBLE_EQUAL(derived_uncertainty(&d), 0.05, 1e-12);
	d.size[1].g = within(10, 4);
	CU_ASSERT_DOUBLE_EQUAL(derived_uncertainty(&d), 0.4, 1e-12);
}

static void test_derived_asymmetry_beyond_the_intervals(void)
{
	struct calibrated_class c = {.present = 1, .way = {known(1), known(1)}};
	struct derived_asymmetry a;

	c.way[1].size[2].g = within(210, 1); /* twice as long back */
	c.way[1].size[0].g = within(20, 16); /* four times, but who knows */
	a = derived_asymmetry(&c);
	CU_ASSERT_EQUAL(a.bytes, 1000);
	CU_ASSERT_DOUBLE_EQUAL(a.ratio, 2, 1e-12);
	CU_ASSERT(a.beyond_intervals);
}

/* Only sizes that both ways have are compared, and only gaps that are identified. */
static void test_derived_asymmetry_of_nothing_in_common(void)
{
	struct calibrated_class c = {.present = 1, .way = {known(1), known(3)}};
	struct derived_asymmetry a;
	uint32_t i;

	for (i = 0; i < c.way[1].n; i++)
		c.way[1].size[i].bytes += 7;
	a = derived_asymmetry(&c);
	CU_ASSERT_DOUBLE_EQUAL(a.ratio, 0, 0);
	c.way[1].size[1].bytes = 1;
	c.way[1].size[1].g = within(-3, 1);
	CU_ASSERT_DOUBLE_EQUAL(derived_asymmetry(&c).ratio, 0, 0);
}

/* LogGP's L and o, from what a round trip tells and the overheads. */
static void test_derived_loggp_has_intervals(void)
{
	struct calibrated_direction d = known(1);
	double half = hypot(hypot(0.1, 0.05), hypot(0.1, 0.1));

	CU_ASSERT_DOUBLE_EQUAL(derived_loggp_latency(&d).value, derived_models(&d).L_s, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(derived_loggp_latency(&d).high, derived_models(&d).L_s + half,
			       1e-12);
	CU_ASSERT_DOUBLE_EQUAL(derived_loggp_overhead(&d).value, derived_models(&d).o_s, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(derived_loggp_overhead(&d).low,
			       derived_models(&d).o_s - hypot(0.1, 0.1) / 2, 1e-12);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_derived_loggp_has_intervals),
	SUITE_CASE(test_derived_models_are_the_papers),
	SUITE_CASE(test_derived_latency_and_gap_of_round_trips),
	SUITE_CASE(test_derived_uncertainty_of_nothing),
	SUITE_CASE(test_derived_disorder),
	SUITE_CASE(test_conditions_of_a_busy_machine),
	SUITE_CASE(test_conditions_of_cores_that_move),
	SUITE_CASE(test_conditions_of_cores_that_hosts_share),
	SUITE_CASE(test_derived_models_are_not_clipped),
	SUITE_CASE(test_derived_models_of_one_size),
	SUITE_CASE(test_derived_uncertainty_is_the_worst_gaps),
	SUITE_CASE(test_derived_asymmetry_beyond_the_intervals),
	SUITE_CASE(test_derived_asymmetry_of_nothing_in_common),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("derived", tests);
}
