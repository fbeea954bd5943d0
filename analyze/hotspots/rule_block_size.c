/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: a pipeline whose blocks are too large, so that ranks wait long for the first one,
 * or too small, so that each costs its overheads and little else. The Diamond DAG's makespan, with
 * the run's own work and messages, says with how many a sweep is soonest done.
 */
#include "analyze/hotspots/rules.h"
#include "analyze/opinion/pipeline_load.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>

/* The model is believed if it is off by no more than this of a sweep as it was. */
#define OFF_MOST 0.15

/* What it is believed to be off by with another number of blocks, beyond that. */
#define MODEL_ERROR 0.1

/* Of the run: less is not worth another block size. */
#define LIKELY_LEAST 0.02

/* Of one sweep. */
struct makespans {
	double best; /* blocks */
	double now_s, then_s;
	double off;                   /* |now_s - as measured| of that */
	double shortest_s, longest_s; /* then_s may be */
};

/*
 * Then, if a message took of ranks nothing but what handling it takes them at least. Where that is
 * not known of smaller ones it may be nothing, and a block as small as a byte.
 */
static double shortest_s(const struct evidence_base *b, const struct pipeline_load *x, double best)
{
	double surely = b->machine->source == MACHINE_FILE ? MACHINE_FASTEST : 0;
	struct pipeline_load free = *x;
	struct diamond_stripes s;

	free.is_blocking = 0;
	if (surely <= 0)
		best = fmax(best, x->bytes * x->blocks);
	pipeline_stripes(b, &free, best, &s);
	s.hop *= surely;
	s.O_s *= surely;
	s.O_r *= surely;
	s.gap = 0;
	return diamond_makespan(&s, best);
}

/* Then, if blocks' messages stay as long as they are. */
static double longest_s(const struct evidence_base *b, const struct pipeline_load *x, double best)
{
	struct pipeline_load fixed = *x;
	struct diamond_stripes s;

	fixed.bytes *= fmax(best / x->blocks, 1);
	pipeline_stripes(b, &fixed, best, &s);
	return diamond_makespan(&s, best);
}

/* Returns 0: nothing is known of the machine, or one rank sets the pace alone. */
static int ask_model(const struct evidence_base *b, const struct pipeline_load *x,
		     struct diamond_stripes *now, struct makespans *out)
{
	struct diamond_stripes then;
	struct makespans m;

	if (pipeline_stripes(b, x, x->blocks, now) || pipeline_is_uneven(x, now))
		return 0;
	m.now_s = diamond_makespan(now, x->blocks);
	m.off = fabs(m.now_s - x->makespan_s) / x->makespan_s;
	m.best = pipeline_best_blocks(b, x);
	pipeline_stripes(b, x, m.best, &then);
	m.then_s = diamond_makespan(&then, m.best);
	m.shortest_s = shortest_s(b, x, m.best);
	m.longest_s = longest_s(b, x, m.best);
	*out = m;
	return 1;
}

/* No rank can end sooner than its own computation and access to files take. */
static double not_computing_s(const struct evidence_base *b)
{
	double most_s = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		const struct part *parts = b->a->rank_budget[r].parts;

		most_s = fmax(most_s,
			      1e-9 * (double)(parts[COST_compute].ns + parts[COST_start_end].ns +
					      parts[COST_file_access].low_ns));
	}
	return fmax(b->wall_s - most_s, 0);
}

/*
 * Likely as much of a sweep as by the model. The least is below that by what the model is off, and
 * 0 unless the machine is measured and all ranks wait for the sweep.
 */
static void write_saving(const struct evidence_base *b, const struct pipeline_load *x,
			 const struct makespans *m, struct hotspot *h)
{
	double most_s = fmin(not_computing_s(b), x->sweeps * (x->makespan_s - m->shortest_s));
	double surely_s = x->makespan_s - m->longest_s * (1 + m->off + MODEL_ERROR);

	h->saves_high_s = fmax(most_s, 0);
	h->saves_mid_s =
		fmin(x->sweeps * x->makespan_s * (1 - m->then_s / m->now_s), h->saves_high_s);
	if (b->machine->source == MACHINE_FILE && x->P == b->t->n_ranks)
		h->saves_low_s = fmin(fmax(x->sweeps * surely_s, 0), h->saves_mid_s);
}

static void write_words(const struct pipeline_load *x, const struct makespans *m,
			const struct diamond_stripes *now, struct hotspot *h)
{
	int finer = m->best > x->blocks;
	double fill_s = (x->P - 1) * (now->W + now->hop);
	double each_s = fmax(now->O_s + now->W + now->O_r, now->gap) - now->W;

	snprintf(h->title, sizeof(h->title), "blocks of a pipeline over %u ranks are too %s", x->P,
		 finer ? "large" : "small");
	if (finer)
		snprintf(
			h->why, sizeof(h->why),
			"not contention: the last rank waits %s for the first of its %s blocks, in "
			"a sweep of %s",
			number_seconds(fill_s).text, number_words(x->blocks).text,
			number_seconds(x->makespan_s).text);
	else
		snprintf(h->why, sizeof(h->why),
			 "not contention: each of its %s blocks costs %s beside %s of "
			 "computation, in a sweep of %s",
			 number_words(x->blocks).text, number_seconds(each_s).text,
			 number_seconds(now->W).text, number_seconds(x->makespan_s).text);
	snprintf(h->advice, sizeof(h->advice),
		 "pass on %.0f blocks in a sweep instead of %s, with messages of %.0f bytes "
		 "instead of %.0f, if the work can be divided so",
		 m->best, number_words(x->blocks).text, x->bytes * x->blocks / m->best, x->bytes);
}

static int report(const struct evidence_base *b, const struct pipeline_load *x,
		  struct findings *out, struct err *err)
{
	struct hotspot h = {.kind = "block_size", .rank = TRACE_NONE};
	struct diamond_stripes now;
	struct makespans m;

	if (!ask_model(b, x, &now, &m) || !(m.off <= OFF_MOST))
		return 0;
	write_saving(b, x, &m, &h);
	if (h.saves_mid_s < LIKELY_LEAST * b->wall_s)
		return 0;
	h.site = b->t->calls[x->send_call].site;
	h.region = b->t->calls[x->send_call].region;
	write_words(x, &m, &now, &h);
	hotspot_evidence(&h, "ranks", x->P);
	hotspot_evidence(&h, "sweeps", x->sweeps);
	hotspot_evidence(&h, "blocks", x->blocks);
	hotspot_evidence(&h, "blocks_best", m.best);
	hotspot_evidence(&h, "mean_bytes", x->bytes);
	hotspot_evidence(&h, "bytes_best", x->bytes * x->blocks / m.best);
	hotspot_evidence(&h, "work_s", x->work_s);
	hotspot_evidence(&h, "send_s", now.O_s);
	hotspot_evidence(&h, "receive_s", now.O_r);
	hotspot_evidence(&h, "hop_s", now.hop);
	hotspot_evidence(&h, "makespan_s", x->makespan_s);
	hotspot_evidence(&h, "makespan_best_s", m.then_s);
	hotspot_evidence(&h, "model_closure_error", m.off);
	return findings_add(out, &h, err);
}

int rule_block_size(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct pipeline_load x;
	const char *why_not;

	if (pipeline_lacks_cores(b->t)) /* what a block takes is then not its work */
		return 0;
	for (uint32_t key = 0; key < b->senders.keys; key++) {
		int found = pipeline_load_at(b, key, &x, &why_not, err);

		if (found < 0 || (found > 0 && report(b, &x, out, err)))
			return -1;
	}
	return 0;
}
