/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/own_pieces.h"

#include "analyze/tools/instants.h"
#include "common/table.h"

#include <math.h>
#include <string.h>

#define OFTEN 2 /* times as often as all ranks meet, they come to the place that ends steps */

double own_pieces_s(const struct evidence_base *b, uint32_t call, int64_t reach_ns)
{
	const struct trace *t = b->t;
	const struct call *c = &t->calls[call];
	const struct flood *flood = trace_flood(t, c);
	int64_t own_ns = c->enter_ns > reach_ns ? c->enter_ns - reach_ns : 0;

	if (flood && c->leave_ns - c->enter_ns > flood->inside_ns)
		own_ns += c->leave_ns - c->enter_ns - flood->inside_ns;
	return own_ns * 1e-9;
}

/* Everybody waits for everybody there; or, of those with a root, it for them, or they for it. */
static int is_meeting(const struct evidence_base *b, uint32_t collective, int rooted)
{
	const struct collective *c = &b->c->c[collective];

	return (rooted || c->root < 0) && c->members == b->t->n_ranks;
}

static int ends_step(const struct evidence_base *b, const struct own_steps *steps,
		     const struct call *c)
{
	return call_collective(c) != TRACE_NONE && is_meeting(b, call_collective(c), steps->rooted);
}

/* Access to files by its rank alone, or a wait for nothing else? */
static int is_of_own_files(const struct evidence_base *b, uint32_t call)
{
	const struct call *c = &b->t->calls[call];
	enum region_kind kind = trace_call_kind(b->t, call);

	return kind == REGION_IO ||
	       (c->is_of_files && region_waits(kind) &&
		slices_part(&b->a->call, call, COST_file_access) == c->leave_ns - c->enter_ns);
}

/* The program's own. */
static int is_own(const struct evidence_base *b, uint32_t call)
{
	return trace_call_kind(b->t, call) == REGION_OTHER || is_of_own_files(b, call);
}

static void count_visits(const struct evidence_base *b, uint32_t rank, uint32_t *visits)
{
	const struct rank *r = &b->t->ranks[rank];

	memset(visits, 0, trace_places(b->t) * sizeof(*visits));
	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++)
		visits[trace_place(b->t, c)] += !is_own(b, c);
}

/* How often all ranks come to each place; 0: not equally often. */
static void find_common(const struct evidence_base *b, uint32_t *common, uint32_t *visits)
{
	uint32_t places = trace_places(b->t);

	count_visits(b, 0, common);
	for (uint32_t r = 1; r < b->t->n_ranks; r++) {
		count_visits(b, r, visits);
		for (uint32_t k = 0; k < places; k++)
			if (visits[k] != common[k])
				common[k] = 0;
	}
}

int own_steps_find(const struct evidence_base *b, struct own_steps *out, struct err *err)
{
	uint32_t places = trace_places(b->t), meetings = 0, all = 0, best = 0;
	uint32_t *common = table_calloc(places + 1u, sizeof(*common));
	uint32_t *visits = table_calloc(places + 1u, sizeof(*visits));
	int failed = !common || !visits;

	if (failed)
		err_set(err, "out of memory for %u places", places);
	else if (b->t->n_ranks)
		find_common(b, common, visits);
	for (uint32_t k = 0; k < b->c->n; k++) {
		meetings += is_meeting(b, k, 0);
		all += is_meeting(b, k, 1);
	}
	for (uint32_t k = 1; !failed && k < places; k++)
		best = common[k] > common[best] ? k : best;
	*out = (struct own_steps){.place = TRACE_NONE,
				  .most = meetings + 1,
				  .apart = TRACE_NONE,
				  .share = b->t->n_ranks};
	if (!failed && all > OFTEN * meetings && all >= common[best]) {
		out->rooted = 1;
		out->most = all + 1;
	} else if (!failed && common[best] > OFTEN * meetings) {
		out->place = best;
		out->most += common[best];
	}
	table_free(visits);
	table_free(common);
	return failed ? -1 : 0;
}

void own_pieces_each(const struct evidence_base *b, const struct own_steps *steps, uint32_t rank,
		     own_pieces_visit *visit, void *what)
{
	const struct trace *t = b->t;
	uint32_t first = t->ranks[rank].first_call, before = TRACE_NONE, step = 0;
	int64_t reach_ns = t->ranks[rank].calls ? t->calls[first].enter_ns : 0, files_ns = 0;

	for (uint32_t c = first; c < first + t->ranks[rank].calls; c++) {
		if (t->calls[c].leave_ns > reach_ns && is_of_own_files(b, c))
			files_ns += t->calls[c].leave_ns - later(t->calls[c].enter_ns, reach_ns);
		if (is_own(b, c))
			continue;
		if (before != TRACE_NONE || trace_call_kind(t, c) != REGION_INIT) {
			double own_s = own_pieces_s(b, c, reach_ns);

			visit(what, &(struct own_piece){c, before, step, own_s,
							fmin(own_s, files_ns * 1e-9)});
		}
		files_ns = 0;
		step += ends_step(b, steps, &t->calls[c]) || trace_place(t, c) == steps->place;
		if (t->calls[c].leave_ns > reach_ns)
			reach_ns = t->calls[c].leave_ns;
		before = c;
	}
}
