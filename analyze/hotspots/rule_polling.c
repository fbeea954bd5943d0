/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: time in MPI_Test and MPI_Iprobe that find nothing. Between pieces of
 * computation each such poll is lost, but for what the rank had to wait for in any case: without
 * polls it would only have begun to wait sooner. What it computes after them it could have done
 * instead of those that waited. So is what takes a poll longer than the quickest ones, if it is the
 * moving of a large message, which a later call would have to do. The replay (retime.c) says what
 * is left of the rest. Polls as a way to wait are no loss: MPI_Wait polls as well, and with Open
 * MPI both leave the core to others, or neither does.
 */
#include "analyze/gains/polls.h"
#include "analyze/gains/retime.h"
#include "analyze/hotspots/rules.h"
#include "common/number.h"
#include "common/table.h"
#include "common/wording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN_MIN \
	0.1 /* share of a stretch of polls that is the program's own: it computes meanwhile */
/*
 * From one poll to the next less than this is no work, but the loop and the recorder: about 10 ns.
 */
#define WORK_MIN_S 100e-9
#define POLLS_MIN  100
#define PART_MIN   0.1 /* share of a place's polls from which on a part of the budget is named */
#define WAITS                                                                          \
	(1u << COST_wire | 1u << COST_sender_port | 1u << COST_receiver_port |         \
	 1u << COST_network_contention | 1u << COST_handler_contention |               \
	 1u << COST_back_pressure | 1u << COST_inattention | 1u << COST_late_partner | \
	 1u << COST_collective_wait | 1u << COST_collective_transfer)

struct place {
	uint32_t call; /* one of them */
	double polls;
	double inside_s;  /* in polls that found nothing */
	double loose_s;   /* of that, between pieces of computation, */
	double between_s; /* and not waiting */
	double moved_s;   /* and of it, if it was the moving of messages */
	double own_s;     /* computation between polls */
	double took_s;    /* all of it */
};

struct polling {
	const struct evidence_base *b;
	struct place *place; /* per key */
	struct polls polls;
	float *after_s;   /* per call: the rank's own time from there to its next call but polls */
	int64_t *rest_ns; /* per call, for the replay: of the place at work, what is spared */
	int64_t *less_ns; /* per message: nothing */
	uint32_t *until;  /* per call: where what a poll of that place found is waited for then */
	double *inside_s; /* per rank, of the place at work */
	double *between_s;
	int64_t parts[COST_COUNT]; /* of the budget, of the place at work */
};

/* What it has waited for in such polls, and would have in MPI_Wait. */
static double waited_s(const struct evidence_base *b, uint32_t call)
{
	return slices_sum(&b->a->call, call, WAITS) * 1e-9;
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
	const struct flood *flood = trace_flood(t, c);

	if (!trace_is_poll(t, call) || !flood)
		return 0;
	return work_s((c->leave_ns - c->enter_ns - flood->inside_ns) * 1e-9, flood->polls);
}

/* What a call, or the many that it stands for, spent in vain. */
static struct place stretch_of(const struct polling *p, uint32_t call)
{
	const struct trace *t = p->b->t;
	const struct call *c = &t->calls[call];
	struct place x = {.call = call, .took_s = (c->leave_ns - c->enter_ns) * 1e-9};

	x.inside_s = polls_inside_s(t, call, &x.polls);
	if (trace_flood(t, c)) {
		x.own_s = work_within_s(t, call);
	} else if (call + 1 < t->n_calls && t->calls[call + 1].rank == c->rank &&
		   trace_is_poll(t, call + 1)) {
		double gap_s = fmax((t->calls[call + 1].enter_ns - c->leave_ns) * 1e-9, 0);

		x.own_s = work_s(gap_s, 1);
		x.took_s += gap_s;
	}
	if (x.own_s >= OWN_MIN * (x.inside_s + x.own_s)) {
		x.loose_s = x.inside_s - p->polls.moved_s[call];
		x.between_s = fmin(x.inside_s,
				   fmax(x.inside_s - waited_s(p->b, call), 0) + p->after_s[call]);
	}
	return x;
}

/* Of a rank's calls, the last one first. */
static void find_after(struct polling *p, const struct rank *rank)
{
	const struct trace *t = p->b->t;

	for (uint32_t c = rank->first_call + rank->calls; c-- > rank->first_call + 1;) {
		int64_t ns = t->calls[c].enter_ns - t->calls[c - 1].leave_ns;
		double own_s = (ns > 0 ? ns * 1e-9 : 0) + work_within_s(t, c);

		p->after_s[c - 1] = (float)own_s + (trace_is_poll(t, c) ? p->after_s[c] : 0);
	}
}

static void add_up(struct polling *p)
{
	const struct trace *t = p->b->t;

	for (uint32_t c = 0; c < t->n_calls; c++) {
		struct place *sum = &p->place[trace_place(t, c)], x;

		if (!trace_is_poll(t, c) || p->polls.found[c])
			continue;
		x = stretch_of(p, c);
		sum->call = c;
		sum->polls += x.polls;
		sum->inside_s += x.inside_s;
		sum->moved_s += p->polls.moved_s[c];
		sum->loose_s += x.loose_s;
		sum->between_s += x.between_s;
		sum->own_s += x.own_s;
		sum->took_s += x.took_s;
	}
}

/* The rank's next call but polls, or this one. */
static uint32_t next_of(const struct trace *t, uint32_t call)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];

	for (uint32_t c = call + 1; c < r->first_call + r->calls; c++)
		if (!trace_is_poll(t, c) && trace_call_kind(t, c) != REGION_OTHER)
			return c;
	return call;
}

/*
 * The same for one place, by rank, call and part of the budget. What polls between pieces of
 * computation find is waited for after that, then. Returns the rank with most.
 */
static uint32_t add_ranks(struct polling *p, uint32_t key)
{
	const struct trace *t = p->b->t;
	uint32_t most = 0, last = TRACE_NONE; /* such a poll */

	memset(p->inside_s, 0, t->n_ranks * sizeof(*p->inside_s));
	memset(p->between_s, 0, t->n_ranks * sizeof(*p->between_s));
	memset(p->rest_ns, 0, t->n_calls * sizeof(*p->rest_ns));
	memset(p->parts, 0, sizeof(p->parts));
	for (uint32_t c = 0; c < t->n_calls; c++) {
		uint32_t r = t->calls[c].rank;
		struct place x;

		p->until[c] = c;
		if (!trace_is_poll(t, c) || trace_place(t, c) != key)
			continue;
		if (p->polls.found[c]) {
			if (c > 0 && last == c - 1 && t->calls[last].rank == r)
				p->until[c] = next_of(t, c);
			continue;
		}
		x = stretch_of(p, c);
		last = x.loose_s > 0 ? c : TRACE_NONE;
		slices_add(&p->b->a->call, c, p->parts);
		p->inside_s[r] += x.inside_s;
		p->between_s[r] += x.between_s;
		p->rest_ns[c] = (int64_t)(x.loose_s * 1e9);
		if (p->inside_s[r] > p->inside_s[most])
			most = r;
	}
	return most;
}

/* Where the budget has these polls: "; in the budget late partner 1.44 s". */
static void add_parts(struct wording *w, const struct polling *p, double inside_s)
{
	const char *before = "; in the budget ";

	for (int k = COST_compute + 1; k < COST_COUNT; k++) {
		double s = p->parts[k] * 1e-9;

		if (s < PART_MIN * inside_s)
			continue;
		wording_add(w, "%s%s %s", before, cost_rows[k].label, number_seconds(s).text);
		before = ", ";
	}
}

static void write_words(const struct polling *p, const struct place *x, uint32_t worst,
			struct hotspot *h)
{
	struct wording why = wording_begin(sizeof(h->why), h->why);

	snprintf(h->title, sizeof(h->title), "%s finds nothing %s times while ranks compute",
		 p->b->t->regions[h->region].name, number_words(x->polls).text);
	wording_add(&why,
		    "not contention: %s of all ranks in polls that found nothing, %s each, %s a "
		    "second; %s of computation between them; rank %u most, %s",
		    number_seconds(x->inside_s).text, number_seconds(x->inside_s / x->polls).text,
		    number_words(x->polls / x->took_s).text, number_seconds(x->own_s).text, worst,
		    number_seconds(p->inside_s[worst]).text);
	add_parts(&why, p, x->inside_s);
	snprintf(
		h->advice, sizeof(h->advice),
		"poll less often: once for each piece of work, or only until the message is there");
}

/* What the replay does not gain is nothing to gain: then there is no finding. */
static int report(struct polling *p, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = p->b;
	const struct retime spared = {
		.less_ns = p->less_ns, .rest_ns = p->rest_ns, .until = p->until, .until_entry = 1};
	const struct place *x = &p->place[key];
	uint32_t worst = add_ranks(p, key);
	struct hotspot h = {.kind = "polling", .rank = worst};

	rule_saves(b, p->between_s, &h);
	if (retime_run(b, &spared, &h.saves_mid_s, err))
		return -1;
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[x->call].region;
	write_words(p, x, worst, &h);
	hotspot_evidence(&h, "polls", x->polls);
	hotspot_evidence(&h, "polls_per_s", x->polls / x->took_s);
	hotspot_evidence(&h, "inside_s", x->inside_s);
	hotspot_evidence(&h, "inside_share", x->inside_s / b->rank_time_s);
	hotspot_evidence(&h, "inside_while_computing_s", x->between_s);
	hotspot_evidence(&h, "moving_s", x->moved_s);
	hotspot_evidence(&h, "computation_between_s", x->own_s);
	hotspot_evidence(&h, "inside_of_rank_s", p->inside_s[worst]);
	return findings_add(out, &h, err);
}

static int look(struct polling *p, struct findings *out, struct err *err)
{
	for (uint32_t r = 0; r < p->b->t->n_ranks; r++)
		find_after(p, &p->b->t->ranks[r]);
	add_up(p);
	for (uint32_t key = 0; key < trace_places(p->b->t); key++) {
		const struct place *x = &p->place[key];

		if (x->polls < POLLS_MIN || x->loose_s < RULE_LEAST_SHARE * p->b->wall_s)
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
	p.after_s = table_calloc(b->t->n_calls + 1u, sizeof(*p.after_s));
	p.rest_ns = table_calloc(b->t->n_calls + 1u, sizeof(*p.rest_ns));
	p.less_ns = table_calloc(b->m->n + 1u, sizeof(*p.less_ns));
	p.until = table_calloc(b->t->n_calls + 1u, sizeof(*p.until));
	p.inside_s = calloc(b->t->n_ranks + 1u, sizeof(*p.inside_s));
	p.between_s = calloc(b->t->n_ranks + 1u, sizeof(*p.between_s));
	if (!p.place || !p.after_s || !p.rest_ns || !p.less_ns || !p.until || !p.inside_s ||
	    !p.between_s)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else if (!polls_find(&p.polls, b, err))
		ret = look(&p, out, err);
	free(p.between_s);
	free(p.inside_s);
	table_free(p.until);
	table_free(p.less_ns);
	table_free(p.rest_ns);
	table_free(p.after_s);
	polls_release(&p.polls);
	free(p.place);
	return ret;
}
