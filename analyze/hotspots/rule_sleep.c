/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: sleep between polls (matching/dozes.h) that goes on when the message is there.
 * Who blocks instead has it then; the replay (retime.c) says what the run would save, as what comes
 * after begins as much sooner. When the message was there is an estimate: nothing is certain to be
 * saved, and at most all sleep in which nobody was late.
 */
#include "analyze/gains/retime.h"
#include "analyze/gains/retime_order.h"
#include "analyze/hotspots/rules.h"
#include "analyze/matching/dozes.h"
#include "analyze/tools/instants.h"
#include "common/number.h"
#include "common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLEPT_MIN 10 /* messages that came meanwhile; fewer are no habit */

/* The sleeps of one place. */
struct place {
	uint32_t call; /* one of the polls */
	uint32_t n;    /* messages that came while their rank slept, */
	double late_s; /* and were seen so much later, in all */
	double slept_s;
};

struct sleeping {
	const struct evidence_base *b;
	struct place *place; /* per key */
	int64_t *less_ns;    /* per message, for the replay: of the place at work */
	double *lost_s;      /* per rank, of it: sleep in which nobody was late */
};

/* The call is a poll and sleep after it, for message i. */
static const struct flood *doze_for(const struct evidence_base *b, uint32_t call, uint32_t i)
{
	return b->a->polled[call] == i ? dozes_at(b->t, call) : NULL;
}

/* When message i was there at the soonest: after its way on an idle machine. */
static int64_t there_ns(const struct evidence_base *b, uint32_t i)
{
	const struct idle_price *p = evidence_price(b, i);
	double way_s = p->at.o_s_s + p->L_s + p->at.g_s;

	return earlier(b->a->arrival_ns[i], retime_begun_ns(b, i) + (int64_t)(way_s * 1e9));
}

/* The messages that polls in a row asked for, from first to end. */
struct asked {
	int64_t since_ns, until_ns; /* there was sleep between them; the same: none that was last */
	uint32_t first, end;
};

/* call: the last of them, after which its rank slept, or another one. */
static struct asked asked_by(const struct evidence_base *b, uint32_t call)
{
	const struct message *m = b->m->m;
	const struct call *calls = b->t->calls;
	uint32_t i = b->a->polled[call];
	struct asked x = {.first = i, .end = i};

	if (i == TRACE_NONE || !doze_for(b, call, i) ||
	    (call + 1 < b->t->n_calls && doze_for(b, call + 1, i)))
		return x;
	x.until_ns = calls[call].leave_ns;
	while (call > 0 && doze_for(b, call - 1, i))
		call--;
	x.since_ns = calls[call].leave_ns - doze_for(b, call, i)->asleep_ns;
	for (x.end = i + 1; x.end < b->m->n && m[x.end].recv_done == m[i].recv_done;)
		x.end++;
	while (x.first > 0 && m[x.first - 1].recv_done == m[i].recv_done)
		x.first--;
	return x;
}

/*
 * So long they slept after message i came, ns. Where that needs nothing of its receiver it was
 * there as soon as on an idle machine, also if the first poll after that does not say so: Open
 * MPI's look first, and take it in then. Else what is seen of its way counts.
 */
static int64_t late_ns(const struct evidence_base *b, const struct asked *x, uint32_t i)
{
	int64_t there = evidence_is_held(b, i) ? b->a->arrival_ns[i] : there_ns(b, i);

	return later(0, x->until_ns - later(there, x->since_ns));
}

/* In a poll's sleep nobody was late for so long, s. */
static double lost_s(const struct evidence_base *b, uint32_t call, const struct flood *flood)
{
	int64_t late = slices_part(&b->a->call, call, COST_late_partner);

	return later(0, flood->asleep_ns - late) * 1e-9;
}

static void add_up(struct sleeping *s)
{
	const struct trace *t = s->b->t;

	for (uint32_t c = 0; c < t->n_calls; c++) {
		const struct flood *flood = dozes_at(t, c);
		struct asked x;
		struct place *sum;

		if (!flood)
			continue;
		sum = &s->place[trace_place(t, c)];
		sum->call = c;
		sum->slept_s += flood->asleep_ns * 1e-9;
		x = asked_by(s->b, c);
		for (uint32_t i = x.first; i < x.end; i++) {
			int64_t ns = late_ns(s->b, &x, i);

			sum->late_s += ns * 1e-9;
			sum->n += ns > 0;
		}
	}
}

/* The same for one place, by message and rank. Returns the rank with most. */
static uint32_t add_ranks(struct sleeping *s, uint32_t key)
{
	const struct trace *t = s->b->t;
	uint32_t most = 0;

	memset(s->less_ns, 0, s->b->m->n * sizeof(*s->less_ns));
	memset(s->lost_s, 0, t->n_ranks * sizeof(*s->lost_s));
	for (uint32_t c = 0; c < t->n_calls; c++) {
		const struct flood *flood = dozes_at(t, c);
		struct asked x;

		if (!flood || trace_place(t, c) != key)
			continue;
		s->lost_s[t->calls[c].rank] += lost_s(s->b, c, flood);
		x = asked_by(s->b, c);
		for (uint32_t i = x.first; i < x.end; i++)
			s->less_ns[i] = late_ns(s->b, &x, i);
	}
	for (uint32_t r = 1; r < t->n_ranks; r++)
		if (s->lost_s[r] > s->lost_s[most])
			most = r;
	return most;
}

static int report(struct sleeping *s, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = s->b;
	const struct place *x = &s->place[key];
	const struct retime awake = {.less_ns = s->less_ns};
	struct hotspot h = {.kind = "sleep", .rank = add_ranks(s, key)};
	char place[120];

	rule_saves(b, s->lost_s, &h);
	if (retime_run(b, &awake, &h.saves_mid_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[x->call].region;
	snprintf(h.title, sizeof(h.title),
		 "rank %u sleeps between polls while its messages are there", h.rank);
	snprintf(h.why, sizeof(h.why),
		 "not contention: %s messages came while the rank that polls for them slept, and "
		 "were seen %s later on average; ranks slept between polls for %s in all, rank %u "
		 "longest while nobody was late: %s",
		 number_words(x->n).text, number_seconds(x->late_s / x->n).text,
		 number_seconds(x->slept_s).text, h.rank, number_seconds(s->lost_s[h.rank]).text);
	snprintf(h.advice, sizeof(h.advice),
		 "wait in MPI instead of %s and a sleep: MPI_Wait or MPI_Probe returns when the "
		 "message is there; or sleep for less",
		 rule_place(b->t, x->call, sizeof(place), place));
	hotspot_evidence(&h, "messages", x->n);
	hotspot_evidence(&h, "late_s", x->late_s);
	hotspot_evidence(&h, "lost_of_rank_s", s->lost_s[h.rank]);
	hotspot_evidence(&h, "asleep_s", x->slept_s);
	return findings_add(out, &h, err);
}

static int look(struct sleeping *s, struct findings *out, struct err *err)
{
	add_up(s);
	for (uint32_t key = 0; key < trace_places(s->b->t); key++) {
		const struct place *x = &s->place[key];

		if (x->n < SLEPT_MIN || x->late_s < RULE_LEAST_SHARE * s->b->wall_s)
			continue;
		if (report(s, key, out, err))
			return -1;
	}
	return 0;
}

int rule_sleep(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct sleeping s = {.b = b};
	int ret = -1;

	if (!b->t->n_floods || !b->a->polled)
		return 0;
	s.place = calloc(trace_places(b->t) + 1u, sizeof(*s.place));
	s.less_ns = table_calloc(b->m->n + 1u, sizeof(*s.less_ns));
	s.lost_s = calloc(b->t->n_ranks + 1u, sizeof(*s.lost_s));
	if (!s.place || !s.less_ns || !s.lost_s)
		err_set(err, "out of memory for %u messages", b->m->n);
	else
		ret = look(&s, out, err);
	free(s.lost_s);
	table_free(s.less_ns);
	free(s.place);
	return ret;
}
