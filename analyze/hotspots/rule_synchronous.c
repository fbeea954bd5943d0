/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: blocking sends one after the other, each of which waits for its receiver. Begun
 * together (MPI_Isend, one MPI_Waitall) the waits overlap, and one after the other they pass the
 * port; a last one's wait overlaps the computation before the rank's next call that waits. What the
 * run saves so says a replay. If the program may go on before the data have left is not in the
 * trace: nothing is certain.
 */
#include "analyze/gains/sending_saving.h"
#include "analyze/hotspots/rules.h"
#include "common/number.h"
#include "common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKING    (UINT32_C(1) << REGION_SEND | UINT32_C(1) << REGION_SSEND)
#define SENDS_MIN   10   /* fewer are no habit */
#define COMPUTE_MIN 0.05 /* of wall time: to mention what would overlap with computation only */

struct serial {
	const struct evidence_base *b;
	double *compute_s; /* per rank: runs' last waits that would overlap with computation */
	struct sending_saving saving; /* .last: of those that wait for their receivers */
	uint32_t *seen;               /* per destination: the run that last had it */
	uint32_t run;                 /* counts them */
	uint32_t sends, runs;
	double waited_s;  /* in these sends, */
	double overlap_s; /* of it, what would overlap */
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

/*
 * Time in the send call for its receiver and the wire. Not what it queues behind others: begun
 * together, those queue as long, and longer where the volume is skewed.
 */
static double waited_s(const struct evidence_base *b, uint32_t call)
{
	return slices_sum(&b->a->call, call, SENDING_WAITS) * 1e-9;
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

/* The run of places first to end of the senders' list is over. */
static void settle(struct serial *s, struct sends *run, uint32_t first, uint32_t end)
{
	const struct evidence_base *b = s->b;
	double overlapped_s = fmax(run->most_s, run->port_s + run->latency_s);

	for (uint32_t k = first; k < end; k++) {
		uint32_t i = b->senders.message[k], call = b->m->m[i].send_call;

		if (is_blocking(b->t, call) && evidence_is_held(b, i))
			s->saving.last[call] = run->last;
	}
	if (run->n > 1)
		s->overlap_s += fmin(fmax(run->sum_s - overlapped_s, 0), run->waited_s);
	s->compute_s[b->t->calls[run->last].rank] +=
		fmin(waited_s(b, run->last), evidence_own_after_ns(b->t, run->last) * 1e-9);
	s->runs += run->n > 1;
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

/* Why computation after its rows is no part of what is likely. */
static const char *in_words(unsigned doubts)
{
	if (doubts & SENDING_UNKNOWN)
		return ", which counts at most: whether large ones move without their sender's "
		       "calls is not known";
	if (doubts & SENDING_UNMOVED)
		return ", which counts at most: large ones do not move without their sender's "
		       "calls";
	return "";
}

static int report(struct serial *s, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = s->b;
	struct hotspot h = {.kind = "synchronous", .rank = TRACE_NONE};
	double per_run = s->runs ? (double)s->sends / s->runs : 1;
	double together_s, later_s, portless_s;

	if (sending_saving_find(&s->saving, key, SENDING_LIKELY, &together_s, err) ||
	    sending_saving_find(&s->saving, key, SENDING_MOST, &later_s, err))
		return -1;
	rule_saves(b, s->compute_s, &h);
	h.saves_mid_s = together_s;
	h.saves_high_s = fmax(fmax(together_s, later_s), h.saves_high_s);
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s &&
	    h.saves_high_s < COMPUTE_MIN * b->wall_s)
		return 0;
	if (sending_saving_find(&s->saving, key, SENDING_PORTLESS, &portless_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_high_s, portless_s);
	h.site = senders_site(&b->senders, key);
	h.region = senders_region(&b->senders, key);
	if (s->overlap_s > 0)
		snprintf(h.title, sizeof(h.title),
			 "sends wait for their receivers one after the other");
	else
		snprintf(h.title, sizeof(h.title),
			 "sends wait for their receivers while nothing else is done");
	snprintf(h.why, sizeof(h.why),
		 "not contention: %u blocking sends wait %s of all ranks; %s of that would "
		 "overlap if those in a row were begun together, the rest only with computation%s",
		 s->sends, number_seconds(s->waited_s).text, number_seconds(s->overlap_s).text,
		 in_words(s->saving.doubts));
	snprintf(h.advice, sizeof(h.advice),
		 "begin them with MPI_Isend and wait for all with one MPI_Waitall, after the "
		 "computation that does not touch the data");
	hotspot_evidence(&h, "sends", s->sends);
	hotspot_evidence(&h, "runs", s->runs);
	hotspot_evidence(&h, "sends_in_a_row", per_run);
	hotspot_evidence(&h, "waited_s", s->waited_s);
	hotspot_evidence(&h, "overlap_s", s->overlap_s);
	return findings_add(out, &h, err);
}

static int judge_place(struct serial *s, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = s->b;
	struct sends run = {0};
	uint32_t end = b->senders.at[key + 1], first = b->senders.at[key];

	s->sends = s->runs = 0;
	s->waited_s = s->overlap_s = 0;
	memset(s->compute_s, 0, b->t->n_ranks * sizeof(*s->compute_s));
	for (uint32_t k = first; k < end; k++) {
		uint32_t i = b->senders.message[k];

		messages_fetch_in(b->m, b->senders.message, end, k);
		if (!is_blocking(b->t, b->m->m[i].send_call))
			continue;
		add(s, &run, i);
		if (k + 1 < end && continues(s, k + 1))
			continue;
		settle(s, &run, first, k + 1);
		first = k + 1;
	}
	if (s->sends < SENDS_MIN || s->waited_s < RULE_LEAST_SHARE * b->rank_time_s)
		return 0;
	return report(s, key, out, err);
}

int rule_synchronous(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct serial s = {.b = b, .run = 1};
	int ret = -1;

	s.compute_s = calloc(b->t->n_ranks + 1u, sizeof(*s.compute_s));
	s.seen = calloc(b->t->n_ranks + 1u, sizeof(*s.seen));
	if (!s.compute_s || !s.seen) {
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
		goto out;
	}
	if (sending_saving_init(&s.saving, b, err))
		goto out;
	for (uint32_t key = 0; key < b->senders.keys; key++) {
		if (!(b->senders.kinds[key] & BLOCKING))
			continue;
		if (judge_place(&s, key, out, err))
			goto out;
		sending_saving_forget(&s.saving, key);
	}
	ret = 0;
out:
	free(s.seen);
	sending_saving_release(&s.saving);
	free(s.compute_s);
	return ret;
}
