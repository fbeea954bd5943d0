/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: a rank waits for the message of one rank while that of another one, which it
 * takes later, is there. Taken as they come (MPI_ANY_SOURCE, MPI_Waitany) what it does with each,
 * and what others do with its answers, goes on meanwhile: gains/receive_order.h has what these
 * calls gain by that, and the replay what the run does. Whether the program needs its order is not
 * known: nothing is certain to be saved; at most all that was waited like that, as who is answered
 * sooner may also be given more of the work, and where ranks share cores what they waited for
 * these.
 */
#include "analyze/gains/receive_order.h"
#include "analyze/gains/retime.h"
#include "analyze/gains/shared_cores.h"
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES_MAX     5    /* that are looked at, those with most to gain */
#define WAITED_MIN     10   /* turns; fewer are no habit */
#define ANSWERED_LEAST 0.05 /* of the run that those answered may save by another sharing out */
#define FIXED          0.9  /* of the turns are of the rank that was the next before, too */
#define NEXT_LEAST     0.1  /* of what is worth a line: waited so while the next one's was there */

/* The rank that lost most, if most of all is its. */
static uint32_t most_of(const struct evidence_base *b, const double *lost_s)
{
	uint32_t most = 0;
	double all_s = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		all_s += lost_s[r];
		most = lost_s[r] > lost_s[most] ? r : most;
	}
	return 2 * lost_s[most] > all_s ? most : TRACE_NONE;
}

/*
 * So much of the run's time is not the program's own, of the rank that has most of that, s; or of
 * all on average, as who is free may get more of it.
 */
static double waits_s(const struct evidence_base *b, int is_shared_out)
{
	double most_s = 0, sum_s = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		const struct part *parts = b->a->rank_budget[r].parts;
		double own_s =
			(double)(parts[COST_compute].low_ns + parts[COST_start_end].ns) * 1e-9;

		most_s = fmax(most_s, own_s);
		sum_s += own_s;
	}
	return fmax(0, b->wall_s - (is_shared_out ? sum_s / b->t->n_ranks : most_s));
}

/* What else the most has, in words. */
static const char *most_is(const struct evidence_base *b, const struct receive_order *o)
{
	if (shared_cores_awaited_s(b) <= RULE_LEAST_SHARE * b->wall_s)
		return o->is_answered ? "; the most is if who is free gets the next piece of work"
				      : "";
	return o->is_answered ? "; the most is if who is free gets the next piece of work, and "
				"others the core meanwhile"
			      : "; the most is if others have the core meanwhile";
}

static void put_words(const struct evidence_base *b, const struct receive_order *o,
		      struct hotspot *h)
{
	int waits = region_waits(trace_call_kind(b->t, o->call));
	char who[24] = "ranks wait", place[120];

	if (h->rank != TRACE_NONE)
		snprintf(who, sizeof(who), "rank %u waits", h->rank);
	snprintf(h->title, sizeof(h->title),
		 "%s for messages in a fixed order while others are there", who);
	snprintf(
		h->why, sizeof(h->why),
		"not contention: in %s of %s turns a rank waited while the message of another one, "
		"whose turn comes later, was there, for %s in all; what is done with each "
		"message%s later by that%s",
		number_words(o->waited).text, number_words(o->turns).text,
		number_seconds(o->waited_s).text,
		o->is_answered ? ", and its answer, come" : " comes", most_is(b, o));
	snprintf(h->advice, sizeof(h->advice),
		 "take them as they come, if their order does not matter: %s%s%s",
		 waits ? "MPI_Waitany instead of " : "MPI_ANY_SOURCE in ",
		 rule_place(b->t, o->call, sizeof(place), place),
		 waits ? "" : ", or MPI_Irecv for all and MPI_Waitany");
}

static int report(const struct evidence_base *b, struct receive_order *o, uint32_t key,
		  struct findings *out, struct err *err)
{
	const struct retime as_they_come = {.to = o->to};
	struct hotspot h = {.kind = "receive_order"};

	if (receive_order_find(o, b, key, err))
		return -1;
	if (o->waited < WAITED_MIN || o->as_before < FIXED * o->followed)
		return 0;
	rule_saves(b, o->lost_s, &h);
	if (retime_run(b, &as_they_come, &h.saves_mid_s, err))
		return -1;
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s &&
	    !(o->is_answered && h.saves_high_s >= ANSWERED_LEAST * b->wall_s))
		return 0;
	h.saves_high_s += shared_cores_awaited_s(b);
	h.saves_high_s = fmax(h.saves_mid_s, fmin(h.saves_high_s, waits_s(b, o->is_answered)));
	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[o->call].region;
	h.rank = most_of(b, o->lost_s);
	put_words(b, o, &h);
	hotspot_evidence(&h, "turns", o->turns);
	hotspot_evidence(&h, "waited", o->waited);
	hotspot_evidence(&h, "waited_s", o->waited_s);
	return findings_add(out, &h, err);
}

/* The places with most to gain, one after the other. */
static int look(const struct evidence_base *b, struct receive_order *o, double *key_s,
		struct findings *out, struct err *err)
{
	for (int k = 0; k < PLACES_MAX; k++) {
		uint32_t key = rule_take_most(key_s, trace_places(b->t),
					      NEXT_LEAST * RULE_LEAST_SHARE * b->wall_s);

		if (key == TRACE_NONE)
			break;
		if (!o->to && receive_order_init(o, b, err))
			return -1;
		if (report(b, o, key, out, err))
			return -1;
	}
	return 0;
}

int rule_receive_order(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct receive_order o = {NULL};
	double *key_s = calloc(trace_places(b->t) + 1u, sizeof(*key_s));
	int ret = -1;

	if (!key_s) {
		err_set(err, "out of memory for %u places", trace_places(b->t));
	} else {
		receive_order_weigh(b, key_s);
		ret = look(b, &o, key_s, out, err);
	}
	receive_order_release(&o);
	free(key_s);
	return ret;
}
