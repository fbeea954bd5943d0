/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server hotspot: clients wait because too few ranks answer them, or lose hands to more
 * servers than are needed. LoPC's client-server model, fed with the run's own work and handler
 * times, says with how many servers most requests are served. What that would gain its clients
 * tell, event by event: LoPC's choose at random, and those that ask in turn with even times hardly
 * meet.
 */
#include "analyze/hotspots/rules.h"
#include "analyze/opinion/server_load.h"

#include <math.h>
#include <stdio.h>

#include "common/number.h"
#include "models/lopc_server.h"
#include "models/served.h"

#define GAIN_MIN     0.02 /* of the throughput, by the model */
#define MODEL_ERROR  0.05 /* of the throughput with another number of servers */
#define MISSING_MOST 0.33 /* of a cycle: where the model misses more it is not what happens */

struct opinion {
	struct lopc_server_best best;
	struct lopc_server_at now;
	double then_s; /* the span with the best number, if then nobody waits for a handler */
	double gain;   /* share of the span that the best number saves, likely, */
	double in_turn, at_random; /* and if its clients choose so */
	double closure;            /* relative error of the model's cycle now, */
	double missing;            /* and by how much it is too short */
};

/* The share of the span that the best number saves whose clients choose so. */
static int ask_events(const struct server_load *x, enum served_choice choice,
		      const struct lopc_server *m, double best, double *gain, struct err *err)
{
	struct served s = {x->clients,          x->servers,          2 * m->S_l + m->S_y,
			   x->samples.works,    x->samples.handlers, x->samples.work_s,
			   x->samples.handler_s};
	double now, then;

	if (served_per_s(&s, choice, &now, err))
		return -1;
	s.servers = (size_t)best;
	s.clients = (size_t)(m->P - best);
	if (served_per_s(&s, choice, &then, err))
		return -1;
	*gain = 1 - now / then;
	return 0;
}

static int ask_model(const struct server_load *x, struct opinion *out, struct err *err)
{
	struct lopc_server m = server_load_model(x);
	double cycle_s = x->work_s + x->trip_s;

	if (lopc_server_solve(&m, x->servers, &out->now, err) ||
	    lopc_server_best(&m, &out->best, err))
		return -1;
	if (cycle_s <= 0 || x->span_s <= 0)
		return err_set(err, "a cycle takes no time");
	out->then_s = fmax(x->requests * x->handler_s / out->best.P_s_best,
			   x->all_alone_s / (m.P - out->best.P_s_best));
	if (ask_events(x, SERVED_IN_TURN, &m, out->best.P_s_best, &out->in_turn, err) ||
	    ask_events(x, SERVED_AT_RANDOM, &m, out->best.P_s_best, &out->at_random, err))
		return -1;
	out->gain = x->samples.in_turn * out->in_turn + (1 - x->samples.in_turn) * out->at_random;
	out->gain = fmin(out->gain, 1 - out->then_s / x->span_s);
	out->closure = fabs(out->now.R - cycle_s) / cycle_s;
	out->missing = fmax(cycle_s - out->now.R, 0) / cycle_s;
	return 0;
}

static int any_shares_core(const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (trace_shares_core(t, r))
			return 1;
	return 0;
}

/* Where ranks lack cores what the model misses of a cycle may be theirs. */
static double likely_gain(const struct trace *t, const struct opinion *o)
{
	return any_shares_core(t) ? fmax(0, o->gain - o->missing) : o->gain;
}

/* Do clients wait for other things than their servers, or these for a core? */
static int is_another_matter(const struct evidence_base *b, const struct server_load *x,
			     const struct opinion *o)
{
	double away_s = (double)b->t->ranks[x->busiest].core_awaited_ns * 1e-9;

	return o->missing > MISSING_MOST + away_s / b->wall_s;
}

/*
 * [least, likely, most]: at most what LogP says of the best number of servers, which are never idle
 * or nobody waits for them: no model of queues is in that. Likely what the events say, of clients
 * that choose as they did; of one server nobody knows, then the mean. The least is below what LoPC
 * says by what its cycle misses of the measured one, or 0.
 */
static void write_saving(const struct evidence_base *b, const struct server_load *x,
			 const struct opinion *o, struct hotspot *h)
{
	double span_s = fmin(x->span_s, b->wall_s), least, miss_s = span_s * o->closure;
	/* No number of servers lets the client with most to do end sooner. */
	double then_s = x->alone_s * x->clients / (x->servers + x->clients - o->best.P_s_best);
	double most_s = x->alone_s > 0 ? fmax(x->span_s - then_s, 0) : INFINITY;
	double now_X = x->requests / x->span_s;

	h->saves_high_s = fmin(span_s * (1 - o->then_s / x->span_s), most_s);
	h->saves_mid_s = fmin(span_s * likely_gain(b->t, o), h->saves_high_s);
	least = 1 - fmax(o->now.X, now_X) / o->best.X_best;
	least = fmax(1 - (1 - least) / (1 - MODEL_ERROR), 0) * fmax(0, 1 - 2 * o->closure);
	/*
	 * Else one client decides, and chance who that will be; or it may be that ranks lack cores.
	 */
	if (span_s * o->gain <= most_s && !any_shares_core(b->t))
		h->saves_low_s = fmax(0, fmin(fmin(span_s * least, h->saves_mid_s),
					      h->saves_high_s - miss_s));
}

static void write_words(const struct server_load *x, const struct opinion *o, struct hotspot *h)
{
	int more = o->best.P_s_best > x->servers;

	if (x->servers == 1)
		snprintf(h->title, sizeof(h->title), "rank %u serves %u others and is %s",
			 x->busiest, x->clients, more ? "saturated" : "mostly idle");
	else
		snprintf(h->title, sizeof(h->title), "%u servers for %u clients are too %s",
			 x->servers, x->clients, more ? "few" : "many");
	snprintf(h->why, sizeof(h->why),
		 "servers busy %.0f %% of the time, %s a request; clients work %s and "
		 "then wait %s; LoPC: most served with %.0f servers of %u ranks "
		 "(its cycle is off by %.0f %%)",
		 100 * x->used, number_seconds(x->handler_s).text, number_seconds(x->work_s).text,
		 number_seconds(x->trip_s).text, o->best.P_s_best, x->servers + x->clients,
		 100 * o->closure);
	snprintf(h->advice, sizeof(h->advice),
		 more ? "let %.0f ranks serve instead of %u: the savings are of that; doing less "
			"for each request, or asking for more at a time, may save more"
		      : "let %.0f ranks serve instead of %u, and the others work",
		 o->best.P_s_best, x->servers);
}

static int report(const struct evidence_base *b, const struct server_load *x,
		  const struct opinion *o, struct findings *out, struct err *err)
{
	struct hotspot h = {.kind = "server", .rank = x->busiest};

	h.site = b->t->calls[x->site_call].site;
	h.region = b->t->calls[x->site_call].region;
	write_saving(b, x, o, &h);
	write_words(x, o, &h);
	hotspot_evidence(&h, "servers", x->servers);
	hotspot_evidence(&h, "servers_best", o->best.P_s_best);
	hotspot_evidence(&h, "servers_lopc", o->best.P_s_opt);
	hotspot_evidence(&h, "clients", x->clients);
	hotspot_evidence(&h, "requests", x->requests);
	hotspot_evidence(&h, "server_busy_share", x->used);
	hotspot_evidence(&h, "handler_s", x->handler_s);
	hotspot_evidence(&h, "handler_cv2", x->handler_cv2);
	hotspot_evidence(&h, "work_s", x->work_s);
	hotspot_evidence(&h, "round_trip_s", x->trip_s);
	hotspot_evidence(&h, "throughput_gain", o->gain);
	hotspot_evidence(&h, "gain_in_turn", o->in_turn);
	hotspot_evidence(&h, "gain_at_random", o->at_random);
	hotspot_evidence(&h, "model_closure_error", o->closure);
	return findings_add(out, &h, err);
}

int rule_server(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct server_load x;
	struct opinion o;
	struct err refused;
	int found = server_load_find(b, &x, err);

	if (found <= 0)
		return found;
	if (ask_model(&x, &o, &refused)) /* out of its range: no opinion, no finding */
		return 0;
	if (o.best.P_s_best == x.servers || likely_gain(b->t, &o) < GAIN_MIN ||
	    is_another_matter(b, &x, &o))
		return 0;
	return report(b, &x, &o, out, err);
}
