/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/server_saving.h"

#include <math.h>

#include "models/served.h"

#define MODEL_ERROR  0.05 /* of the throughput with another number of servers */
#define INPUT_ERROR  0.02 /* of the time that the least of it takes, as read from the trace */
#define AWAY_MOST    0.05 /* of the run: more servers may only lack a core more */
#define MISSING_MOST 0.33 /* of a cycle: where the model misses more it is not what happens */

/* The share of the span that it saves where clients choose so. */
static int ask_events(const struct server_load *x, enum served_choice choice,
		      const struct lopc_server *m, double servers, double *gain, struct err *err)
{
	struct served s = {x->clients,          x->servers,          2 * m->S_l + m->S_y,
			   x->samples.works,    x->samples.handlers, x->samples.work_s,
			   x->samples.handler_s};
	double now, then;

	if (served_per_s(&s, choice, &now, err))
		return -1;
	s.servers = (size_t)servers;
	s.clients = (size_t)(m->P - servers);
	if (served_per_s(&s, choice, &then, err))
		return -1;
	*gain = 1 - now / then;
	return 0;
}

static int ask_models(const struct server_load *x, uint32_t servers, struct server_saving *out,
		      struct err *err)
{
	struct lopc_server m = server_load_model(x);
	double cycle_s = x->work_s + x->trip_s, then;

	if (lopc_server_solve(&m, x->servers, &out->now, err) ||
	    lopc_server_best(&m, &out->best, err))
		return -1;
	if (cycle_s <= 0 || x->span_s <= 0)
		return err_set(err, "a cycle takes no time");
	then = servers > 0 ? servers : out->best.P_s_best;
	if (lopc_server_solve(&m, then, &out->then, err))
		return -1;
	out->then_s = fmax(x->requests * x->handler_s / then, x->all_alone_s / (m.P - then));
	if (ask_events(x, SERVED_IN_TURN, &m, then, &out->in_turn, err) ||
	    ask_events(x, SERVED_AT_RANDOM, &m, then, &out->at_random, err))
		return -1;
	out->gain = x->samples.in_turn * out->in_turn + (1 - x->samples.in_turn) * out->at_random;
	out->gain = fmin(out->gain, 1 - out->then_s / x->span_s);
	out->closure = fabs(out->now.R - cycle_s) / cycle_s;
	out->missing = fmax(cycle_s - out->now.R, 0) / cycle_s;
	return 0;
}

/* At least, where it saves: what LoPC says less what its cycle misses of the measured one. */
static double least_s(const struct server_load *x, const struct server_saving *s, double span_s)
{
	double least = 1 - fmax(s->now.X, x->requests / x->span_s) / s->then.X;

	least = fmax(1 - (1 - least) / (1 - MODEL_ERROR), 0) * fmax(0, 1 - 2 * s->closure);
	return fmax(0, fmin(fmin(span_s * least, s->saves_mid_s),
			    s->saves_high_s - span_s * s->closure));
}

/*
 * At most what LogP says of so many servers, which are never idle or nobody waits for them: no
 * model of queues is in that. Likely what the events say, of clients that choose as they did; of
 * one server nobody knows, then the mean. Where ranks lack cores what the model misses of a cycle
 * may be theirs.
 */
static void find_range(const struct evidence_base *b, const struct server_load *x,
		       struct server_saving *s)
{
	int shared = trace_any_shares_core(b->t);
	double span_s = fmin(x->span_s, b->wall_s);
	/* No number of servers lets the client with most to do end sooner. */
	double then_s = x->alone_s * x->clients / (x->servers + x->clients - s->then.P_s);
	double most_s = x->alone_s > 0 ? fmax(x->span_s - then_s, 0) : INFINITY;

	s->likely_gain = shared && s->gain > 0 ? fmax(0, s->gain - s->missing) : s->gain;
	s->saves_high_s = fmin(span_s * (1 - s->then_s / x->span_s), most_s);
	s->saves_mid_s = fmin(span_s * s->likely_gain, s->saves_high_s);
	s->saves_low_s = 0; /* where one client decides, and chance who; or ranks may lack cores */
	if (s->saves_mid_s < 0)
		s->saves_low_s =
			s->saves_mid_s - (MODEL_ERROR + s->closure) * (span_s - s->saves_mid_s);
	else if (span_s * s->gain <= most_s && !shared)
		s->saves_low_s = least_s(x, s, span_s);
	s->saves_high_s += INPUT_ERROR * (span_s - s->saves_high_s);
}

int server_saving_find(const struct evidence_base *b, const struct server_load *x, uint32_t servers,
		       struct server_saving *out, struct err *err)
{
	*out = (struct server_saving){0};
	if (ask_models(x, servers, out, err))
		return -1;
	find_range(b, x, out);
	return 0;
}

/* How long the busiest server had no core though it could run, of the run. */
static double away_share(const struct evidence_base *b, const struct server_load *x)
{
	return (double)b->t->ranks[x->busiest].core_awaited_ns * 1e-9 / b->wall_s;
}

int server_saving_is_another_matter(const struct evidence_base *b, const struct server_load *x,
				    const struct server_saving *s)
{
	return s->missing > MISSING_MOST + away_share(b, x);
}

int server_saving_lacks_cores(const struct evidence_base *b, const struct server_load *x)
{
	return away_share(b, x) > AWAY_MOST;
}
