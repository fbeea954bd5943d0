/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: blocking sends one after the other, each of which waits for its receiver. Begun
 * together (MPI_Isend, one MPI_Waitall) the waits overlap: a run of sends needs no longer
 * than the longest of them, and than the port needs for all. A last one's wait could also overlap
 * the computation after it; if the program may go on before the data have left is not in
 * the trace, so that is the upper end only.
 */
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKING    (UINT32_C(1) << REGION_SEND | UINT32_C(1) << REGION_SSEND)
#define SENDS_MIN   10   /* fewer are no habit */
#define COMPUTE_MIN 0.05 /* of wall time: to mention what would overlap with computation only */

struct serial {
	const struct evidence_base *b;
	double *run_s;     /* per rank: waits that would overlap, */
	double *compute_s; /* and with computation as well */
	uint32_t *seen;    /* per destination: the run that last had it */
	uint32_t run;      /* counts them */
	uint32_t sends, runs;
	double waited_s; /* in these sends */
};

/* The run at work. */
struct sends {
	uint32_t n;
	double sum_s, most_s; /* of the calls */
	double port_s, latency_s;
	double waited_s;
	uint32_t last; /* call */
};

static int is_blocking(const struct trace *t, uint32_t call)
{
	enum region_kind kind = trace_call_kind(t, call);

	return kind == REGION_SEND || kind == REGION_SSEND;
}

/* The rank's own time between two calls, or to the end of the trace when there is no next. */
static double own_after_s(const struct trace *t, uint32_t call)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];
	int64_t own_ns = 0;

	if (call + 1 < r->first_call + r->calls)
		own_ns = t->calls[call + 1].enter_ns - t->calls[call].leave_ns;
	return own_ns > 0 ? own_ns * 1e-9 : 0;
}

/*
 * Time in the send call for its receiver and the wire. Not what it queues behind others: begun
 * together, those queue as long, and longer where the volume is skewed.
 */
static double waited_s(const struct evidence_base *b, uint32_t call)
{
	return (slices_part(&b->a->call, call, COST_late_partner) +
		slices_part(&b->a->call, call, COST_inattention) +
		slices_part(&b->a->call, call, COST_wire)) *
	       1e-9;
}

static void add(struct serial *s, struct sends *run, uint32_t i)
{
	const struct message *x = &s->b->m->m[i];
	const struct call *c = &s->b->t->calls[x->send_call];
	const struct idle_price *p = evidence_price(s->b, i);
	double took_s = (c->leave_ns - c->enter_ns) * 1e-9;

	run->n++;
	run->sum_s += took_s;
	run->most_s = fmax(run->most_s, took_s);
	run->port_s += fmax(p->at.g_s, p->at.o_s_s);
	run->latency_s = fmax(run->latency_s, p->L_s);
	run->waited_s += waited_s(s->b, x->send_call);
	run->last = x->send_call;
	s->seen[x->dst] = s->run;
	s->sends++;
}

static void settle(struct serial *s, struct sends *run)
{
	uint32_t rank = s->b->t->calls[run->last].rank;
	double overlapped_s = fmax(run->most_s, run->port_s + run->latency_s), gain_s;

	gain_s = run->n > 1 ? fmin(fmax(run->sum_s - overlapped_s, 0), run->waited_s) : 0;
	s->runs += run->n > 1;
	s->run_s[rank] += gain_s;
	s->compute_s[rank] +=
		gain_s + fmin(run->waited_s - gain_s, own_after_s(s->b->t, run->last));
	s->waited_s += run->waited_s;
	s->run++;
	memset(run, 0, sizeof(*run));
}

/*
 * Does message k follow k - 1 at once, and to another destination? Longer computation between
 * them overlaps otherwise, and who gets a second one is in the next round of the program.
 */
static int continues(const struct serial *s, uint32_t k)
{
	const struct evidence_base *b = s->b;
	const struct message *x = &b->m->m[b->senders.message[k]];
	const struct message *before = &b->m->m[b->senders.message[k - 1]];
	const struct idle_price *p = evidence_price(b, b->senders.message[k]);

	return x->src == before->src && s->seen[x->dst] != s->run &&
	       b->senders.breaks[x->send_call] == b->senders.breaks[before->send_call] &&
	       presence_between_ns(&b->a->presence, before->send_call, x->send_call) * 1e-9 <=
		       0.1 * waited_s(b, before->send_call) + 2 * p->at.o_s_s;
}

static int report(const struct serial *s, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = s->b;
	struct hotspot h = {.kind = "synchronous", .rank = TRACE_NONE}, more = {0};
	double per_run = s->runs ? (double)s->sends / s->runs : 1, sum_s = 0;

	h.site = senders_site(&b->senders, key);
	h.region = senders_region(&b->senders, key);
	rule_saves(b, s->run_s, &h);
	rule_saves(b, s->compute_s, &more);
	if (h.saves_high_s < RULE_LEAST_SHARE * b->wall_s &&
	    more.saves_high_s < COMPUTE_MIN * b->wall_s)
		return 0;
	h.saves_high_s = fmax(h.saves_high_s, more.saves_high_s);
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		sum_s += s->run_s[r];
	if (sum_s > 0)
		snprintf(h.title, sizeof(h.title),
			 "sends wait for their receivers one after the other");
	else
		snprintf(h.title, sizeof(h.title),
			 "sends wait for their receivers while nothing else is done");
	snprintf(h.why, sizeof(h.why),
		 "not contention: %u blocking sends wait %s of all ranks; %s of that would "
		 "overlap if those in a row were begun together, the rest only with computation",
		 s->sends, number_seconds(s->waited_s).text, number_seconds(sum_s).text);
	snprintf(h.advice, sizeof(h.advice),
		 "begin them with MPI_Isend and wait for all with one MPI_Waitall, after the "
		 "computation that does not touch the data");
	hotspot_evidence(&h, "sends", s->sends);
	hotspot_evidence(&h, "runs", s->runs);
	hotspot_evidence(&h, "sends_in_a_row", per_run);
	hotspot_evidence(&h, "waited_s", s->waited_s);
	hotspot_evidence(&h, "overlap_s", sum_s);
	return findings_add(out, &h, err);
}

static int judge_place(struct serial *s, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = s->b;
	struct sends run = {0};
	uint32_t end = b->senders.at[key + 1];

	s->sends = s->runs = 0;
	s->waited_s = 0;
	memset(s->run_s, 0, b->t->n_ranks * sizeof(*s->run_s));
	memset(s->compute_s, 0, b->t->n_ranks * sizeof(*s->compute_s));
	for (uint32_t k = b->senders.at[key]; k < end; k++) {
		uint32_t i = b->senders.message[k];

		messages_fetch_in(b->m, b->senders.message, end, k);
		if (!is_blocking(b->t, b->m->m[i].send_call))
			continue;
		add(s, &run, i);
		if (k + 1 == end || !continues(s, k + 1))
			settle(s, &run);
	}
	if (s->sends < SENDS_MIN || s->waited_s < RULE_LEAST_SHARE * b->rank_time_s)
		return 0;
	return report(s, key, out, err);
}

int rule_synchronous(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct serial s = {.b = b, .run = 1};
	int ret = -1;

	s.run_s = calloc(b->t->n_ranks + 1u, sizeof(*s.run_s));
	s.compute_s = calloc(b->t->n_ranks + 1u, sizeof(*s.compute_s));
	s.seen = calloc(b->t->n_ranks + 1u, sizeof(*s.seen));
	if (!s.run_s || !s.compute_s || !s.seen) {
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
		goto out;
	}
	for (uint32_t key = 0; key < b->senders.keys; key++)
		if (b->senders.kinds[key] & BLOCKING && judge_place(&s, key, out, err))
			goto out;
	ret = 0;
out:
	free(s.seen);
	free(s.compute_s);
	free(s.run_s);
	return ret;
}
