/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <math.h>

#define US     1000
#define ROUNDS 20
#define L_NS   (10 * US)
#define G_NS   (202 * US)
#define SITE   5

struct scene {
	uint64_t bytes;
	int64_t compute_ns;
	int64_t wait_ns;
	double progress, crowd;
	int taken_off;
};

/* Two ranks exchange: post both, compute, wait for both. */
static struct hotspots find_on(enum machine_source source, const struct scene *s, int64_t *wall_ns)
{
	struct machine machine = tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536);
	struct hotspots h;
	struct tables x;
	int64_t now = 0;

	tables_init(&x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t wait = now + 2 * US + s->compute_ns, end = wait + s->wait_ns;
		uint32_t post[2], send[2], done[2];

		for (uint32_t r = 0; r < 2; r++) {
			post[r] = tables_call(&x, r, REGION_IRECV, now, now + US, 3);
			send[r] = tables_call(&x, r, REGION_ISEND, now + US, now + 2 * US, 4);
			done[r] = tables_call(&x, r, REGION_WAITALL, wait, end, SITE);
		}
		for (uint32_t r = 0; r < 2; r++)
			tables_message(&x, s->bytes, send[r], done[r], post[1 - r], done[1 - r]);
		now = end + 10 * US;
	}
	for (uint32_t r = 0; r < 2; r++) {
		x.trace.ranks[r].crowd = s->crowd;
		x.trace.ranks[r].taken_off = s->taken_off;
	}
	tables_finish(&x);
	machine.source = source;
	machine.classes[LOCALITY_NODE].progress = machine.classes[LOCALITY_NETWORK].progress =
		(struct machine_progress){s->progress, s->progress};
	h = findings_of(&x, machine);
	*wall_ns = x.trace.wall_ns;
	tables_release(&x);
	return h;
}

static struct hotspots find(const struct scene *s, int64_t *wall_ns)
{
	return find_on(MACHINE_FILE, s, wall_ns);
}

/* 240 us of each wait could have passed in the 1 ms before: with progress the waits are over. */
static void test_rule_overlap_bounds_the_gain(void)
{
	const struct scene s = {200000, 1000 * US, 240 * US, 0, 0, 0},
			   moved = {200000, 1000 * US, US, 0, 0, 0};
	int64_t wall_ns, better_ns;
	struct hotspots h = find(&s, &wall_ns), other = find(&moved, &better_ns);
	const struct hotspot *x = findings_one(&h, "overlap");
	double gain_s = (wall_ns - better_ns) * 1e-9;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT(x->saves_low_s <= gain_s && gain_s <= x->saves_high_s * 1.2);
	CU_ASSERT(x->saves_high_s <= gain_s * 1.05);
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	CU_ASSERT(findings_one(&other, "overlap") == NULL);
	hotspots_release(&other);
	hotspots_release(&h);
}

/* What comes and what goes do not share a port: 150 us of each wait could have passed before. */
static void test_rule_overlap_counts_each_way_by_itself(void)
{
	const struct scene s = {200000, 150 * US, 230 * US, 0, 0, 0};
	int64_t wall_ns;
	struct hotspots h = find(&s, &wall_ns);
	const struct hotspot *x = findings_one(&h, "overlap");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, ROUNDS * 150e-6, ROUNDS * 15e-6);
	hotspots_release(&h);
}

/* Two pairs take turns, and after each round all wait for all: what both pairs save adds up. */
static void test_rule_overlap_counts_who_waits_for_the_ranks(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	int64_t now = 0;

	tables_init(&x, 4, 1);
	for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
		uint32_t pair = round % 2 * 2, post[2], send[2], done[2];
		int64_t wait = now + 1002 * US, end = wait + 240 * US;
		int64_t enter[4] = {wait, wait, wait, wait};

		for (uint32_t r = 0; r < 2; r++) {
			post[r] = tables_call(&x, pair + r, REGION_IRECV, now, now + US, 3);
			send[r] =
				tables_call(&x, pair + r, REGION_ISEND, now + US, now + 2 * US, 4);
			done[r] = tables_call(&x, pair + r, REGION_WAITALL, wait, end, SITE);
			enter[pair + r] = end;
		}
		for (uint32_t r = 0; r < 2; r++)
			tables_message(&x, 200000, send[r], done[r], post[1 - r], done[1 - r]);
		now = end + 20 * US;
		tables_collective(&x, enter, now, 2);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "overlap");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, 2 * ROUNDS * 240e-6, 0.05 * found->saves_mid_s);
	CU_ASSERT(found->saves_high_s >= found->saves_mid_s);
	hotspots_release(&h);
	tables_release(&x);
}

/* Nothing computed meanwhile; small messages; a machine that moves them; cores shared, or lost. */
static void test_rule_overlap_is_silent(void)
{
	static const struct scene scenes[] = {
		{200000, 0, 240 * US, 0, 0, 0},           {1000, 1000 * US, 240 * US, 0, 0, 0},
		{200000, 1000 * US, 240 * US, 0.9, 0, 0}, {200000, 1000 * US, 240 * US, 0, 2, 0},
		{200000, 1000 * US, 240 * US, 0, 1, 1},
	};

	for (size_t k = 0; k < sizeof(scenes) / sizeof(*scenes); k++) {
		int64_t wall_ns;
		struct hotspots h = find(&scenes[k], &wall_ns);

		CU_ASSERT(findings_one(&h, "overlap") == NULL);
		hotspots_release(&h);
	}
}

/* Where the machine is estimated and may not move them, nothing is claimed, but that is said. */
static void test_rule_overlap_says_what_is_open(void)
{
	static const struct {
		struct scene scene;
		enum machine_source source;
		int is_open, is_found;
	} cases[] = {
		{{200000, 1000 * US, 240 * US, NAN, 0, 0}, MACHINE_SELF_CALIBRATED, 1, 0},
		/* a file from a busy machine does not know either */
		{{200000, 1000 * US, 240 * US, NAN, 0, 0}, MACHINE_FILE, 1, 0},
		{{200000, 1000 * US, 240 * US, 0.9, 0, 0}, MACHINE_FILE, 0, 0},
		{{200000, 1000 * US, 240 * US, 0, 0, 0}, MACHINE_SELF_CALIBRATED, 0, 1},
		{{200000, 1000 * US, 240 * US, 0.9, 0, 0}, MACHINE_SELF_CALIBRATED, 0, 0},
		/* nothing computed meanwhile, nothing waited for, small ones, no core */
		{{200000, 0, 240 * US, NAN, 0, 0}, MACHINE_SELF_CALIBRATED, 0, 0},
		{{200000, 1000 * US, US, NAN, 0, 0}, MACHINE_SELF_CALIBRATED, 0, 0},
		{{1000, 1000 * US, 240 * US, NAN, 0, 0}, MACHINE_SELF_CALIBRATED, 0, 0},
		{{200000, 1000 * US, 240 * US, NAN, 2, 0}, MACHINE_SELF_CALIBRATED, 0, 0},
	};

	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		int64_t wall_ns;
		struct hotspots h = find_on(cases[k].source, &cases[k].scene, &wall_ns);

		CU_ASSERT_EQUAL(findings_unjudged(&h, "overlap"), cases[k].is_open);
		CU_ASSERT_EQUAL(findings_one(&h, "overlap") != NULL, cases[k].is_found);
		hotspots_release(&h);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_overlap_bounds_the_gain),
		SUITE_CASE(test_rule_overlap_counts_each_way_by_itself),
		SUITE_CASE(test_rule_overlap_counts_who_waits_for_the_ranks),
		SUITE_CASE(test_rule_overlap_is_silent),
		SUITE_CASE(test_rule_overlap_says_what_is_open),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_overlap", tests);
}
