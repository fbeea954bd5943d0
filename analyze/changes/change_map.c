/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks at other places of the nodes that there are. */
#include "analyze/changes/changes.h"

#include <math.h>
#include <stdio.h>

#include "analyze/gains/mapping.h"
#include "common/number.h"

#define MOVES_ERROR 0.2 /* of what is saved or lost, */
#define MOVES_VAGUE 0.7 /* and if the machine is only known from the run */

/* Returns 0, or -1 with *err set: it is no order of the run's ranks. */
static int take_order(struct mapping *m, const struct changes_asked *asked, struct err *err)
{
	uint32_t ranks = m->x.ranks;

	if (asked->n_map != ranks)
		return err_set(err, "--map: %s: it names %u ranks, and the run has %u",
			       asked->map_file, asked->n_map, ranks);
	for (uint32_t i = 0; i < ranks; i++)
		m->place[i] = ranks;
	for (uint32_t i = 0; i < ranks; i++) {
		uint32_t r = asked->map[i];

		if (r >= ranks)
			return err_set(err, "--map: %s: there is no rank %u, only 0 to %u",
				       asked->map_file, r, ranks - 1);
		if (m->place[r] < ranks)
			return err_set(err, "--map: %s: rank %u is in it twice", asked->map_file,
				       r);
		m->place[r] = i;
		m->order[i] = r;
	}
	return 0;
}

/*
 * Who then is in whose way nobody knows: nothing is certain to be saved, and at least what is new
 * between nodes queues there. What is saved or lost is as sure as the machine is known.
 */
static int bound(struct mapping *m, struct what_if_saving *s, struct err *err)
{
	double error = m->b->machine->source == MACHINE_FILE ? MOVES_ERROR : MOVES_VAGUE;
	double queueing_s;

	if (mapping_save(m, &s->likely_s, &s->most_s, err) ||
	    mapping_save_queueing(m, &queueing_s, err))
		return -1;
	s->least_s = fmin(0, fmin(s->likely_s, queueing_s) * (1 + error));
	s->most_s = fmin(s->most_s + error * fabs(s->most_s), m->b->wall_s);
	return 0;
}

static int judge(struct mapping *m, struct change *x, struct err *err)
{
	if (!mapping_has_choice(m)) {
		snprintf(x->why_not, sizeof(x->why_not),
			 m->x.nodes < 2 ? "all ranks are on one node"
					: "each rank is on a node of its own: places are alike");
		return 0;
	}
	if (mapping_weigh(m, err) || bound(m, &x->saving, err))
		return -1;
	snprintf(x->title, sizeof(x->title), "ranks at other places (between nodes %s, now %s)",
		 number_share(m->bytes > 0 ? m->then / m->bytes : 0).text,
		 number_share(m->bytes > 0 ? m->now / m->bytes : 0).text);
	return 0;
}

int change_map(const struct evidence_base *b, const struct changes_asked *asked,
	       struct changes *out, struct err *err)
{
	struct change x = {.kind = "map",
			   .site = TRACE_NONE,
			   .region = TRACE_NONE,
			   .title = "ranks at other places"};
	struct mapping m;
	int ret;

	if (!asked->map)
		return 0;
	if (b->t->n_ranks > MAPPING_RANKS) {
		snprintf(x.why_not, sizeof(x.why_not), "it is looked at up to %d ranks",
			 MAPPING_RANKS);
		return changes_add(out, &x, err);
	}
	if (mapping_init(&m, b, err))
		return -1;
	ret = take_order(&m, asked, err) || judge(&m, &x, err) ? -1 : changes_add(out, &x, err);
	mapping_release(&m);
	return ret;
}
