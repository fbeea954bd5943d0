/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_parts.h"

#include "analyze/clock/clock_pairs.h"
#include "analyze/tools/sets.h"

#include <math.h>
#include <stdlib.h>

struct spans {
	uint32_t *in; /* per clock: leads to the head of its part (sets.h), */
	struct span { /* whose clock says when all of it ran */
		int64_t begin_ns, end_ns;
	} * of;
};

static void join_compared(const struct trace *t, const struct clock_pairs *x, uint32_t *in)
{
	uint32_t known = TRACE_NONE; /* a clock that the recorder compared with its reference */

	for (const struct clock_pair *p = x->all; p; p = p->hh.next)
		sets_join(in, p->clocks.from, p->clocks.to);
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		if (t->ranks[r].absent || t->ranks[r].clock_error_ns < 0)
			continue;
		if (known == TRACE_NONE)
			known = t->ranks[r].clock;
		sets_join(in, t->ranks[r].clock, known);
	}
}

/* Returns the head of the first rank's part. */
static uint32_t find_spans(const struct trace *t, const struct clock_course *c, struct spans *x)
{
	uint32_t first = TRACE_NONE;

	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];
		struct span *p;
		int64_t begin_ns, end_ns;

		if (rank->absent)
			continue;
		begin_ns =
			rank->begin_ns + llround(clock_course_at(c, rank->clock, rank->begin_ns));
		end_ns = rank->end_ns + llround(clock_course_at(c, rank->clock, rank->end_ns));
		p = &x->of[sets_head(x->in, rank->clock)];
		p->begin_ns = begin_ns < p->begin_ns ? begin_ns : p->begin_ns;
		p->end_ns = end_ns > p->end_ns ? end_ns : p->end_ns;
		if (first == TRACE_NONE)
			first = sets_head(x->in, rank->clock);
	}
	return first;
}

static void raise_clock(struct clock_course *c, uint32_t clock, int64_t by_ns)
{
	for (uint32_t k = 0; k <= c->windows; k++)
		c->knot_ns[(size_t)clock * (c->windows + 1) + k] += (double)by_ns;
}

int clock_parts_align(const struct trace *t, const struct clock_pairs *x, struct clock_course *c,
		      struct clock_parts *out)
{
	size_t n = (size_t)t->clocks + 1;
	struct spans s = {calloc(n, sizeof(*s.in)), calloc(n, sizeof(*s.of))};
	int ret = s.in && s.of ? 0 : -1;
	uint32_t first = TRACE_NONE;

	for (uint32_t i = 0; !ret && i < t->clocks; i++) {
		s.in[i] = i;
		s.of[i] = (struct span){INT64_MAX, INT64_MIN};
	}
	if (!ret) {
		join_compared(t, x, s.in);
		first = find_spans(t, c, &s);
	}
	for (uint32_t i = 0; first != TRACE_NONE && i < t->clocks; i++) {
		const struct span *p = &s.of[sets_head(s.in, i)], *as = &s.of[first];
		int is_head = s.in[i] == i;

		if (p->begin_ns > p->end_ns) /* nobody's */
			continue;
		out->n += is_head;
		if (p->begin_ns <= as->end_ns && p->end_ns >= as->begin_ns)
			continue;
		out->moved += is_head;
		raise_clock(c, i, as->begin_ns - p->begin_ns);
	}
	free(s.in);
	free(s.of);
	return ret;
}
