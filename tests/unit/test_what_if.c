/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/scaled_machine.h"
#include "analyze/gains/what_if.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US 1000

/* L 100 us, overheads 1 us, a byte 10 ns. */
static struct machine machine(void)
{
	return tables_machine(100e-6, 1e-6, 10e-9, 65536);
}

static struct machine scaled(struct factors x, struct machine_reading reading)
{
	struct machine of = machine(), is;
	struct err err;

	CU_ASSERT_EQUAL_FATAL(scaled_machine_init(&is, &of, &x, reading, &err), 0);
	machine_release(&of);
	return is;
}

/* L + g of so many bytes, us. */
static double takes_us(const struct machine *m, double bytes)
{
	const struct machine_class *c = &m->classes[LOCALITY_NETWORK];

	return 1e6 * plogp_time((struct plogp){c->L_s, c->n, c->points}, bytes);
}

static void test_what_if_scales_what_it_says(void)
{
	/* of an empty message 2 us are MPI's work, 100 latency; of 10,000 bytes 100 more theirs */
	static const struct {
		struct factors x;
		double empty_us, large_us;
	} rows[] = {
		{{1, 1, 1, 1}, 102, 202},   {{2, 1, 1, 1}, 102, 152}, {{1, 0.5, 1, 1}, 52, 152},
		{{1, 1, 0.5, 1}, 101, 201}, {{1, 1, 1, 2}, 102, 202}, {{4, 0, 0, 1}, 0, 25},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct machine is = scaled(rows[k].x, (struct machine_reading){BYTES_LIKELY, 0});

		CU_ASSERT_DOUBLE_EQUAL(takes_us(&is, 0), rows[k].empty_us, 0.001);
		CU_ASSERT_DOUBLE_EQUAL(takes_us(&is, 10000), rows[k].large_us, 0.001);
		scaled_machine_release(&is);
	}
}

/* Of one size alone it is not known what its bytes take. */
static void test_what_if_bounds_what_bytes_take(void)
{
	static const struct factors twice = {2, 1, 1, 1};
	static const struct {
		enum bytes_reading reading;
		double us;
	} rows[] = {{BYTES_LEAST, 202}, {BYTES_LIKELY, 102}, {BYTES_MOST, 102}};
	struct machine of = machine(), is;
	struct machine_class *c = &of.classes[LOCALITY_NETWORK];
	struct err err;

	CU_ASSERT(!scaled_machine_is_open(&of));
	c->n = 1;
	c->points[0] = (struct plogp_point){10000, 1e-6, 1e-6, 102e-6};
	CU_ASSERT(scaled_machine_is_open(&of));
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		CU_ASSERT_EQUAL_FATAL(
			scaled_machine_init(&is, &of, &twice,
					    (struct machine_reading){rows[k].reading, 0}, &err),
			0);
		CU_ASSERT_DOUBLE_EQUAL(takes_us(&is, 10000), rows[k].us, 0.001);
		scaled_machine_release(&is);
	}
	machine_release(&of);
}

/*
 * Rank 0 computes 500 us and sends 10,000 bytes to 1, which answers after as long. Something was in
 * the way of the first message for so long, ns.
 */
static void there_held_and_back(struct tables *x, int64_t held_ns)
{
	uint32_t go, went, back, came;

	tables_init(x, 2, 1);
	tables_call(x, 0, REGION_INIT, 0, US, 3);
	tables_call(x, 1, REGION_INIT, 0, US, 3);
	go = tables_call(x, 0, REGION_SEND, 501 * US, 502 * US, 1);
	went = tables_call(x, 1, REGION_RECV, US, 703 * US + held_ns, 2);
	back = tables_call(x, 1, REGION_SEND, 1203 * US + held_ns, 1204 * US + held_ns, 1);
	came = tables_call(x, 0, REGION_RECV, 502 * US, 1405 * US + held_ns, 2);
	tables_message(x, 10000, go, go, went, went);
	tables_message(x, 10000, back, back, came, came);
	tables_finish(x);
}

static void there_and_back(struct tables *x)
{
	there_held_and_back(x, 0);
}

/* Of 1405 us half of the bytes is 100, half of the latency 100, of the ranks' own work 500. */
static void test_what_if_replays_the_run(void)
{
	static const struct {
		const char *name;
		double us;
	} rows[] = {{"bandwidth", 100}, {"latency", 100}, {"overhead", 2}, {"processors", 500}};
	struct what_if_saving s;
	struct tables x;

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		CU_ASSERT_STRING_EQUAL(what_ifs[k].name, rows[k].name);
		there_and_back(&x);
		s = findings_what_if(&x, machine(), &what_ifs[k]);
		CU_ASSERT_DOUBLE_EQUAL(s.likely_s * 1e6, rows[k].us, 1.1);
		CU_ASSERT(s.least_s >= 0 && s.least_s <= s.likely_s && s.most_s >= s.likely_s);
		CU_ASSERT(s.most_s * 1e6 <= 1.1 * rows[k].us + 35);
		tables_release(&x);
	}
}

static void test_what_if_is_as_it_was(void)
{
	static const struct what_if same = {"same", {1, 1, 1, 1}};
	struct what_if_saving s;
	struct tables x;

	there_and_back(&x);
	s = findings_what_if(&x, machine(), &same);
	CU_ASSERT(s.least_s == 0 && s.likely_s == 0 && s.most_s == 0);
	tables_release(&x);
}

/* All contention may go, and no better machine is better than one on which all is so much. */
static void test_what_if_is_no_better_than_all_so_much(void)
{
	static const struct {
		struct factors x;
		double most; /* of the run */
	} rows[] = {{{2, 1, 1, 1}, 0.5}, {{4, 0.5, 1, 1}, 0.75}, {{2, 0, 1, 1}, 1}};
	struct what_if_saving s;
	struct tables x;

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct what_if what = {"asked", rows[k].x};

		there_held_and_back(&x, 1000000 * US);
		s = findings_what_if(&x, machine(), &what);
		CU_ASSERT(s.least_s <= s.likely_s && s.likely_s <= s.most_s);
		CU_ASSERT_DOUBLE_EQUAL(s.most_s, rows[k].most * x.trace.wall_ns * 1e-9, 1e-9);
		tables_release(&x);
	}
}

/*
 * Of 400 us that others were in the way half is theirs to save, but for the share of its time that
 * a rank had no core: all, if nobody knows how long.
 */
static void test_what_if_doubts_queues_without_a_core(void)
{
	static const struct {
		unsigned taken_off;
		double awaited; /* of the run */
		double us;
	} rows[] = {{0, 0, 200}, {1, 0.25, 150}, {1, 0, 0}};
	struct what_if_saving s;
	struct tables x;

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		there_held_and_back(&x, 400 * US);
		x.trace.ranks[1].taken_off = rows[k].taken_off & 1;
		x.trace.ranks[1].core_awaited_ns =
			(int64_t)(rows[k].awaited * (double)trace_recorded_ns(&x.trace, 1));
		s = findings_what_if(&x, machine(), &what_ifs[0]);
		CU_ASSERT_DOUBLE_EQUAL(s.likely_s * 1e6, 100 + rows[k].us, 5);
		tables_release(&x);
	}
}

/*
 * A barrier that takes 2000 us when all are there, of which 102 are an idle machine's: half of the
 * latency saves half of that, and of the rest if nobody lacked a core meanwhile.
 */
static double barrier_saves_us(int taken_off)
{
	int64_t enter[] = {10 * US, 10 * US};
	struct what_if_saving s;
	struct tables x;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_INIT, 0, US, 3);
	tables_call(&x, 1, REGION_INIT, 0, US, 3);
	tables_collective(&x, enter, 2010 * US, 1);
	tables_finish(&x);
	x.trace.ranks[0].taken_off = x.trace.ranks[1].taken_off = taken_off;
	s = findings_what_if(&x, machine(), &what_ifs[1]);
	tables_release(&x);
	return s.likely_s * 1e6;
}

static void test_what_if_doubts_collectives_without_a_core(void)
{
	CU_ASSERT_DOUBLE_EQUAL(barrier_saves_us(0), 980, 10);
	CU_ASSERT_DOUBLE_EQUAL(barrier_saves_us(1), 50, 2);
}

static void test_what_if_refuses_slower_machines(void)
{
	CU_ASSERT_PTR_NULL(what_if_refusal(&(struct factors){1, 1, 1, 1}));
	CU_ASSERT_PTR_NULL(what_if_refusal(&(struct factors){1e3, 0, 0, 8}));
	CU_ASSERT_PTR_NOT_NULL(what_if_refusal(&(struct factors){0.5, 1, 1, 1}));
	CU_ASSERT_PTR_NOT_NULL(what_if_refusal(&(struct factors){1, 2, 1, 1}));
	CU_ASSERT_PTR_NOT_NULL(what_if_refusal(&(struct factors){1, 1, 1.5, 1}));
	CU_ASSERT_PTR_NOT_NULL(what_if_refusal(&(struct factors){1, 1, 1, 0}));
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_what_if_scales_what_it_says),
		SUITE_CASE(test_what_if_bounds_what_bytes_take),
		SUITE_CASE(test_what_if_replays_the_run),
		SUITE_CASE(test_what_if_is_as_it_was),
		SUITE_CASE(test_what_if_is_no_better_than_all_so_much),
		SUITE_CASE(test_what_if_doubts_queues_without_a_core),
		SUITE_CASE(test_what_if_doubts_collectives_without_a_core),
		SUITE_CASE(test_what_if_refuses_slower_machines),
		CU_TEST_INFO_NULL,
	};

	return suite_run("what if", tests);
}
