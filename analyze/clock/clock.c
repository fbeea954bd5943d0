/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock.h"

#include "analyze/clock/clock_correct.h"
#include "analyze/clock/clock_course.h"
#include "analyze/clock/clock_pairs.h"
#include "analyze/clock/clock_parts.h"
#include "analyze/clock/clock_proofs.h"
#include "analyze/clock/clock_seed.h"
#include "analyze/machine/machine_ranges.h"

#include <math.h>
#include <stdlib.h>

#define PAIRS_OF_MOST 1024 /* clocks */
#define SHIFT_MAX_NS  (INT64_MAX / 8)

/* Windows of clocks that drift: from few to as many as it takes; and when to give up. */
#define WINDOWS_LEAST 4
#define WINDOWS_MOST  256
#define PASSES_MOST   100
#define PASSES_TRIAL  20        /* in so many, those that lack time must become half as many */
#define VISITS_MOST   200000000 /* messages looked at, for all numbers of windows */
#define STEP          1.5       /* of a projection: beyond 1 for speed, below 2 */
#define TRIFLE_NS     100
#define WORTH         20 /* what shifts leave is mended if so much less is left */

struct audit {
	struct trace *t;
	struct messages *m;
	const struct machine *machine; /* NULL: nothing is known of the least */
	struct clock_proofs proofs;
	struct clock_pairs pairs;
	struct clock_course course;
	uint64_t visits;   /* of passages, to correct clocks in windows */
	double lacking_ns; /* the most that a passage lacked, when they were last looked at */
	struct clock_quality out;
};

/* A message, or what a collective proves: from one clock to another it takes at least so long. */
struct passage {
	uint32_t src, dst; /* ranks */
	uint32_t from, to; /* clocks: the same, and it tells nothing */
	int64_t sent_ns, done_ns;
	int64_t least_ns;
};

static uint32_t clock_of(const struct audit *a, uint32_t rank)
{
	return a->t->ranks[rank].clock;
}

/* What the recorder says: both may be off the reference. */
static int64_t recorded_bound(const struct trace *t, uint32_t a, uint32_t b)
{
	int64_t x = t->ranks[a].clock_error_ns, y = t->ranks[b].clock_error_ns;

	return x < 0 || y < 0 || x > SHIFT_MAX_NS || y > SHIFT_MAX_NS ? INT64_MAX : x + y;
}

/* No message of the calibrated machine is faster, whoever waits for it. */
static int64_t least_ns(const struct audit *a, const struct message *x)
{
	const struct machine_class *c;
	double handling_s;

	if (!a->machine)
		return 0;
	c = &a->machine->classes[machine_locality(a->t, x->src, x->dst)];
	if (!c->n)
		return 0;
	handling_s = plogp_at((struct plogp){c->L_s, c->n, c->points}, (double)x->bytes).o_r_s;
	return (int64_t)(machine_ranges_at(c, x->bytes).time.least *
			 (machine_latency_s(c, x->bytes) + handling_s) * 1e9);
}

/* With one clock there is nothing to compare. */
static size_t passages(const struct audit *a)
{
	return a->t->clocks > 1 ? (size_t)a->m->n + a->proofs.n : 0;
}

/* The messages first. */
static struct passage passage_at(const struct audit *a, size_t i)
{
	struct passage x = {0};

	if (i < a->m->n) {
		const struct message *m = &a->m->m[i];

		x = (struct passage){
			.src = m->src, .dst = m->dst, .sent_ns = m->sent_ns, .done_ns = m->done_ns};
		if (clock_of(a, x.src) != clock_of(a, x.dst))
			x.least_ns = least_ns(a, m);
	} else {
		const struct clock_proof *p = &a->proofs.p[i - a->m->n];
		const struct call *entered = &a->t->calls[p->entered];
		const struct call *left = &a->t->calls[p->left];

		x = (struct passage){.src = entered->rank,
				     .dst = left->rank,
				     .sent_ns = entered->enter_ns,
				     .done_ns = left->leave_ns};
	}
	x.from = clock_of(a, x.src);
	x.to = clock_of(a, x.dst);
	return x;
}

/* From the entry to the completion: never negative with one clock. */
static int64_t time_of(const struct passage *x)
{
	return x->done_ns - x->sent_ns;
}

static int measure(struct audit *a, size_t i)
{
	struct passage x = passage_at(a, i);
	int64_t ns = time_of(&x);
	struct clock_pair *p;

	if (x.from == x.to)
		return 0;
	if (ns < 0 && i < a->m->n)
		a->out.violations++;
	else if (ns < 0)
		a->out.early_leaves++;
	p = clock_pairs_add(&a->pairs, x.from, x.to, recorded_bound(a->t, x.src, x.dst));
	if (!p)
		return -1;
	if (p->windows)
		clock_windows_add(p->windows, x.done_ns, a->t->wall_ns, ns - x.least_ns);
	return 0;
}

/* The fastest of each pair in each slot. */
static int note_fastest(struct audit *a)
{
	if (clock_pairs_slots(&a->pairs, a->t->wall_ns))
		return -1;
	for (size_t i = 0; a->pairs.all && i < passages(a); i++) {
		struct passage x = passage_at(a, i);

		if (x.from != x.to)
			clock_pairs_note(&a->pairs, clock_pairs_find(&a->pairs, x.from, x.to),
					 x.done_ns, time_of(&x) - x.least_ns);
	}
	return 0;
}

/*
 * Least shifts >= 0 with shift(to) >= shift(from) - fastest for all pairs: longest
 * paths, by relaxation. Where messages both ways are too fast (a clock that drifts)
 * no shift helps; after as many rounds as there are clocks, or where shifts would grow
 * beyond reason, those are left alone. Returns whether all is mended.
 */
static int find_shifts(struct audit *a)
{
	double *shift_ns = a->course.knot_ns;
	uint32_t round, changed = 1;
	const struct clock_pair *p;

	for (round = 0; changed && round <= a->t->clocks; round++) {
		changed = 0;
		for (p = a->pairs.all; p; p = p->hh.next) {
			double least = shift_ns[p->clocks.from] - (double)p->fastest_ns;

			if (least > shift_ns[p->clocks.to] && least <= SHIFT_MAX_NS) {
				shift_ns[p->clocks.to] = least;
				changed = 1;
			}
		}
	}
	return !changed;
}

/*
 * The same for clocks that drift, each clock's shift changing with time: one passage after the
 * other, what it lacks is shared between its two clocks (projections onto half-spaces: Motzkin and
 * Schoenberg 1954), until none lacks more than a trifle, which stays.
 */
static int find_course(struct audit *a)
{
	uint32_t pass, lacking = 1, before = UINT32_MAX;

	for (pass = 0; lacking && pass < PASSES_MOST && a->visits < VISITS_MOST; pass++) {
		if (pass % PASSES_TRIAL == 1) {
			if (lacking > before / 2)
				break;
			before = lacking;
		}
		a->visits += passages(a);
		a->lacking_ns = lacking = 0;
		for (size_t i = 0; i < passages(a); i++) {
			struct passage x = passage_at(a, i);
			double lacks_ns;

			if (x.from == x.to)
				continue;
			lacks_ns = (double)(x.least_ns - time_of(&x)) +
				   clock_course_at(&a->course, x.from, x.sent_ns) -
				   clock_course_at(&a->course, x.to, x.done_ns);
			if (lacks_ns <= 0)
				continue;
			lacking += lacks_ns > TRIFLE_NS;
			a->lacking_ns = fmax(a->lacking_ns, lacks_ns);
			clock_course_raise(&a->course, x.to, x.done_ns, STEP * lacks_ns / 2);
			clock_course_raise(&a->course, x.from, x.sent_ns, -STEP * lacks_ns / 2);
		}
	}
	return !lacking && !clock_course_is_steep(&a->course);
}

/* The most that a passage lacks when clocks are corrected by constants. */
static double lacking_ns(const struct audit *a)
{
	double most_ns = 0;

	for (const struct clock_pair *p = a->pairs.all; p; p = p->hh.next)
		most_ns = fmax(most_ns, a->course.knot_ns[p->clocks.from] -
						a->course.knot_ns[p->clocks.to] -
						(double)p->fastest_ns);
	return most_ns;
}

/*
 * Constants if they do; else in as few windows as mend it, or in the most if next to nothing is
 * left then of what constants leave; constants again if none do.
 */
static int find_correction(struct audit *a)
{
	struct clock_course constants = a->course;
	double left_ns;
	uint32_t windows;

	if (find_shifts(a))
		return 0;
	left_ns = lacking_ns(a);
	for (windows = WINDOWS_LEAST; windows <= WINDOWS_MOST; windows *= 2) {
		if (clock_course_init(&a->course, a->t->clocks, windows, a->t->wall_ns) ||
		    clock_seed(&a->pairs, &a->course)) {
			clock_course_release(&a->course);
			a->course = constants;
			return -1;
		}
		if (find_course(a) || (windows == WINDOWS_MOST && a->lacking_ns < left_ns / WORTH &&
				       !clock_course_is_steep(&a->course))) {
			clock_course_release(&constants);
			return 0;
		}
		clock_course_release(&a->course);
	}
	a->course = constants;
	return 0;
}

/* Room for what is known of each pair of clocks; of very many the largest error goes for all. */
static int make_pairs(struct trace *t)
{
	size_t n = (size_t)t->clocks * t->clocks;

	free(t->pair_error_ns);
	t->pair_error_ns = NULL;
	if (t->clocks < 2 || t->clocks > PAIRS_OF_MOST)
		return 0;
	t->pair_error_ns = calloc(n, sizeof(*t->pair_error_ns));
	return t->pair_error_ns ? 0 : -1;
}

/*
 * The offset that is left between two clocks lies within [-backward, forward], as far as the
 * messages tell; within the recorder's bound, if that is closer and they do not disprove it.
 */
static void judge(struct audit *a)
{
	struct clock_pair *p;

	for (p = a->pairs.all; p; p = p->hh.next) {
		int same = clock_course_is_same(&a->course, p->clocks.from, p->clocks.to);
		struct clock_bound b =
			clock_pairs_bound(&a->pairs, p, &a->course, same ? p->known_ns : INT64_MAX);

		p->fastest_ns = b.fastest_ns;
		if (b.any_ns > a->out.error_ns)
			a->out.error_ns = b.any_ns;
		if (a->t->pair_error_ns)
			a->t->pair_error_ns[(size_t)p->clocks.from * a->t->clocks + p->clocks.to] =
				same ? b.used_ns : clock_moved_ns(b.used_ns);
	}
	for (p = a->pairs.all; p; p = p->hh.next) {
		const struct clock_pair *back =
			clock_pairs_find(&a->pairs, p->clocks.to, p->clocks.from);
		int64_t skew_ns = back ? llabs(p->fastest_ns - back->fastest_ns) / 2 : 0;

		if (skew_ns > a->out.skew_ns)
			a->out.skew_ns = skew_ns;
	}
	a->t->clock_error_ns = a->out.error_ns;
}

int64_t clock_pair_error_ns(const struct trace *t, const struct clock_quality *q, uint32_t a,
			    uint32_t b)
{
	if (t->ranks[a].clock == t->ranks[b].clock && t->pair_error_ns)
		return 0;
	if (!t->pair_error_ns)
		return q->error_ns;
	return t->pair_error_ns[(size_t)t->ranks[a].clock * t->clocks + t->ranks[b].clock];
}

static int align(struct audit *a, const struct collectives *c)
{
	if (clock_course_init(&a->course, a->t->clocks, 0, a->t->wall_ns) ||
	    clock_proofs_find(a->t, c, &a->proofs))
		return -1;
	for (size_t i = 0; i < passages(a); i++)
		if (measure(a, i))
			return -1;
	if (note_fastest(a))
		return -1;
	a->out.drift_ns = clock_pairs_rates(&a->pairs, a->t->wall_ns, &a->out.jumped);
	if (a->out.violations || a->out.early_leaves) {
		if (find_correction(a))
			return -1;
		for (uint32_t clock = 0; clock < a->t->clocks; clock++)
			a->out.moved_nodes += !clock_course_is_zero(&a->course, clock);
		a->out.windows = a->course.windows;
	}
	if (clock_parts_align(a->t, &a->pairs, &a->course, &a->out.parts))
		return -1;
	if (clock_is_corrected(&a->out)) {
		clock_correct(a->t, a->m, &a->course);
		if (clock_pairs_raise(&a->pairs, &a->course))
			return -1;
	}
	if (make_pairs(a->t))
		return -1;
	judge(a);
	return 0;
}

int clock_align(struct trace *t, struct messages *m, const struct collectives *c,
		const struct machine *machine, struct clock_quality *out, struct err *err)
{
	struct audit a = {.t = t, .m = m, .machine = machine};
	int ret = align(&a, c);

	if (ret)
		err_set(err, "%s: out of memory while comparing its clocks", t->anchor);
	else
		*out = a.out;
	clock_proofs_release(&a.proofs);
	clock_pairs_release(&a.pairs);
	clock_course_release(&a.course);
	return ret;
}
