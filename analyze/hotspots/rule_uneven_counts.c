/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A skew hotspot of collectives: in MPI_Alltoallv and alike one rank gets or gives far more than
 * its share, by the bytes that each rank's record has, and all are in the collective as long as
 * that takes. Rooted ones have their root on purpose. Even counts would take no less than an even
 * rank's share of the bytes does: the rest of the time that the rank is in it, once all came, is
 * the most. What is likely is what the machine needs for the bytes that it has too many; where
 * the machine is not known, the most, if they are so many that latency does not matter. An
 * unevenness that moves from rank to rank with the calls is not seen.
 */
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MIN    4
#define SHARE_FACTOR 2.5     /* times an even share of the bytes */
#define BYTES_MIN    65536.0 /* of the rank in a call, where the machine is not known */
#define EXPLAINS_MIN 0.1     /* of the time by the bytes, where it is known */

/* One rank in the collectives of the place at work. */
struct column {
	double got, given; /* bytes */
	double moved_s;    /* at work in them after the last rank entered */
	double calls;
};

struct uneven_counts {
	const struct evidence_base *b;
	uint8_t *is_vector; /* per region */
	double *moved_s;    /* per place, of all ranks */
	struct column *ranks;
	double *sorted;
};

/* Who has most of a place's bytes, in the direction in which more is one rank's. */
struct heaviest {
	uint32_t rank, members;
	int gives;
	double bytes, all, gini;
};

static int find_regions(struct uneven_counts *x)
{
	int any = 0;

	for (uint32_t k = 0; k < x->b->t->n_regions; k++) {
		const char *name = x->b->t->regions[k].name;

		x->is_vector[k] = strstr(name, "lltoallv") || strstr(name, "lltoallw");
		any |= x->is_vector[k];
	}
	return any;
}

static int is_vector(const struct uneven_counts *x, const struct op *op)
{
	return op->kind == OP_COLL && op->call != TRACE_NONE &&
	       x->is_vector[x->b->t->calls[op->call].region];
}

static double moved_s(const struct evidence_base *b, uint32_t call)
{
	return (double)slices_part(&b->a->call, call, COST_collective_transfer) * 1e-9;
}

static void add_places(struct uneven_counts *x)
{
	const struct trace *t = x->b->t;

	for (uint32_t i = 0; i < t->n_ops; i++)
		if (is_vector(x, &t->ops[i]))
			x->moved_s[trace_place(t, t->ops[i].call)] += moved_s(x->b, t->ops[i].call);
}

/* The ranks' shares in a place; returns one of its calls, the last. */
static uint32_t add_ranks(struct uneven_counts *x, uint32_t place)
{
	const struct trace *t = x->b->t;
	uint32_t call = TRACE_NONE;

	memset(x->ranks, 0, t->n_ranks * sizeof(*x->ranks));
	for (uint32_t i = 0; i < t->n_ops; i++) {
		const struct op *op = &t->ops[i];
		struct column *c;

		if (!is_vector(x, op) || trace_place(t, op->call) != place)
			continue;
		call = op->call;
		c = &x->ranks[t->calls[call].rank];
		c->got += (double)op->bytes_in;
		c->given += (double)op->bytes;
		c->moved_s += moved_s(x->b, call);
		c->calls++;
	}
	return call;
}

static struct heaviest weigh(struct uneven_counts *x, int gives)
{
	struct heaviest h = {.gives = gives};

	for (uint32_t r = 0; r < x->b->t->n_ranks; r++) {
		double bytes = gives ? x->ranks[r].given : x->ranks[r].got;

		if (x->ranks[r].calls <= 0)
			continue;
		x->sorted[h.members++] = bytes;
		h.all += bytes;
		if (bytes > h.bytes) {
			h.bytes = bytes;
			h.rank = r;
		}
	}
	h.gini = rule_gini(x->sorted, h.members);
	return h;
}

static struct heaviest heaviest_of(struct uneven_counts *x)
{
	struct heaviest got = weigh(x, 0), given = weigh(x, 1);

	if (got.all <= 0 || given.bytes * got.all > got.bytes * given.all)
		return given;
	return got;
}

/* What the machine needs for the rank's bytes, as messages from or to each other rank; NAN. */
static double by_machine_s(const struct uneven_counts *x, const struct heaviest *h)
{
	const struct trace *t = x->b->t;
	double calls = x->ranks[h->rank].calls, others = h->members - 1, s = 0;

	for (uint32_t r = 0; r < t->n_ranks; r++) {
		struct idle_price p;

		if (r == h->rank || x->ranks[r].calls <= 0)
			continue;
		p = evidence_price_of(x->b, h->gives ? h->rank : r, h->gives ? r : h->rank,
				      h->bytes / calls / others);
		s = p.known ? s + calls * p.at.g_s : NAN;
	}
	return s;
}

static void write_words(const struct uneven_counts *x, const struct heaviest *h, double machine_s,
			struct hotspot *out)
{
	const char *mpi = x->b->t->regions[out->region].name;
	const char *gets = h->gives ? "gives" : "gets";
	double share = h->bytes / h->all;
	char needs[100] = "; how much of it the bytes need is not known without a machine file";

	if (isfinite(machine_s))
		snprintf(needs, sizeof(needs), "; the machine needs %s for its bytes",
			 number_seconds(machine_s).text);
	snprintf(out->title, sizeof(out->title),
		 "rank %u %s %.0f %% of the bytes of %s, %.1f times its share", h->rank, gets,
		 100 * share, mpi, share * h->members);
	snprintf(out->why, sizeof(out->why),
		 "counts are uneven (Gini %.2f): rank %u %s %s of %s; it was in these calls for "
		 "%s after the last rank had entered%s",
		 h->gini, h->rank, gets, number_bytes(h->bytes).text, number_bytes(h->all).text,
		 number_seconds(x->ranks[h->rank].moved_s).text, needs);
	snprintf(out->advice, sizeof(out->advice),
		 "spread the counts evenly, or divide what rank %u %s among several ranks", h->rank,
		 h->gives ? "owns" : "does with them");
}

static int report(struct uneven_counts *x, uint32_t place, struct findings *out, struct err *err)
{
	uint32_t call = add_ranks(x, place);
	struct heaviest h = heaviest_of(x);
	const struct column *c = &x->ranks[h.rank];
	double machine_s, excess;
	struct hotspot found = {.kind = "skew", .rank = h.rank};

	if (h.members < RANKS_MIN || h.all <= 0 || h.bytes * h.members < SHARE_FACTOR * h.all)
		return 0;
	excess = 1 - h.all / h.members / h.bytes;
	machine_s = by_machine_s(x, &h);
	if (isfinite(machine_s) ? machine_s < EXPLAINS_MIN * c->moved_s
				: h.bytes < BYTES_MIN * c->calls)
		return 0;
	found.saves_high_s = fmin(c->moved_s * excess, x->b->wall_s);
	found.saves_mid_s = isfinite(machine_s) ? fmin(machine_s * excess, found.saves_high_s)
						: found.saves_high_s;
	found.site = rule_key_site(x->b->t, place);
	found.region = x->b->t->calls[call].region;
	write_words(x, &h, machine_s, &found);
	hotspot_evidence(&found, "bytes_share", h.bytes / h.all);
	hotspot_evidence(&found, "even_share", 1.0 / h.members);
	hotspot_evidence(&found, "volume_gini", h.gini);
	hotspot_evidence(&found, "bytes", h.bytes);
	hotspot_evidence(&found, "calls", c->calls);
	hotspot_evidence(&found, "moving_s", c->moved_s);
	return findings_add(out, &found, err);
}

static int look(struct uneven_counts *x, struct findings *out, struct err *err)
{
	add_places(x);
	for (uint32_t k = 0; k < trace_places(x->b->t); k++)
		if (x->moved_s[k] >= RULE_LEAST_SHARE * x->b->rank_time_s && report(x, k, out, err))
			return -1;
	return 0;
}

int rule_uneven_counts(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct uneven_counts x = {.b = b};
	size_t ranks = b->t->n_ranks + 1u;
	int ret = -1;

	x.is_vector = calloc(b->t->n_regions + 1u, sizeof(*x.is_vector));
	x.moved_s = calloc(trace_places(b->t) + 1u, sizeof(*x.moved_s));
	x.ranks = calloc(ranks, sizeof(*x.ranks));
	x.sorted = calloc(ranks, sizeof(*x.sorted));
	if (!x.is_vector || !x.moved_s || !x.ranks || !x.sorted)
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	else
		ret = find_regions(&x) ? look(&x, out, err) : 0;
	free(x.sorted);
	free(x.ranks);
	free(x.moved_s);
	free(x.is_vector);
	return ret;
}
