/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What of a message's legs the machine, the clocks, the place or a pause cannot support. For
 * walk.c.
 */
#include "analyze/attribution/walk.h"

#include <assert.h>
#include <string.h>

#define CLOCK_SIGMAS 2.0207 /* 3.5 sigma when +-error is a uniform distribution: 3.5 / sqrt(3) */

/* Parts, a bit each, in all. */
static int64_t all_of(const struct walk *w, unsigned parts)
{
	int64_t at = w->start_ns, ns = 0;

	for (int k = 0; k < w->n; at = w->leg[k++].end_ns)
		ns += parts >> w->leg[k].part & 1 ? w->leg[k].end_ns - at : 0;
	return ns;
}

static void take_back(struct walk *w, unsigned parts)
{
	for (int k = 0; k < w->n; k++) {
		if (parts >> w->leg[k].part & 1) {
			w->leg[k].alt = w->leg[k].part;
			w->leg[k].part = COST_not_identifiable;
		}
	}
}

/*
 * What lies between an instant of the sender and one of the receiver, and that the clocks cannot
 * support, is taken back: network contention, which nothing proves of clocks that were shifted; and
 * what follows its estimated arrival, for which the time to there has to be known, too.
 */
static void judge_clocks(struct walk *w)
{
	const unsigned network = 1U << COST_network_contention,
		       after = 1U << COST_inattention | 1U << COST_uncollected |
			       1U << COST_handler_contention;
	double least_ns = CLOCK_SIGMAS * (double)clock_bound_ns(w->clock_error_ns);

	if (clock_is_moved(w->clock_error_ns) || (double)all_of(w, network) < least_ns)
		take_back(w, network);
	if ((double)all_of(w, after) < least_ns + (double)w->price->doubt_ns)
		take_back(w, after);
}

/* Is it somebody's waiting for a port or the network? */
static int is_on_the_way(enum cost part)
{
	return part == COST_sender_port || part == COST_receiver_port ||
	       part == COST_network_contention;
}

/*
 * Where no message was seen alone, what even the fastest of its size took is either what the
 * machine needs or contention that never lets up.
 */
static void judge_crowd(struct walk *w)
{
	int64_t at = w->start_ns, left_ns = w->price->doubt_ns;

	for (int k = 0; k < w->n && left_ns > 0; at = w->leg[k++].end_ns) {
		struct leg *leg = &w->leg[k];

		if (leg->part == COST_not_identifiable && is_on_the_way(leg->alt)) {
			left_ns -= leg->end_ns - at; /* said of it before */
			continue;
		}
		if (!is_on_the_way(leg->part))
			continue;
		if (leg->end_ns - at > left_ns && w->n < WALK_LEGS) { /* in two */
			memmove(leg + 1, leg, (size_t)(w->n - k) * sizeof(*leg));
			leg->end_ns = at + left_ns;
			w->sender_n += k < w->sender_n;
			w->n++;
		}
		left_ns -= leg->end_ns - at;
		leg->alt = leg->part;
		leg->part = COST_not_identifiable;
	}
}

/*
 * Within a node there is no network that could be crowded. What held a sender up there is, by
 * default, its receiver's handler; what came late although the receiver did nothing but wait
 * cannot be known: most often processors that had other work, the receiver's own among them.
 */
static void judge_place(struct walk *w)
{
	for (int k = 0; k < w->n; k++) {
		struct leg *leg = &w->leg[k];
		int proven = leg->alt == COST_network_contention;

		if (leg->part == COST_network_contention) {
			leg->part = proven ? COST_not_identifiable : COST_handler_contention;
			leg->alt = proven ? COST_handler_contention : COST_not_identifiable;
		} else if (leg->alt == COST_network_contention) {
			leg->alt = COST_handler_contention;
		}
	}
}

/* What a recorded call proves stays: when a send was called, a receive posted or a call left. */
static int is_inferred(enum cost part)
{
	switch (part) {
	case COST_inattention:
	case COST_uncollected:
	case COST_back_pressure:
	case COST_handler_contention:
	case COST_network_contention:
		return 1;
	default:
		return 0;
	}
}

static void add_leg(struct walk *w, int64_t end_ns, struct leg leg)
{
	if (end_ns <= w->at_ns)
		return;
	assert(w->n < WALK_LEGS);
	leg.end_ns = end_ns;
	w->leg[w->n++] = leg;
	w->at_ns = end_ns;
}

void walk_judge_unseen(const struct unseen *u, uint32_t src, uint32_t dst, struct walk *w)
{
	struct pause hull = unseen_hull(u, src, dst, w->start_ns, w->end_ns);
	struct walk seen;

	if (hull.until_ns <= hull.from_ns)
		return;
	seen = *w;
	w->n = w->sender_n = 0;
	w->at_ns = w->start_ns;
	for (int k = 0; k < seen.n; k++) {
		struct leg leg = seen.leg[k], hidden = {0, COST_not_identifiable, leg.part};

		if (is_inferred(leg.part)) {
			add_leg(w, earlier(leg.end_ns, hull.from_ns), leg);
			add_leg(w, earlier(leg.end_ns, hull.until_ns), hidden);
		}
		add_leg(w, leg.end_ns, leg);
		if (k + 1 == seen.sender_n)
			w->sender_n = w->n;
	}
}

void walk_judge(const struct scene *s, uint32_t i, struct walk *w)
{
	if (w->price->doubt_ns > 0)
		judge_crowd(w);
	if (w->clock_error_ns != 0)
		judge_clocks(w);
	if (!(s->facts[i].flags & MESSAGE_NETWORK))
		judge_place(w);
	if (s->unseen.n)
		walk_judge_unseen(&s->unseen, s->facts[i].src, s->facts[i].dst, w);
}
