/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: large messages that are begun early, so that they move while both sides
 * compute, and do not: their MPI moves them in its calls only, and they wait for those
 * (inattention). With progress they would be complete after their time on the idle machine, one
 * after the other each way, from when both ends were posted; what a wait would end sooner, and no
 * more than it spent on that, is the saving, with what waited for its rank (retime.c). Who knows
 * that his machine moves them by itself (the machine file) or lacks cores is not told so.
 */
#include "analyze/gains/retime.h"
#include "analyze/hotspots/rules.h"
#include "analyze/tools/instants.h"
#include "common/number.h"
#include "common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX   3  /* that are named, those with most to save */
#define MESSAGES_MIN 10 /* fewer are no habit */

enum way { IN, OUT, WAYS };

/* A call that completes such messages. */
struct wait {
	double could_s[WAYS]; /* with progress its last would have been there then */
	float unmoved_s;      /* most of the time that one of its messages waited to be looked at */
	uint32_t messages;
};

struct place {
	double saved_s;
	double unmoved_s;
	uint32_t messages, waits;
	uint32_t call; /* one of them */
};

struct overlap {
	const struct evidence_base *b;
	struct wait *waits;   /* per call */
	struct place *places; /* per key */
	double *key_s;        /* per key: of these what is saved there */
	double *lost_s;       /* per rank */
	int64_t *sooner_ns;   /* per message: there so much sooner, */
	int64_t *less_ns;     /* and those of the place at work */
};

static double inattention_s(const struct evidence_base *b, uint32_t message)
{
	return slices_part(&b->a->message, message, COST_inattention) * 1e-9;
}

/* Begun early at both ends, so that it could move while they compute. */
static int is_early(const struct evidence_base *b, uint32_t i, const struct idle_price *p)
{
	const struct message *x = &b->m->m[i];

	return p->known && x->recv_call != TRACE_NONE && x->recv_call != x->recv_done &&
	       x->send_done != TRACE_NONE && x->send_done != x->send_call &&
	       !trace_lacks_core(b->t, x->src) && !trace_lacks_core(b->t, x->dst);
}

/* And moved by nobody but their calls. */
static int is_unmoved(const struct evidence_base *b, uint32_t i, const struct idle_price *p)
{
	return is_early(b, i, p) &&
	       progress_waits(b->machine->classes[p->class].progress.receiver) &&
	       evidence_is_held(b, i);
}

/* Or so for all that is known. */
static int may_be_unmoved(const struct evidence_base *b, uint32_t i, const struct idle_price *p)
{
	const struct machine_class *c = &b->machine->classes[p->class];

	return is_early(b, i, p) && isnan(c->progress.receiver) &&
	       (evidence_is_held(b, i) || machine_is_open(c, b->m->m[i].bytes));
}

/* Returns when message i would have been there, s; 0: that call does not wait for it. */
static double note(struct overlap *o, enum way way, uint32_t i, const struct idle_price *p)
{
	const struct message *x = &o->b->m->m[i];
	uint32_t call = way == IN ? x->recv_done : x->send_done;
	const struct call *calls = o->b->t->calls;
	double begun_s = fmax((double)x->sent_ns, (double)calls[x->recv_call].enter_ns) * 1e-9;
	struct wait *w = &o->waits[call];

	if (!region_waits(trace_call_kind(o->b->t, call)))
		return 0;
	/* the handshake goes there and back */
	w->could_s[way] = fmax(w->could_s[way], begun_s + 3 * p->L_s) + p->at.g_s + p->at.o_r_s;
	w->unmoved_s = fmaxf(w->unmoved_s, (float)inattention_s(o->b, i));
	w->messages++;
	return w->could_s[way];
}

/* What the call would end sooner: not more than it spent on messages that had not moved. */
static double saved_s(const struct evidence_base *b, uint32_t call, const struct wait *w)
{
	double spent_s = (slices_part(&b->a->call, call, COST_inattention) +
			  slices_part(&b->a->call, call, COST_wire)) *
			 1e-9;
	const struct call *c = &b->t->calls[call];
	double could_s = fmax(w->could_s[IN], w->could_s[OUT]);
	double sooner_s = c->leave_ns * 1e-9 - fmax(c->enter_ns * 1e-9, could_s);

	return fmax(fmin(fmin(spent_s, w->unmoved_s), sooner_s), 0);
}

static void add_up(struct overlap *o)
{
	const struct evidence_base *b = o->b;

	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct idle_price *p;
		double could_s;

		messages_fetch(b->t, b->m, i);
		if (slices_part(&b->a->message, i, COST_inattention) <= 0)
			continue;
		p = evidence_price(b, i);
		if (!is_unmoved(b, i, p))
			continue;
		could_s = note(o, IN, i, p);
		note(o, OUT, i, p);
		if (could_s > 0)
			o->sooner_ns[i] =
				(int64_t)(1e9 *
					  fmax(0, fmin(inattention_s(b, i),
						       b->a->arrival_ns[i] * 1e-9 - could_s)));
	}
	for (uint32_t c = 0; c < b->t->n_calls; c++) {
		struct place *p = &o->places[trace_place(b->t, c)];

		if (!o->waits[c].messages)
			continue;
		p->saved_s += saved_s(b, c, &o->waits[c]);
		p->unmoved_s += o->waits[c].unmoved_s;
		p->messages += o->waits[c].messages;
		p->waits++;
		p->call = c;
	}
}

/* What the run saves if those messages that this place waits for have progress. */
static int save(struct overlap *o, uint32_t key, double *saved_s, struct err *err)
{
	const struct evidence_base *b = o->b;

	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *x = &b->m->m[i];

		o->less_ns[i] = 0;
		if (o->sooner_ns[i] > 0 && (trace_place(b->t, x->recv_done) == key ||
					    trace_place(b->t, x->send_done) == key))
			o->less_ns[i] = o->sooner_ns[i];
	}
	return retime_run(b, &(struct retime){.less_ns = o->less_ns}, saved_s, err);
}

static int report(struct overlap *o, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = o->b;
	const struct place *p = &o->places[key];
	struct hotspot h = {.kind = "overlap", .rank = TRACE_NONE};

	memset(o->lost_s, 0, b->t->n_ranks * sizeof(*o->lost_s));
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		if (o->waits[c].messages && trace_place(b->t, c) == key)
			o->lost_s[b->t->calls[c].rank] += saved_s(b, c, &o->waits[c]);
	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[p->call].region;
	rule_saves(b, o->lost_s, &h);
	if (save(o, key, &h.saves_mid_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
	snprintf(h.title, sizeof(h.title), "large messages do not move while ranks compute");
	snprintf(h.why, sizeof(h.why),
		 "not contention: %u large messages of %u waits were begun early at both ends and "
		 "then waited for MPI calls; %s of all ranks' waits would be over",
		 p->messages, p->waits, number_seconds(p->saved_s).text);
	snprintf(h.advice, sizeof(h.advice),
		 "call MPI_Test now and then in the computation, or let MPI have a progress "
		 "thread; without either, blocking calls would take no longer");
	hotspot_evidence(&h, "messages", p->messages);
	hotspot_evidence(&h, "waits", p->waits);
	hotspot_evidence(&h, "unmoved_s", p->unmoved_s);
	hotspot_evidence(&h, "saved_s", p->saved_s);
	return findings_add(out, &h, err);
}

static int look(struct overlap *o, struct findings *out, struct err *err)
{
	uint32_t keys = trace_places(o->b->t);

	add_up(o);
	for (uint32_t key = 0; key < keys; key++)
		o->key_s[key] = o->places[key].saved_s;
	for (int k = 0; k < PLACES_MAX; k++) {
		uint32_t most = rule_take_most(o->key_s, keys, RULE_LEAST_SHARE * o->b->wall_s);

		if (most == TRACE_NONE)
			break;
		if (o->places[most].messages >= MESSAGES_MIN && report(o, most, out, err))
			return -1;
	}
	return 0;
}

/*
 * The end of message i that waits in that call, and posted it in this one: the wait is over sooner
 * by what its rank did while the message could move, at most by all that it spent on it.
 */
static void risk(const struct evidence_base *b, uint32_t i, uint32_t post, uint32_t wait,
		 int64_t *ns)
{
	const struct machine_class *c = &b->machine->classes[evidence_price(b, i)->class];
	const struct message *x = &b->m->m[i];
	uint32_t spent = 1u << COST_inattention | 1u << COST_wire | 1u << COST_not_identifiable;
	int64_t begun_ns = later(x->sent_ns, b->t->calls[x->recv_call].enter_ns);
	int64_t most_ns = b->t->calls[wait].enter_ns - begun_ns;

	/* most of its wait's messages risk no more than one before: told by what is cheap first */
	if (most_ns <= ns[wait] || !region_waits(trace_call_kind(b->t, wait)))
		return;
	if (c->late_handling)
		spent |= 1u << COST_receive_overhead;
	most_ns = earlier(most_ns, slices_sum(&b->a->call, wait, spent));
	if (most_ns > ns[wait])
		most_ns = earlier(most_ns, presence_between_ns(&b->a->presence, post, wait));
	ns[wait] = later(ns[wait], most_ns);
}

/* What may be lost where it is not known whether messages move while their ends compute. */
static int leave_open(const struct evidence_base *b, struct findings *out, struct err *err)
{
	int64_t *ns = table_calloc(b->t->n_calls + 1u, sizeof(*ns)); /* per call that waits */
	struct unjudged u = {.kind = "overlap",
			     .unknown = "whether large messages move while ranks compute"};
	uint32_t n = 0;

	if (!ns)
		return err_set(err, "out of memory for %u calls", b->t->n_calls);
	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *x = &b->m->m[i];

		messages_fetch(b->t, b->m, i);
		if (!may_be_unmoved(b, i, evidence_price(b, i)))
			continue;
		n++;
		risk(b, i, x->recv_call, x->recv_done, ns);
		risk(b, i, x->send_call, x->send_done, ns);
	}
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		u.at_stake_s += ns[c] * 1e-9;
	if (n >= MESSAGES_MIN)
		out->unjudged = u;
	table_free(ns);
	return 0;
}

int rule_overlap(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct overlap o = {.b = b};
	int ret = -1;

	if (leave_open(b, out, err))
		return -1;
	if (b->a->blame.parts[COST_inattention].ns * 1e-9 < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	o.waits = table_calloc(b->t->n_calls + 1u, sizeof(*o.waits));
	o.places = calloc(trace_places(b->t) + 1u, sizeof(*o.places));
	o.key_s = calloc(trace_places(b->t) + 1u, sizeof(*o.key_s));
	o.lost_s = calloc(b->t->n_ranks + 1u, sizeof(*o.lost_s));
	o.sooner_ns = table_calloc(b->m->n + 1u, sizeof(*o.sooner_ns));
	o.less_ns = table_calloc(b->m->n + 1u, sizeof(*o.less_ns));
	if (!o.waits || !o.places || !o.key_s || !o.lost_s || !o.sooner_ns || !o.less_ns)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = look(&o, out, err);
	table_free(o.less_ns);
	table_free(o.sooner_ns);
	free(o.lost_s);
	free(o.key_s);
	free(o.places);
	table_free(o.waits);
	return ret;
}
