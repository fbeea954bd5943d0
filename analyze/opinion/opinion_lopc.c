/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LoPC's opinion: of all that ask all, of clients and servers, or by who asks whom. */
#include "analyze/opinion/opinion_facts.h"
#include "analyze/opinion/opinion_pairs.h"
#include "models/lopc.h"
#include "models/lopc_server.h"

#include <math.h>
#include <stdio.h>

/*
 * Replies and requests among the messages from which on they are that. Where neighbours swap what
 * they have each message seems to answer the one of the round before, and nobody asks.
 */
#define REPLIES_MIN  0.4
#define REQUESTS_MIN 0.25

/*
 * LoPC's waits are too long by a quarter from here on, and without bounds:
 * doc/validation-models.md.
 */
#define CV2_MAX 8.0

/*
 * More requests than this share that do not wait for an answer are not LoPC's, which has one at a
 * time.
 */
#define AT_ONCE_MOST 0.25

/* Of a run's messages: a phase that has so many has its servers, whatever its pattern is called. */
#define SERVED_MIN 0.9

/* Nor where ranks meet more than once for so many requests: the last to come sets the pace. */
#define REQUESTS_A_MEETING 10

/* Do handlers take about as long, one as the other? Else refused. */
static int is_steady(double handler_cv2, struct opinion *o)
{
	if (handler_cv2 <= CV2_MAX)
		return 1;
	snprintf(o->why_not, sizeof(o->why_not),
		 "its handlers' times vary too much: C2 is %.3g, and beyond %g the model's waits "
		 "are far too long",
		 handler_cv2, CV2_MAX);
	return 0;
}

static int asks_and_answers(const struct phase_load *x)
{
	return x->replies >= REPLIES_MIN * x->messages &&
	       x->requests >= REQUESTS_MIN * x->messages && x->requests > 0;
}

/* All ranks ask and answer. To send a request is work. */
static struct lopc put_lopc(const struct opinion_facts *f, struct opinion *o)
{
	const struct phase_load *x = &f->load;
	double questions = x->messages / 2;
	double outside_s = fmax(x->spent_s - x->inside_s, 0);
	double handling_s = fmin(x->thought_s * x->replies, outside_s);

	struct lopc m = {.P = x->found->active,
			 .W = (outside_s - handling_s) / questions + x->o_s_s,
			 .S_o = x->handler_s,
			 .S_l = x->latency_s,
			 .C2 = fmax(x->handler_cv2, 0)};

	opinion_put(&o->inputs, "P", m.P);
	opinion_put(&o->inputs, "n", questions / x->askers);
	opinion_put(&o->inputs, "V", 1 / (m.P - 1));
	opinion_put(&o->inputs, "W_s", m.W);
	opinion_put(&o->inputs, "S_o_s", m.S_o);
	opinion_put(&o->inputs, "S_l_s", m.S_l);
	opinion_put(&o->inputs, "C2", m.C2);
	return m;
}

static void put_cycle(struct opinion *o, double predicted_s, double measured_s)
{
	opinion_put(&o->predicted, "R_s", predicted_s);
	opinion_put(&o->measured, "R_s", measured_s);
	if (predicted_s > 0)
		opinion_put(&o->measured, "burstiness", measured_s / predicted_s);
	o->valid = 1;
}

/* Clients and servers. */
static void ask_server(const struct opinion_facts *f, struct opinion *o)
{
	const struct server_load *x = &f->server;
	struct lopc_server m = server_load_model(x);
	struct lopc_server_at at;
	struct err err;

	opinion_put(&o->inputs, "P", m.P);
	opinion_put(&o->inputs, "P_s", x->servers);
	opinion_put(&o->inputs, "n", (double)x->requests / x->clients);
	opinion_put(&o->inputs, "V", 1.0 / x->servers);
	opinion_put(&o->inputs, "W_s", m.W);
	opinion_put(&o->inputs, "S_o_s", m.S_o);
	opinion_put(&o->inputs, "S_l_s", m.S_l);
	opinion_put(&o->inputs, "C2", m.C2);
	opinion_put(&o->measured, "queue_s", x->queue_s);
	opinion_put(&o->measured, "busiest", x->busiest);
	if (!is_steady(m.C2, o))
		return;
	if (lopc_server_solve(&m, x->servers, &at, &err)) {
		opinion_refuse(o, err.text);
		return;
	}
	opinion_put(&o->predicted, "server_busy", at.U_s);
	put_cycle(o, at.R, x->work_s + x->trip_s);
}

/* Not all ask all equally often: who asks whom how often. */
static void ask_pairs(const struct opinion_facts *f, struct opinion *o)
{
	const struct phase_load *x = &f->load;
	struct pairs_opinion p;
	struct err err;

	opinion_put(&o->inputs, "P", x->found->active);
	opinion_put(&o->inputs, "n", x->requests / x->askers);
	if (opinion_pairs(f->b, f->phases, x, &p, &err)) {
		opinion_refuse(o, err.text);
		return;
	}
	o->V = p.V;
	o->ranks = f->t->n_ranks;
	opinion_put(&o->inputs, "W_s", p.W_s);
	opinion_put(&o->inputs, "S_o_s", p.S_o_s);
	opinion_put(&o->inputs, "S_l_s", p.S_l_s);
	opinion_put(&o->inputs, "C2", p.C2);
	if (!is_steady(p.C2, o))
		return;
	opinion_put(&o->predicted, "lower_s", p.lower_s);
	opinion_put(&o->predicted, "most_s", p.most_s);
	opinion_put(&o->measured, "most_s", p.measured_most_s);
	put_cycle(o, p.R_s, p.measured_s);
}

/* All ask all, or each another one. */
static int is_even(const struct opinion_facts *f)
{
	return opinion_is_named(f, "all-to-any, uniform") ||
	       opinion_is_named(f, "total exchange") || opinion_is_named(f, "shift") ||
	       opinion_is_named(f, "ring") || opinion_is_named(f, "permutations");
}

void opinion_lopc(const struct opinion_facts *f, struct opinion *o)
{
	const struct phase_load *x = &f->load;
	struct lopc_result r;
	struct err err;
	struct lopc m;

	if (x->unknown > 0) {
		opinion_refuse(o, "the machine's parameters are not known for all of its messages");
		return;
	}
	if (f->serves &&
	    (opinion_is_named(f, "client-server") || x->messages >= SERVED_MIN * f->b->m->n)) {
		ask_server(f, o);
		return;
	}
	if (!asks_and_answers(x)) {
		opinion_refuse(o, "its messages are not requests that are answered");
		return;
	}
	if (opinion_is_named(f, "insufficient data")) {
		opinion_refuse(o, "there is too little data to see who asks whom");
		return;
	}
	if (x->collectives * REQUESTS_A_MEETING > x->requests) {
		opinion_refuse(o, "its ranks meet in collectives, which set the pace");
		return;
	}
	if (x->at_once > AT_ONCE_MOST * x->requests) {
		opinion_refuse(o, "it asks that ranks await an answer before they ask again");
		return;
	}
	if (!is_even(f)) {
		ask_pairs(f, o);
		return;
	}
	m = put_lopc(f, o);
	if (!is_steady(m.C2, o))
		return;
	if (lopc_solve(&m, &r, &err)) {
		opinion_refuse(o, err.text);
		return;
	}
	opinion_put(&o->predicted, "lower_s", r.lower);
	opinion_put(&o->predicted, "share", r.share);
	put_cycle(o, r.R, x->spent_s / (x->messages / 2));
}
