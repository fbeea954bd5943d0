/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An imbalance of ranks that one rank, with whom all messages are, gives work: in rounds, the next
 * of which begins when all have answered. Then each waits for the one that computes longest, by way
 * of the rank in the middle, which waits for it. So long an average rank waits for the computation
 * of others: smaller pieces, of which who is done gets the next one, save that. Whether the work
 * can be divided is not known: nothing is certain. Of who takes the next piece when he is done
 * little is found; where it is always the same rank that is waited for rule_imbalance.c has what
 * its share costs.
 */
#include "analyze/attribution/lateness.h"
#include "analyze/gains/shared_cores.h"
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WITH_HUB       0.95 /* of the messages are from or to the rank in the middle */
#define SHARE_CHANGING 0.05 /* of wall time: less is noise */
#define WAITS_MIN      10   /* of a rank; fewer are no habit */
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
};

/* With whom next to all messages are; TRACE_NONE: nobody. */
static uint32_t find_hub(const struct messages *m, uint32_t ranks, uint32_t *with)
{
	uint32_t hub = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		with[m->m[i].src]++;
		with[m->m[i].dst]++;
	}
	for (uint32_t r = 1; r < ranks; r++)
		hub = with[r] > with[hub] ? r : hub;
	return m->n > 0 && with[hub] >= WITH_HUB * m->n ? hub : TRACE_NONE;
}

/* Waits of one call site are of one rank and for one rank there, at the end of all chains. */
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

static int report(const struct rounds *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	struct hotspot h = {.kind = "imbalance", .rank = TRACE_NONE};
	uint32_t others = b->t->n_ranks - 1;

	h.saves_high_s = x->sum_s / others;
	h.saves_mid_s = fmax(0, h.saves_high_s - shared_cores_awaited_s(b));
	if (h.saves_mid_s < SHARE_CHANGING * b->wall_s || x->waits < (uint64_t)WAITS_MIN * others ||
	    x->rank_s[x->most] > ALWAYS * x->sum_s)
		return 0;
	h.site = b->t->calls[x->at].site;
	h.region = b->t->calls[x->at].region;
	snprintf(h.title, sizeof(h.title),
		 "from round to round another rank computes longest, the others wait");
	snprintf(h.why, sizeof(h.why),
		 "not contention: rank %u gives the others work in rounds, and the next one begins "
		 "when the last rank is done; each of the %u waits %s for the computation of "
		 "others on average",
		 x->hub, others, number_seconds(h.saves_high_s).text);
	snprintf(h.advice, sizeof(h.advice),
		 "divide the work into smaller pieces and give the next one to whoever is done, or "
		 "begin the next round before the last is over");
	hotspot_evidence(&h, "waits", (double)x->waits);
	hotspot_evidence(&h, "waited_s", x->sum_s);
	hotspot_evidence(&h, "core_awaited_s", shared_cores_awaited_s(b));
	return findings_add(out, &h, err);
}

static int look(struct rounds *x, struct findings *out, struct err *err)
{
	struct lateness late;

	if (lateness_find(&late, x->b->t, x->b->m, x->b->a, err))
		return -1;
	add_up(x, &late);
	lateness_release(&late);
	return x->at == TRACE_NONE ? 0 : report(x, out, err);
}

int rule_rounds(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct rounds x = {.b = b, .at = TRACE_NONE};
	uint32_t *with = calloc(b->t->n_ranks + 1u, sizeof(*with));
	int ret = -1;

	x.rank_s = calloc(b->t->n_ranks + 1u, sizeof(*x.rank_s));
	if (!with || !x.rank_s) {
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	} else {
		x.hub = find_hub(b->m, b->t->n_ranks, with);
		ret = x.hub == TRACE_NONE ? 0 : look(&x, out, err);
	}
	free(x.rank_s);
	free(with);
	return ret;
}
