/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The attribution of the scenarios whose truth is known to the ns (tests/traces/mkscenario.h),
 * with the true machine: each part is what it was, or its interval says how far it may be off.
 */
#include "analyze/attribution/attribution.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"
#include "tests/traces/mkscenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 8

struct played {
	struct mkoutcome out;
	int64_t truth_ns[COST_COUNT];
	struct clock_quality clock;
	struct attribution a;
};

static struct machine true_machine(const struct mkmachine *m)
{
	struct machine machine = {.source = MACHINE_FILE};
	int k;

	for (k = 0; k < LOCALITY_COUNT; k++) {
		struct machine_class *c = &machine.classes[k];

		*c = (struct machine_class){.L_s = (double)m->L_ns * 1e-9,
					    .has_handshake = 1,
					    .handshake_s = (double)m->handshake_ns * 1e-9,
					    .n = 1,
					    .uncertainty = 0.01,
					    .eager_bytes = m->eager_bytes,
					    .samples = 1};
		c->points = calloc(1, sizeof(*c->points));
		CU_ASSERT_FATAL(c->points != NULL);
		c->points[0] =
			(struct plogp_point){0, (double)m->o_s_ns * 1e-9, (double)m->o_r_ns * 1e-9,
					     (double)m->g_ns * 1e-9};
	}
	return machine;
}

/* What handling takes is not told from what the way takes: o_r is in L. */
static void blur_handling(struct machine *machine)
{
	for (int k = 0; k < LOCALITY_COUNT; k++) {
		machine->classes[k].points[0].o_r_s = 0;
		machine->classes[k].joint = MACHINE_JOINT_O_R;
	}
}

/* Each node's cores (0: not known), how long each rank waited for one and searched queues, ns. */
struct cores {
	double n;
	int64_t awaited_ns[RANKS], searched_ns[RANKS];
};

/* What is known of the machine when the clocks are compared. */
enum known { KNOWN_NOTHING, KNOWN_MACHINE };

static struct played play_on(const char *scenario, void (*blur)(struct machine *machine),
			     struct cores cores, enum known known)
{
	char *dir = scratch_new();
	struct collectives collectives;
	struct machine machine;
	struct messages m;
	struct played p;
	struct err err;
	struct trace t;

	memset(&p, 0, sizeof(p));
	CU_ASSERT_FATAL(!mkscenario_write(scenario, dir, RANKS, &p.out, &err));
	CU_ASSERT_FATAL(!trace_read(dir, &t, &err) && !messages_match(&t, &m, &err));
	CU_ASSERT_FATAL(!trace_set_cores(&t, cores.n));
	for (uint32_t r = 0; r < t.n_ranks; r++) {
		t.ranks[r].core_awaited_ns = cores.awaited_ns[r];
		t.ranks[r].searched_ns = cores.searched_ns[r];
	}
	machine = true_machine(&p.out.machine);
	if (blur)
		blur(&machine);
	CU_ASSERT_FATAL(!collectives_match(&t, &collectives, &err));
	CU_ASSERT_FATAL(!clock_align(&t, &m, &collectives, known == KNOWN_MACHINE ? &machine : NULL,
				     &p.clock, &err));
	CU_ASSERT_FATAL(!attribution_run(&t, &m, &collectives, &machine, &p.clock, &p.a, &err));
	for (size_t i = 0; i < p.out.n; i++)
		for (int c = 0; c < COST_COUNT; c++)
			p.truth_ns[c] += p.out.fates[i].ns[c];
	machine_release(&machine);
	collectives_release(&collectives);
	messages_release(&m);
	trace_release(&t);
	scratch_free(dir);
	return p;
}

static struct played play_with(const char *scenario, void (*blur)(struct machine *machine))
{
	return play_on(scenario, blur, (struct cores){0}, KNOWN_NOTHING);
}

static struct played play(const char *scenario)
{
	return play_with(scenario, NULL);
}

static void release(struct played *p)
{
	attribution_release(&p->a);
	free(p->out.fates);
}

/* Which share of the messages' time is in the wrong part? And are all intervals right, to 1 %? */
static void judge(const char *scenario, double wrong_at_most)
{
	struct played p = play(scenario);
	double total = (double)p.a.blame.total_ns, wrong = 0;

	for (int c = 0; c < COST_COUNT; c++) {
		const struct part *part = &p.a.blame.parts[c];
		double truth = (double)p.truth_ns[c], off = truth - (double)part->ns;
		int is_covered = (double)part->low_ns - 0.01 * total <= truth &&
				 truth <= (double)part->high_ns + 0.01 * total;

		wrong += (off > 0 ? off : -off) / 2 / total;
		CU_ASSERT(is_covered);
		if (!is_covered || getenv("VERBOSE"))
			printf("%s: %s is %.0f ns, said %" PRId64 " [%" PRId64 ", %" PRId64 "]\n",
			       scenario, cost_rows[c].name, truth, part->ns, part->low_ns,
			       part->high_ns);
	}
	CU_ASSERT(wrong <= wrong_at_most);
	if (wrong > wrong_at_most || getenv("VERBOSE"))
		printf("%s: %.1f %% in the wrong part\n", scenario, 100 * wrong);
	release(&p);
}

static void test_blame_partners(void)
{
	judge("quiet", 0.001);
	judge("late-sender", 0.001);
	judge("late-receiver", 0.001);
	judge("inattention", 0.001);
}

/* What receivers wait before anything is sent is no message's time, but theirs. */
static void test_blame_late_sender_is_awaited(void)
{
	struct played p = play("late-sender");
	const struct part *late = &p.a.budget.parts[COST_late_partner];
	int64_t awaited_ns = 0;

	for (size_t i = 0; i < p.out.n; i++)
		awaited_ns += p.out.fates[i].awaited_ns;
	CU_ASSERT(awaited_ns > 0);
	CU_ASSERT_EQUAL(late->ns, awaited_ns);
	CU_ASSERT(late->low_ns <= awaited_ns && awaited_ns <= late->high_ns);
	release(&p);
}

static void test_blame_crowds(void)
{
	judge("incast", 0.001);
	judge("shared-uplink", 0.001);
	judge("back-pressure", 0.001);
	judge("order-hotspot", 0.02);
	judge("order-random", 0.001);
}

/* Nobody can see that the processor was away; the network it is not. */
static void test_blame_oversubscription(void)
{
	struct played p = play("oversubscription");

	judge("oversubscription", 0.9);
	CU_ASSERT_EQUAL(p.a.blame.parts[COST_network_contention].high_ns, 0);
	CU_ASSERT(p.a.blame.parts[COST_not_identifiable].ns +
			  p.a.blame.parts[COST_handler_contention].ns ==
		  p.truth_ns[COST_handler_contention]);
	release(&p);
}

/*
 * Where ranks are known to share cores, what looks like the network may be none: of half a core a
 * rank nothing of it is certain. All else stays as it is.
 */
static void test_blame_of_ranks_that_share_cores(void)
{
	struct played alone = play_on("shared-uplink", NULL, (struct cores){.n = 1}, KNOWN_NOTHING);
	struct played crowd =
		play_on("shared-uplink", NULL, (struct cores){.n = 0.5}, KNOWN_NOTHING);
	const struct part *network = &crowd.a.blame.parts[COST_network_contention];
	const struct part *unknown = &crowd.a.blame.parts[COST_not_identifiable];

	CU_ASSERT(alone.a.blame.parts[COST_network_contention].low_ns > 0);
	CU_ASSERT_EQUAL(network->low_ns, 0);
	CU_ASSERT(unknown->high_ns >= unknown->ns + network->ns);
	CU_ASSERT(alone.a.budget.parts[COST_network_contention].low_ns > 0);
	CU_ASSERT_EQUAL(crowd.a.budget.parts[COST_network_contention].low_ns, 0);
	for (int c = 0; c < COST_COUNT; c++)
		CU_ASSERT_EQUAL(crowd.a.blame.parts[c].ns, alone.a.blame.parts[c].ns);
	release(&alone);
	release(&crowd);
}

/* Neither is a receiver's port that seems busy. */
static void test_blame_shared_cores_leave_no_contention_certain(void)
{
	struct played alone = play_on("incast", NULL, (struct cores){.n = 1}, KNOWN_NOTHING);
	struct played crowd = play_on("incast", NULL, (struct cores){.n = 0.5}, KNOWN_NOTHING);

	CU_ASSERT(alone.a.blame.parts[COST_receiver_port].low_ns > 0);
	for (int c = 0; c < COST_COUNT; c++) {
		CU_ASSERT_EQUAL(crowd.a.blame.parts[c].ns, alone.a.blame.parts[c].ns);
		CU_ASSERT(!cost_is_contention(c) || !crowd.a.blame.parts[c].low_ns);
		CU_ASSERT(!cost_is_contention(c) || !crowd.a.budget.parts[c].low_ns);
	}
	CU_ASSERT_EQUAL(crowd.a.budget.contention.low_ns, 0);
	release(&alone);
	release(&crowd);
}

/*
 * What a rank waited for its core bounds what of the contention may be that, at it and at those
 * that exchange messages with it; what is next to nothing beside the contention takes no certainty.
 */
static void test_blame_waits_for_cores_bound_the_doubt(void)
{
	struct played alone = play_on("incast", NULL, (struct cores){0}, KNOWN_NOTHING);
	const struct view *sure = &alone.a.budget;
	int64_t some_ns = sure->contention.low_ns / 10;
	struct played taken =
		play_on("incast", NULL, (struct cores){.awaited_ns = {some_ns}}, KNOWN_NOTHING);
	struct played hardly = play_on(
		"incast", NULL, (struct cores){.awaited_ns = {some_ns / 100}}, KNOWN_NOTHING);
	struct played long_ago = play_on(
		"incast", NULL, (struct cores){.awaited_ns = {INT64_MAX / 4}}, KNOWN_NOTHING);
	const struct view *v = &taken.a.budget;

	CU_ASSERT_FATAL(some_ns > 1000);
	CU_ASSERT_EQUAL(v->contention.ns, sure->contention.ns);
	CU_ASSERT_EQUAL(v->contention.high_ns, sure->contention.high_ns);
	CU_ASSERT(v->contention.low_ns <= sure->contention.low_ns - some_ns);
	CU_ASSERT(v->contention.low_ns >= sure->contention.low_ns - RANKS * some_ns);
	CU_ASSERT(v->contention.low_ns > 0);
	CU_ASSERT(taken.a.awaited_ns >= some_ns && taken.a.awaited_ns <= RANKS * some_ns);
	CU_ASSERT(taken.a.blame.contention.low_ns < alone.a.blame.contention.low_ns);
	CU_ASSERT_EQUAL(hardly.a.awaited_ns, 0);
	CU_ASSERT_EQUAL(hardly.a.budget.contention.low_ns, sure->contention.low_ns);
	CU_ASSERT_EQUAL(long_ago.a.budget.contention.low_ns, 0);
	CU_ASSERT_EQUAL(long_ago.a.blame.contention.low_ns, 0);
	release(&alone);
	release(&taken);
	release(&hardly);
	release(&long_ago);
}

/*
 * How long a rank searched its queues bounds what of the network contention may be its handler,
 * there and at those that wait for it; it stays contention.
 */
static void test_blame_searches_may_look_like_the_network(void)
{
	struct played alone = play("shared-uplink");
	const struct part *sure = alone.a.budget.parts;
	const struct part *network = &sure[COST_network_contention];
	int64_t some_ns = network->low_ns / 10;
	struct cores cores = {.searched_ns = {[RANKS - 1] = some_ns}};
	struct cores long_ago = {.searched_ns = {[RANKS - 1] = INT64_MAX / 4}};
	struct played some = play_on("shared-uplink", NULL, cores, KNOWN_NOTHING);
	struct played all = play_on("shared-uplink", NULL, long_ago, KNOWN_NOTHING);
	const struct view *v = &some.a.budget;

	CU_ASSERT_FATAL(some_ns > 1000);
	CU_ASSERT(some.a.searched_ns >= some_ns && some.a.searched_ns <= RANKS * some_ns);
	CU_ASSERT_EQUAL(v->parts[COST_network_contention].low_ns,
			network->low_ns - some.a.searched_ns);
	CU_ASSERT_EQUAL(v->parts[COST_handler_contention].high_ns,
			sure[COST_handler_contention].high_ns + some.a.searched_ns);
	CU_ASSERT(some.a.blame.parts[COST_network_contention].low_ns <
		  alone.a.blame.parts[COST_network_contention].low_ns);
	for (int c = 0; c < COST_COUNT; c++)
		CU_ASSERT_EQUAL(v->parts[c].ns, sure[c].ns);
	CU_ASSERT_EQUAL(v->contention.low_ns, alone.a.budget.contention.low_ns);
	CU_ASSERT_EQUAL(v->contention.high_ns, alone.a.budget.contention.high_ns);
	CU_ASSERT_EQUAL(all.a.rank_budget[RANKS - 1].parts[COST_network_contention].low_ns, 0);
	release(&alone);
	release(&some);
	release(&all);
}

/* Is what was so long within the interval? Clocks of different rates: to 1 ns in each message. */
static int is_covered(const struct played *p, int c, const struct part *said, int64_t truth_ns)
{
	int64_t rates_ns = (int64_t)p->out.n;
	int yes = said->low_ns - rates_ns <= truth_ns && truth_ns <= said->high_ns + rates_ns;

	if (!yes || getenv("VERBOSE"))
		printf("%s is %" PRId64 " ns, said %" PRId64 " [%" PRId64 ", %" PRId64 "]\n",
		       cost_rows[c].name, truth_ns, said->ns, said->low_ns, said->high_ns);
	return yes;
}

/*
 * Clocks that bend must not make contention, and all that they may have moved, in messages and in
 * calls, has its interval. The same ring on one clock is exact. How long a rank computes, or starts
 * MPI, is by its own clock.
 */
static void judge_clocks(const struct played *p)
{
	struct played exact = play("quiet");

	CU_ASSERT_EQUAL(p->a.blame.parts[COST_network_contention].ns, 0);
	CU_ASSERT_EQUAL(p->a.blame.parts[COST_receiver_port].ns, 0);
	CU_ASSERT(p->a.blame.parts[COST_not_identifiable].ns > 0);
	for (int c = 0; c < COST_COUNT; c++) {
		CU_ASSERT(is_covered(p, c, &p->a.blame.parts[c], p->truth_ns[c]));
		CU_ASSERT(c == COST_compute || c == COST_start_end ||
			  is_covered(p, c, &p->a.budget.parts[c], exact.a.budget.parts[c].ns));
	}
	release(&exact);
}

static void test_blame_drifted_clocks(void)
{
	struct played p = play("drifted-clocks");
	struct played known = play_on("drifted-clocks", NULL, (struct cores){0}, KNOWN_MACHINE);

	CU_ASSERT(p.clock.error_ns >= 10000 && p.clock.error_ns < 40000);
	CU_ASSERT(known.clock.error_ns < p.clock.error_ns);
	judge_clocks(&p);
	judge_clocks(&known);
	release(&p);
	release(&known);
}

/* So far that they are mended, in windows: what is left may be any way. */
static void test_blame_bent_clocks(void)
{
	struct played p = play("bent-clocks");
	struct played known = play_on("bent-clocks", NULL, (struct cores){0}, KNOWN_MACHINE);

	CU_ASSERT(p.clock.windows > 0 && known.clock.windows > 0);
	judge_clocks(&known);
	CU_ASSERT_EQUAL(p.a.blame.parts[COST_network_contention].ns, 0);
	for (int c = 0; c < COST_COUNT; c++)
		CU_ASSERT(is_covered(&p, c, &p.a.blame.parts[c], p.truth_ns[c]));
	release(&p);
	release(&known);
}

static void test_blame_of_handling_that_is_not_known(void)
{
	struct played p = play_with("incast", blur_handling);
	const struct part *parts = p.a.blame.parts;

	CU_ASSERT(p.truth_ns[COST_receive_overhead] > 0);
	CU_ASSERT(parts[COST_receive_overhead].high_ns >= p.truth_ns[COST_receive_overhead]);
	CU_ASSERT(parts[COST_wire].low_ns <= p.truth_ns[COST_wire]);
	CU_ASSERT(parts[COST_handler_contention].high_ns >= p.truth_ns[COST_handler_contention]);
	release(&p);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_blame_partners),
	SUITE_CASE(test_blame_late_sender_is_awaited),
	SUITE_CASE(test_blame_crowds),
	SUITE_CASE(test_blame_oversubscription),
	SUITE_CASE(test_blame_of_ranks_that_share_cores),
	SUITE_CASE(test_blame_shared_cores_leave_no_contention_certain),
	SUITE_CASE(test_blame_waits_for_cores_bound_the_doubt),
	SUITE_CASE(test_blame_searches_may_look_like_the_network),
	SUITE_CASE(test_blame_drifted_clocks),
	SUITE_CASE(test_blame_bent_clocks),
	SUITE_CASE(test_blame_of_handling_that_is_not_known),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("blame", tests);
}
