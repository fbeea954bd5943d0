/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define ROUNDS 20
#define RANKS  5
#define BYTES  60000
#define L_NS   (10 * US)
#define G_NS   (204 * US)
#define SITE   2

/*
 * Rank 0 sends each other rank a piece of work, which all wait for; then all meet. TOGETHER: begun
 * at once, they share its port and are all there when the last one is. ONE_BY_ONE: MPI_Ssend.
 */
enum how { TOGETHER, ONE_BY_ONE };

/* Rank r has so much to do; the first ones most. */
static int64_t falling(uint32_t r)
{
	return (RANKS - r) * 100 * US;
}

static int64_t even(uint32_t r)
{
	(void)r;
	return 100 * US;
}

static void hand_out(struct tables *x, enum how how, int64_t (*work_ns)(uint32_t))
{
	int64_t now = 0;

	tables_init(x, RANKS, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t at = now, all = now + L_NS + (RANKS - 1) * G_NS, enter[RANKS], last = 0;
		uint32_t send[RANKS], wait = 0;

		for (uint32_t r = 1; r < RANKS; r++) {
			enter[r] = how == TOGETHER ? all : at + L_NS + G_NS;
			send[r] = how == TOGETHER
					  ? tables_call(x, 0, REGION_ISEND, at, at + US, SITE)
					  : tables_call(x, 0, REGION_SSEND, at, enter[r] + L_NS,
							SITE);
			at = how == TOGETHER ? at + US : enter[r] + L_NS;
		}
		enter[0] = at;
		if (how == TOGETHER)
			wait = tables_call(x, 0, REGION_WAITALL, at, enter[0] = all, 4);
		for (uint32_t r = 1; r < RANKS; r++) {
			uint32_t post = tables_call(x, r, REGION_IRECV, now, now + US, 3);
			uint32_t done = tables_call(x, r, REGION_WAIT, now + US, enter[r], 5);

			tables_message(x, BYTES, send[r], how == TOGETHER ? wait : send[r], post,
				       done);
			enter[r] += work_ns(r);
		}
		for (uint32_t r = 0; r < RANKS; r++)
			last = enter[r] > last ? enter[r] : last;
		now = last + 5 * US;
		tables_collective(x, enter, now, 6);
		now += US;
	}
	tables_finish(x);
}

/* When all are there that come to rank 0's port: the latest of what each and all after it need. */
static int64_t all_there(const int64_t comes[RANKS])
{
	int64_t all = 0;

	for (uint32_t r = 1; r < RANKS; r++) {
		int64_t there = comes[r];

		for (uint32_t k = 1; k < RANKS; k++)
			there += comes[k] >= comes[r] ? G_NS : 0;
		all = there > all ? there : all;
	}
	return all;
}

/*
 * Each answers as soon as its work is done. Begun at once, all pieces are there together, and so
 * answers after the same work come together and wait for each other.
 */
static void hand_out_and_gather(struct tables *x, enum how how, int64_t (*work_ns)(uint32_t))
{
	int64_t now = 0;

	tables_init(x, RANKS, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t at = now, enter[RANKS], comes[RANKS], end;
		uint32_t send[RANKS], post[RANKS], answer[RANKS], wait = 0, done;

		for (uint32_t r = 1; r < RANKS; r++) {
			post[r] = tables_call(x, 0, REGION_IRECV, at, at + US, 7);
			at += US;
		}
		for (uint32_t r = 1; r < RANKS; r++) {
			enter[r] = how == TOGETHER ? now + L_NS + (RANKS - 1) * G_NS
						   : at + L_NS + G_NS;
			send[r] = how == TOGETHER
					  ? tables_call(x, 0, REGION_ISEND, at, at + US, SITE)
					  : tables_call(x, 0, REGION_SSEND, at, enter[r] + L_NS,
							SITE);
			at = how == TOGETHER ? at + US : enter[r] + L_NS;
			comes[r] = enter[r] + work_ns(r) + L_NS;
		}
		if (how == TOGETHER)
			wait = tables_call(x, 0, REGION_WAITALL, at, enter[1], 4);
		end = all_there(comes);
		done = tables_call(x, 0, REGION_WAITALL, how == TOGETHER ? enter[1] : at, end, 8);
		for (uint32_t r = 1; r < RANKS; r++) {
			uint32_t got = tables_call(x, r, REGION_RECV, now, enter[r], 5);

			tables_message(x, BYTES, send[r], how == TOGETHER ? wait : send[r], got,
				       got);
			answer[r] = tables_call(x, r, REGION_SEND, comes[r] - L_NS,
						comes[r] - L_NS + US, 9);
			tables_message(x, BYTES, answer[r], answer[r], post[r], done);
		}
		now = end + 5 * US;
	}
	tables_finish(x);
}

static struct hotspots find(const struct tables *x)
{
	struct machine machine =
		tables_machine(L_NS * 1e-9, 1e-6, (double)G_NS / BYTES * 1e-9, 65536);

	machine.source = MACHINE_FILE;
	return findings_of(x, machine);
}

/* What is found of x is what y saves. */
static const struct hotspot *check_gain(const struct hotspots *h, const struct tables *x,
					const struct tables *y)
{
	const struct hotspot *found = findings_one(h, "asynchronous");
	double gain_s = (x->trace.wall_ns - y->trace.wall_ns) * 1e-9;

	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->site, SITE);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.1 * gain_s);
	CU_ASSERT(found->saves_low_s <= gain_s && gain_s <= found->saves_high_s);
	return found;
}

static void test_rule_asynchronous_predicts_the_gain(void)
{
	struct tables x, y;
	struct hotspots h, other;
	const struct hotspot *found;

	hand_out(&x, TOGETHER, falling);
	hand_out(&y, ONE_BY_ONE, falling);
	h = find(&x);
	other = find(&y);
	found = check_gain(&h, &x, &y);
	CU_ASSERT_EQUAL(findings_evidence(found, "sends_of_a_burst"), RANKS - 1);
	CU_ASSERT(findings_one(&h, "synchronous") == NULL);
	CU_ASSERT(findings_one(&other, "asynchronous") == NULL);
	hotspots_release(&other);
	hotspots_release(&h);
	tables_release(&y);
	tables_release(&x);
}

/* Who gets the last one decides, and that one comes as late in any case. */
static void test_rule_asynchronous_of_even_work(void)
{
	struct tables x;
	struct hotspots h;

	hand_out(&x, TOGETHER, even);
	h = find(&x);
	CU_ASSERT(findings_one(&h, "asynchronous") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

/* Answers that no longer meet are there sooner; others meet only then. */
static void check_answers(int64_t (*work_ns)(uint32_t))
{
	struct tables x, y;
	struct hotspots h;

	hand_out_and_gather(&x, TOGETHER, work_ns);
	hand_out_and_gather(&y, ONE_BY_ONE, work_ns);
	h = find(&x);
	check_gain(&h, &x, &y);
	hotspots_release(&h);
	tables_release(&y);
	tables_release(&x);
}

static void test_rule_asynchronous_of_answers(void)
{
	check_answers(even);
	check_answers(falling);
}

/*
 * The machine seems to be so slow that one message takes as long as all four: then it is not known
 * what one takes alone, and if it could pay that is said. Even work would gain nothing in any case.
 */
static void test_rule_asynchronous_of_an_unknown_port(void)
{
	static const struct {
		enum machine_source source;
		int64_t (*work_ns)(uint32_t);
		int is_open;
	} cases[] = {{MACHINE_SELF_CALIBRATED, falling, 1},
		     {MACHINE_SELF_CALIBRATED, even, 0},
		     {MACHINE_FILE, falling, 0}};

	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct machine m = tables_machine(L_NS * 1e-9, 1e-6,
						  (RANKS - 1) * (double)G_NS / BYTES * 1e-9, 65536);
		struct tables x;
		struct hotspots h;

		m.source = cases[k].source;
		m.classes[LOCALITY_NETWORK].joint = MACHINE_JOINT_L_G;
		hand_out(&x, TOGETHER, cases[k].work_ns);
		h = findings_of(&x, m);
		CU_ASSERT(findings_one(&h, "asynchronous") == NULL);
		CU_ASSERT_EQUAL(findings_unjudged(&h, "asynchronous"), cases[k].is_open);
		hotspots_release(&h);
		tables_release(&x);
	}
}

/* Ranks that wait for a core have late messages, too. */
static void test_rule_asynchronous_of_shared_cores(void)
{
	struct tables x;
	struct hotspots h;

	hand_out(&x, TOGETHER, falling);
	for (uint32_t r = 0; r < RANKS; r++)
		x.trace.ranks[r].crowd = 2;
	h = find(&x);
	CU_ASSERT(findings_one(&h, "asynchronous") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_asynchronous_predicts_the_gain),
		SUITE_CASE(test_rule_asynchronous_of_even_work),
		SUITE_CASE(test_rule_asynchronous_of_answers),
		SUITE_CASE(test_rule_asynchronous_of_an_unknown_port),
		SUITE_CASE(test_rule_asynchronous_of_shared_cores),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_asynchronous", tests);
}
