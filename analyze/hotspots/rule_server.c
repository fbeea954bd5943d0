/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server hotspot: clients wait because too few ranks answer them, or lose hands to more
 * servers than are needed. LoPC's client-server model, fed with the run's own work and handler
 * times, says with how many servers most requests are served; what that would gain is
 * server_saving.c's.
 */
#include "analyze/hotspots/rules.h"
#include "analyze/opinion/server_saving.h"

#include <stdio.h>

#include "common/number.h"

#define GAIN_MIN 0.02 /* of the throughput, by the model */

static void write_words(const struct server_load *x, const struct server_saving *o,
			struct hotspot *h)
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
		  const struct server_saving *o, struct findings *out, struct err *err)
{
	struct hotspot h = {.kind = "server", .rank = x->busiest};

	h.site = b->t->calls[x->site_call].site;
	h.region = b->t->calls[x->site_call].region;
	h.saves_low_s = o->saves_low_s;
	h.saves_mid_s = o->saves_mid_s;
	h.saves_high_s = o->saves_high_s;
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
	struct server_saving o;
	struct err refused;
	int found = server_load_find(b, &x, err);

	if (found <= 0)
		return found;
	if (server_saving_find(b, &x, 0, &o,
			       &refused)) /* out of its range: no opinion, no finding */
		return 0;
	if (o.best.P_s_best == x.servers || o.likely_gain < GAIN_MIN ||
	    server_saving_is_another_matter(b, &x, &o))
		return 0;
	return report(b, &x, &o, out, err);
}
