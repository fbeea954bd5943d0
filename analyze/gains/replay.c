/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay.h"

#include "analyze/gains/replay_play.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>

/*
 * In all: a request and again when it is taken, at its receiver's port, two plans of when it is
 * through, there, its call's return, and over.
 */
#define EVENTS_PER_SEND 8

static int check(const struct replay *r, size_t *sends, size_t *turns, struct err *err)
{
	*sends = *turns = 0;
	for (uint32_t k = 0; k < r->ranks; k++)
		for (uint32_t t = 0; t < r->rank[k].turns; t++, (*turns)++) {
			const struct replay_turn *x = &r->turn[r->rank[k].first + t];

			for (uint32_t i = x->first; i < x->first + x->n; i++, (*sends)++)
				if (r->send[i].dst >= r->ranks)
					return err_set(err,
						       "replay: send %u of rank %u goes to rank %u "
						       "of %u",
						       i - x->first, k, r->send[i].dst, r->ranks);
		}
	return 0;
}

/* Everybody is before the first turn. */
static void set_up(struct replay_sim *m)
{
	const struct replay *r = m->r;

	for (uint32_t k = 0; k < r->ranks; k++) {
		m->player[k].out_s = m->player[k].busy_s = m->port[k].free_s = -INFINITY;
		m->player[k].held = m->port[k].shared.first = REPLAY_NO_SEND;
		for (uint32_t t = 0; t < r->rank[k].turns; t++) {
			const struct replay_turn *x = &r->turn[r->rank[k].first + t];

			m->meeting[t].members++;
			m->meeting[t].last_s = -INFINITY;
			for (uint32_t i = x->first; i < x->first + x->n; i++) {
				m->src[i] = k;
				if (r->send[i].until)
					m->missing[r->rank[r->send[i].dst].first +
						   r->send[i].until - 1]++;
			}
		}
	}
	for (uint32_t k = 0; k < r->ranks; k++)
		replay_come(m, k, 0);
}

int replay_run(const struct replay *r, double *makespan_s, struct err *err)
{
	struct replay_sim m = {.r = r, .begin_s = INFINITY, .end_s = -INFINITY};
	size_t sends, turns;
	int ret = -1;

	if (check(r, &sends, &turns, err))
		return -1;
	m.player = calloc((size_t)r->ranks + 1, sizeof(*m.player));
	m.port = calloc((size_t)r->ranks + 1, sizeof(*m.port));
	m.meeting = table_calloc(turns + 1, sizeof(*m.meeting));
	m.missing = table_calloc(turns + 1, sizeof(*m.missing));
	m.src = table_alloc(sends + 1, sizeof(*m.src));
	m.after = table_alloc(sends + 1, sizeof(*m.after));
	m.passing = table_alloc(sends + 1, sizeof(*m.passing));
	m.sets_out_s = table_alloc(sends + 1, sizeof(*m.sets_out_s));
	m.to_come.heap = table_alloc(EVENTS_PER_SEND * sends + turns + 1, sizeof(*m.to_come.heap));
	if (m.player && m.port && m.meeting && m.missing && m.src && m.after && m.passing &&
	    m.sets_out_s && m.to_come.heap) {
		set_up(&m);
		replay_play(&m);
		*makespan_s = fmax(0, m.end_s - m.begin_s); /* nobody has a turn: neither is */
		ret = 0;
	} else {
		err_set(err, "out of memory for %zu sends", sends);
	}
	table_free(m.to_come.heap);
	table_free(m.sets_out_s);
	table_free(m.passing);
	table_free(m.after);
	table_free(m.src);
	table_free(m.missing);
	table_free(m.meeting);
	free(m.port);
	free(m.player);
	return ret;
}
