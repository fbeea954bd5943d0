/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An imbalance of ranks that one rank, with whom all messages are, gives work: in rounds, the next
 * of which begins when all have answered. Then each waits for the one that computes longest, by way
 * of the rank in the middle, which waits for it. So long an average rank waits for the computation
 * of others: smaller pieces, of which who is done gets the next one, save that. Whether the work
 * can be divided is not known: nothing is certain. Of who takes the next piece when he is done
 * little is found. Where it is always the same rank that is waited for rule_imbalance.c has what
 * its share costs, but where that takes the rank in the middle for a server. Likely is what is left
 * without what the others may have waited for a core while they computed; at most, all waits for
 * cores go, too.
 */
#include "analyze/attribution/lateness.h"
#include "analyze/gains/hub.h"
#include "analyze/gains/shared_cores.h"
#include "analyze/hotspots/rules.h"
#include "analyze/opinion/server_load.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARE_CHANGING 0.05 /* of wall time: less is noise */
#define WAITS_MIN      10   /* of a rank; fewer are no habit */
#define LITTLE         0.5  /* of what ranks compute on average */
#define ALWAYS         0.75 /* of what is waited for is one rank's: it is that one */

/* What ranks wait for each other's computation by way of the hub. */
struct rounds {
	const struct evidence_base *b;
	uint32_t hub;
	double *rank_s; /* per rank: what others wait for it, */
	double sum_s;   /* and for all */
	uint64_t waits;
	uint32_t most; /* the rank that is waited for most, */
	uint32_t at;   /* and a call after most of the computation; TRACE_NONE */
	int64_t at_ns;
	double hub_s; /* so long the others wait for what the hub sends */
};

/* Does it compute little, but for what it sends the others? */
static int gives_work(const struct evidence_base *b, uint32_t hub)
{
	double all_s = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		all_s += (double)b->a->rank_budget[r].parts[COST_compute].ns;
	return (double)b->a->rank_budget[hub].parts[COST_compute].ns <=
	       LITTLE * all_s / b->t->n_ranks;
}

/* So long the others wait for what it sends, in calls that take nothing else. */
static double waits_for_hub_s(const struct rounds *x)
{
	const struct messages *m = x->b->m;
	uint32_t last = TRACE_NONE;
	double sum_s = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t call = message_asked(x->b->t, &m->m[i]);

		if (m->m[i].src == x->hub && m->m[i].dst != x->hub && call != last)
			sum_s +=
				(double)slices_part(&x->b->a->call, call, COST_late_partner) * 1e-9;
		last = call;
	}
	return sum_s;
}

/* Rows have waits for others than whom the call waited for: of that the hub is in the middle. */
static void add_up(struct rounds *x, const struct lateness *l)
{
	for (size_t k = 0; k < l->n; k++) {
		const struct late_partner *row = &l->rows[k];
		int64_t ns = row->ns - row->direct_ns;

		if (row->reason != LATENESS_COMPUTATION || row->rank == x->hub || ns <= 0)
			continue;
		x->rank_s[row->rank] += (double)ns * 1e-9;
		x->sum_s += (double)ns * 1e-9;
		x->waits += row->waits;
		if (x->rank_s[row->rank] > x->rank_s[x->most])
			x->most = row->rank;
		if (ns > x->at_ns) {
			x->at_ns = ns;
			x->at = row->at;
		}
	}
}

/* Of what they computed the others may have been without a core for so long, in all. */
static double away_s(const struct rounds *x)
{
	double sum_s = 0;

	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		if (r != x->hub)
			sum_s += shared_cores_away_s(
				x->b, r,
				(double)x->b->a->rank_budget[r].parts[COST_compute].ns * 1e-9);
	return sum_s;
}

/* What is left of the run's time beside what the others surely compute, on average. */
static double not_computing_s(const struct rounds *x)
{
	double sum_s = 0;

	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		if (r != x->hub)
			sum_s += (double)x->b->a->rank_budget[r].parts[COST_compute].low_ns * 1e-9;
	return fmax(0, x->b->wall_s - sum_s / (x->b->t->n_ranks - 1));
}

static int report(const struct rounds *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	struct hotspot h = {.kind = "imbalance", .rank = TRACE_NONE};
	uint32_t others = b->t->n_ranks - 1;
	int is_one = x->rank_s[x->most] > ALWAYS * x->sum_s;
	double waits_s = fmin(x->sum_s, x->hub_s) / others;
	struct server_load load;
	int is_server;

	h.saves_high_s = fmin(waits_s + shared_cores_awaited_s(b), not_computing_s(x));
	h.saves_mid_s = fmin(fmax(0, waits_s - away_s(x) / others), h.saves_high_s);
	if (h.saves_mid_s < SHARE_CHANGING * b->wall_s || x->waits < (uint64_t)WAITS_MIN * others)
		return 0;
	is_server = is_one ? server_load_find(b, &load, err) : 0;
	if (is_one && is_server <= 0) /* rule_imbalance.c has it */
		return is_server;
	h.site = b->t->calls[x->at].site;
	h.region = b->t->calls[x->at].region;
	h.rank = is_one ? x->most : TRACE_NONE;
	if (is_one)
		snprintf(h.title, sizeof(h.title),
			 "rank %u computes longest in each round, the others wait", x->most);
	else
		snprintf(h.title, sizeof(h.title),
			 "from round to round another rank computes longest, the others wait");
	snprintf(h.why, sizeof(h.why),
		 "not contention: rank %u gives the others work in rounds, and the next one begins "
		 "when the last rank is done; each of the %u waits %s for the computation of "
		 "others on average",
		 x->hub, others, number_seconds(waits_s).text);
	snprintf(h.advice, sizeof(h.advice),
		 "divide the work into smaller pieces and give the next one to whoever is done, or "
		 "begin the next round before the last is over");
	hotspot_evidence(&h, "waits", (double)x->waits);
	hotspot_evidence(&h, "waited_s", x->sum_s);
	return findings_add(out, &h, err);
}

static int look(struct rounds *x, struct findings *out, struct err *err)
{
	struct lateness late;

	x->hub_s = waits_for_hub_s(x);
	if (x->hub_s < SHARE_CHANGING * x->b->wall_s * (x->b->t->n_ranks - 1))
		return 0;
	if (lateness_find(&late, x->b->t, x->b->m, x->b->a, err))
		return -1;
	add_up(x, &late);
	lateness_release(&late);
	return x->at == TRACE_NONE ? 0 : report(x, out, err);
}

int rule_rounds(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct rounds x = {.b = b, .at = TRACE_NONE};
	int ret;

	if (hub_find(b, &x.hub, err))
		return -1;
	if (x.hub == TRACE_NONE || !gives_work(b, x.hub))
		return 0;
	x.rank_s = calloc(b->t->n_ranks + 1u, sizeof(*x.rank_s));
	if (!x.rank_s)
		return err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	ret = look(&x, out, err);
	free(x.rank_s);
	return ret;
}
