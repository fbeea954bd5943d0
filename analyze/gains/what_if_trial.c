/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/what_if_trial.h"

#include <math.h>

static double cut_of(double was_s, double is_s)
{
	return was_s > 0 ? fmax(0, 1 - is_s / was_s) : 0;
}

static double wire_s(const struct machine_class *c, const struct plogp_point *p, double bytes,
		     int is_held_back)
{
	double s = machine_latency_s(c, (uint64_t)bytes) + p->g_s - p->o_s_s - p->o_r_s;
	double handshake_s = c->has_handshake ? c->handshake_s : c->L_s;

	return fmax(0, s) + (is_held_back ? 2 * handshake_s : 0);
}

static struct cuts cuts_of(const struct trial *t, const struct idle_price *p)
{
	const struct machine_class *was = &t->b->machine->classes[p->class];
	const struct machine_class *is = &t->machine.classes[p->class];
	struct plogp_point at;
	struct cuts x;

	if (!p->known)
		return (struct cuts){0, 0, 0};
	at = plogp_at((struct plogp){is->L_s, is->n, is->points}, p->at.bytes);
	x = (struct cuts){cut_of(wire_s(was, &p->at, p->at.bytes, p->is_held_back),
				 wire_s(is, &at, p->at.bytes, p->is_held_back)),
			  t->b->machine->source == MACHINE_FILE
				  ? cut_of(p->at.g_s, at.g_s)
				  : cut_of(p->L_s + p->at.g_s, is->L_s + at.g_s),
			  cut_of(p->at.o_s_s, at.o_s_s)};
	if (t->contention == CONTENTION_GOES && machine_is_of_crowds(t->b->machine, was) &&
	    x.way > 0) /* what it takes alone was not seen: it may be others that are in the way */
		x.way = 1 - (1 - x.way) / (1 + was->company) / (1 + was->crowding);
	return x;
}

/* One that shares its core, or lost it for nobody knows how long, has it never for sure. */
static double core_share(const struct trace *t, uint32_t rank)
{
	double recorded_ns = (double)trace_recorded_ns(t, rank);
	double awaited_ns = (double)t->ranks[rank].core_awaited_ns;

	if (!trace_lacks_core(t, rank))
		return 1;
	if (trace_shares_core(t, rank) || awaited_ns <= 0)
		return 0;
	return recorded_ns > 0 ? fmax(0, 1 - awaited_ns / recorded_ns) : 0;
}

double trial_collective_ns(const struct trial *t, uint32_t collective, uint32_t rank, double ns)
{
	double cut = t->coll[collective], idle_ns = fmin(ns, t->coll_s[collective] * 1e9);

	return idle_ns * cut + (ns - idle_ns) * trial_queue_cut(t, cut, t->core[rank]);
}

double trial_queue_cut(const struct trial *t, double cut, double core)
{
	if (cut <= 0 || t->contention == CONTENTION_STAYS)
		return 0;
	return t->contention == CONTENTION_GOES ? 1 : cut * core;
}

/* By which algorithm it is done is not known: likely by the best. */
static void cut_collective(struct trial *t, const struct coll_costs *was,
			   const struct coll_costs *is, uint32_t k)
{
	const struct factors *x = &t->what->machine;
	struct coll_cost a, b;

	t->coll[k] = 0;
	t->coll_s[k] = INFINITY;
	if (t->contention == CONTENTION_GOES)
		t->coll[k] = 1 - fmin(fmin(x->latency, 1 / x->bandwidth), x->overhead);
	if (t->contention != CONTENTION_LIKELY)
		return;
	a = coll_costs_at(was, k);
	b = coll_costs_at(is, k);
	if (a.refused != COLL_PREDICTED || b.refused != COLL_PREDICTED)
		return;
	t->coll[k] = cut_of(a.idle_s, b.idle_s);
	t->coll_s[k] = a.idle_s;
}

static int cut_collectives(struct trial *t, struct err *err)
{
	const struct evidence_base *b = t->b;
	struct coll_costs was, is = {0};

	if (coll_costs_init(&was, b->t, b->c, b->machine, err))
		return -1;
	if (coll_costs_init(&is, b->t, b->c, &t->machine, err)) {
		coll_costs_release(&was);
		return -1;
	}
	for (uint32_t k = 0; k < b->c->n; k++)
		cut_collective(t, &was, &is, k);
	coll_costs_release(&is);
	coll_costs_release(&was);
	return 0;
}

int trial_cut(struct trial *t, struct err *err)
{
	for (uint32_t r = 0; r < t->b->t->n_ranks; r++)
		t->core[r] = core_share(t->b->t, r);
	for (uint32_t k = 0; k < t->b->n_prices; k++)
		t->cuts[k] = cuts_of(t, &t->b->prices[k]);
	return cut_collectives(t, err);
}
