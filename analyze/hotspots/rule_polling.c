/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: time in MPI_Test and MPI_Iprobe that find nothing. Between pieces of
 * computation each such poll is lost, but for what the rank had to wait for in any case: without
 * polls it would only have begun to wait sooner. What it computes after them it could have done
 * instead of those that waited. As a way to wait they cost the core, which is a
 * loss only if another rank could use it, and MPI's own waiting would leave it to that.
 */
#include "analyze/hotspots/rules.h"
#include "common/number.h"
#include "common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN_MIN \
	0.1 /* share of a stretch of polls that is the program's own: it computes meanwhile */
/* From one poll to the next less than this is no work, but the loop and the recorder: about 10 ns. */
#define WORK_MIN_S 100e-9
#define POLLS_MIN  100
#define PART_MIN   0.1 /* share of a place's polls from which on a part of the budget is named */

struct place {
	uint32_t call; /* one of them */
	double polls;
	double inside_s;  /* in polls that found nothing */
	double between_s; /* of that, between pieces of computation and not waiting */
	double own_s;     /* computation between polls */
	double took_s;    /* all of it */
};

struct polling {
	const struct evidence_base *b;
	struct place *place; /* per key */
	uint8_t *found;      /* per call: it completed something */
	float *after_s;   /* per call: the rank's own time from there to its next call but polls */
	double *inside_s; /* per rank, of the place at work */
	double *between_s;
	int64_t parts[COST_COUNT]; /* of the budget, of the place at work */
};

static int is_poll(const struct trace *t, uint32_t call)
{
	enum region_kind kind = trace_call_kind(t, call);

	return kind == REGION_TEST || kind == REGION_IPROBE;
}

/* What it has waited for in such polls, and would have in MPI_Wait. */
static double waited_s(const struct evidence_base *b, uint32_t call)
{
	static const enum cost waits[] = {COST_wire,
					  COST_sender_port,
					  COST_receiver_port,
					  COST_network_contention,
					  COST_handler_contention,
					  COST_back_pressure,
					  COST_inattention,
					  COST_late_partner,
					  COST_collective_wait,
					  COST_collective_transfer};
	int64_t ns = 0;

	for (size_t k = 0; k < sizeof(waits) / sizeof(*waits); k++)
		ns += slices_part(&b->a->call, call, waits[k]);
	return ns * 1e-9;
}

/* Of so long between so many polls: what the program can have computed with. */
static double work_s(double s, double polls)
{
	return s < WORK_MIN_S * polls ? 0 : s;
}

/* The same within a call that stands for many polls; 0: it does not. */
static double work_within_s(const struct trace *t, uint32_t call)
{
	const struct call *c = &t->calls[call];

	if (!is_poll(t, call) || c->flood == TRACE_NONE)
		return 0;
	return work_s((c->leave_ns - c->enter_ns - t->floods[c->flood].inside_ns) * 1e-9,
		      t->floods[c->flood].polls);
}

/* What a call, or the many that it stands for, spent in vain. */
static struct place stretch_of(const struct polling *p, uint32_t call)
{
	const struct trace *t = p->b->t;
	const struct call *c = &t->calls[call];
	double took_s = (c->leave_ns - c->enter_ns) * 1e-9;
	struct place x = {call, 1, took_s, 0, 0, took_s};

	if (c->flood != TRACE_NONE) {
		x.polls = t->floods[c->flood].polls;
		x.inside_s = fmin(t->floods[c->flood].inside_ns * 1e-9, took_s);
		x.own_s = work_within_s(t, call);
	} else if (call + 1 < t->n_calls && t->calls[call + 1].rank == c->rank &&
		   is_poll(t, call + 1)) {
		double gap_s = fmax((t->calls[call + 1].enter_ns - c->leave_ns) * 1e-9, 0);

		x.own_s = work_s(gap_s, 1);
		x.took_s += gap_s;
	}
	if (x.own_s >= OWN_MIN * (x.inside_s + x.own_s))
		x.between_s = fmin(x.inside_s,
				   fmax(x.inside_s - waited_s(p->b, call), 0) + p->after_s[call]);
	return x;
}

/* Of a rank's calls, the last one first. */
static void find_after(struct polling *p, const struct rank *rank)
{
	const struct trace *t = p->b->t;

	for (uint32_t c = rank->first_call + rank->calls; c-- > rank->first_call + 1;) {
		int64_t ns = t->calls[c].enter_ns - t->calls[c - 1].leave_ns;
		double own_s = (ns > 0 ? ns * 1e-9 : 0) + work_within_s(t, c);

		p->after_s[c - 1] = (float)own_s + (is_poll(t, c) ? p->after_s[c] : 0);
	}
}

static void mark_found(struct polling *p)
{
	const struct messages *m = p->b->m;

	for (uint32_t i = 0; i < m->n; i++) {
		p->found[m->m[i].recv_done] = 1;
		if (m->m[i].send_done != TRACE_NONE)
			p->found[m->m[i].send_done] = 1;
	}
	for (uint32_t i = 0; i < p->b->t->n_ops; i++)
		if (p->b->t->ops[i].kind == OP_NBC_DONE && p->b->t->ops[i].call != TRACE_NONE)
			p->found[p->b->t->ops[i].call] = 1;
}

static void add_up(struct polling *p)
{
	const struct trace *t = p->b->t;

	for (uint32_t c = 0; c < t->n_calls; c++) {
		struct place *sum = &p->place[trace_place(t, c)], x;

		if (!is_poll(t, c) || p->found[c])
			continue;
		x = stretch_of(p, c);
		sum->call = c;
		sum->polls += x.polls;
		sum->inside_s += x.inside_s;
		sum->between_s += x.between_s;
		sum->own_s += x.own_s;
		sum->took_s += x.took_s;
	}
}

/* The same for one place, by rank and part of the budget. Returns the rank with most. */
static uint32_t add_ranks(struct polling *p, uint32_t key)
{
	const struct trace *t = p->b->t;
	uint32_t most = 0;

	memset(p->inside_s, 0, t->n_ranks * sizeof(*p->inside_s));
	memset(p->between_s, 0, t->n_ranks * sizeof(*p->between_s));
	memset(p->parts, 0, sizeof(p->parts));
	for (uint32_t c = 0; c < t->n_calls; c++) {
		uint32_t r = t->calls[c].rank;
		struct place x;

		if (!is_poll(t, c) || p->found[c] || trace_place(t, c) != key)
			continue;
		x = stretch_of(p, c);
		slices_add(&p->b->a->call, c, p->parts);
		p->inside_s[r] += x.inside_s;
		p->between_s[r] += x.between_s;
		if (p->inside_s[r] > p->inside_s[most])
			most = r;
	}
	return most;
}

/* Where the budget has these polls: ", in the budget late partner 1.44 s". Returns text. */
static const char *parts_in_words(const struct polling *p, double inside_s, size_t size,
				  char text[size])
{
	const char *before = "; in the budget ";
	size_t used = 0;

	*text = '\0';
	for (int k = COST_compute + 1; k < COST_COUNT && used < size; k++) {
		double s = p->parts[k] * 1e-9;

		if (s < PART_MIN * inside_s)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s %s", before,
					 cost_rows[k].label, number_seconds(s).text);
		before = ", ";
	}
	return text;
}

static int report(struct polling *p, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = p->b;
	const struct place *x = &p->place[key];
	uint32_t worst = add_ranks(p, key);
	struct hotspot h = {.kind = "polling", .rank = worst};
	double rate = x->polls / x->took_s;
	double shared_s = 0; /* of a rank whose core another could have had */
	int computes = x->between_s >= x->inside_s / 2;
	char parts[160];

	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[x->call].region;
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		if (trace_shares_core(b->t, r))
			shared_s = fmax(shared_s, p->inside_s[r]);
	rule_saves(b, p->between_s, &h);
	h.saves_high_s = fmin(fmax(shared_s, h.saves_high_s), b->wall_s);
	if (computes)
		snprintf(h.title, sizeof(h.title), "%s finds nothing %s times while ranks compute",
			 b->t->regions[h.region].name, number_words(x->polls).text);
	else
		snprintf(h.title, sizeof(h.title), "ranks wait by calling %s %s times in vain",
			 b->t->regions[h.region].name, number_words(x->polls).text);
	snprintf(h.why, sizeof(h.why),
		 "not contention: %s in polls that found nothing, %s each, %s a second; "
		 "%s of computation between them; rank %u most, %s%s",
		 number_seconds(x->inside_s).text, number_seconds(x->inside_s / x->polls).text,
		 number_words(rate).text, number_seconds(x->own_s).text, worst,
		 number_seconds(p->inside_s[worst]).text,
		 parts_in_words(p, x->inside_s, sizeof(parts), parts));
	snprintf(
		h.advice, sizeof(h.advice), "%s",
		computes
			? "poll less often: once for each piece of work, or only until the "
			  "message is there"
			: "do other work meanwhile, or wait in MPI_Wait, MPI_Waitany or MPI_Probe: "
			  "that saves the core for ranks that share it, but only if MPI's waiting "
			  "yields it (with Open MPI: mpi_yield_when_idle)");
	hotspot_evidence(&h, "polls", x->polls);
	hotspot_evidence(&h, "polls_per_s", rate);
	hotspot_evidence(&h, "inside_s", x->inside_s);
	hotspot_evidence(&h, "inside_share", x->inside_s / b->rank_time_s);
	hotspot_evidence(&h, "inside_while_computing_s", x->between_s);
	hotspot_evidence(&h, "computation_between_s", x->own_s);
	hotspot_evidence(&h, "inside_of_rank_s", p->inside_s[worst]);
	return findings_add(out, &h, err);
}

static int look(struct polling *p, struct findings *out, struct err *err)
{
	mark_found(p);
	for (uint32_t r = 0; r < p->b->t->n_ranks; r++)
		find_after(p, &p->b->t->ranks[r]);
	add_up(p);
	for (uint32_t key = 0; key < trace_places(p->b->t); key++) {
		const struct place *x = &p->place[key];

		if (x->polls < POLLS_MIN || x->inside_s < RULE_LEAST_SHARE * p->b->rank_time_s)
			continue;
		if (report(p, key, out, err))
			return -1;
	}
	return 0;
}

int rule_polling(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct polling p = {.b = b};
	int ret = -1;

	if (!senders_have(&b->senders, REGION_TEST) && !senders_have(&b->senders, REGION_IPROBE))
		return 0;
	p.place = calloc(trace_places(b->t) + 1u, sizeof(*p.place));
	p.found = table_calloc(b->t->n_calls + 1u, sizeof(*p.found));
	p.after_s = table_calloc(b->t->n_calls + 1u, sizeof(*p.after_s));
	p.inside_s = calloc(b->t->n_ranks + 1u, sizeof(*p.inside_s));
	p.between_s = calloc(b->t->n_ranks + 1u, sizeof(*p.between_s));
	if (!p.place || !p.found || !p.after_s || !p.inside_s || !p.between_s)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = look(&p, out, err);
	free(p.between_s);
	free(p.inside_s);
	table_free(p.after_s);
	table_free(p.found);
	free(p.place);
	return ret;
}
