/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_parts.h"

#include "analyze/clock/clock_pairs.h"

#include <math.h>
#include <stdlib.h>

/* One for each clock; only that at the head of a part says when it ran. */
struct part {
	uint32_t in; /* a clock of the same part, nearer to its head; the head: itself */
	int64_t begin_ns, end_ns;
};

static uint32_t head_of(struct part *parts, uint32_t clock)
{
	while (parts[clock].in != clock)
		clock = parts[clock].in = parts[parts[clock].in].in;
	return clock;
}

static void join(struct part *parts, uint32_t a, uint32_t b)
{
	parts[head_of(parts, a)].in = head_of(parts, b);
}

static void join_compared(const struct trace *t, const struct clock_pairs *x, struct part *parts)
{
	uint32_t known = TRACE_NONE; /* a clock that the recorder compared with its reference */

	for (const struct clock_pair *p = x->all; p; p = p->hh.next)
		join(parts, p->clocks.from, p->clocks.to);
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		if (t->ranks[r].absent || t->ranks[r].clock_error_ns < 0)
			continue;
		if (known == TRACE_NONE)
			known = t->ranks[r].clock;
		join(parts, t->ranks[r].clock, known);
	}
}

/* Returns the head of the first rank's part. */
static uint32_t find_spans(const struct trace *t, const struct clock_course *c, struct part *parts)
{
	uint32_t first = TRACE_NONE;

	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];
		struct part *p;
		int64_t begin_ns, end_ns;

		if (rank->absent)
			continue;
		begin_ns =
			rank->begin_ns + llround(clock_course_at(c, rank->clock, rank->begin_ns));
		end_ns = rank->end_ns + llround(clock_course_at(c, rank->clock, rank->end_ns));
		p = &parts[head_of(parts, rank->clock)];
		p->begin_ns = begin_ns < p->begin_ns ? begin_ns : p->begin_ns;
		p->end_ns = end_ns > p->end_ns ? end_ns : p->end_ns;
		if (first == TRACE_NONE)
			first = head_of(parts, rank->clock);
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
	struct part *parts = calloc((size_t)t->clocks + 1, sizeof(*parts));
	uint32_t first;

	if (!parts)
		return -1;
	for (uint32_t i = 0; i < t->clocks; i++)
		parts[i] = (struct part){i, INT64_MAX, INT64_MIN};
	join_compared(t, x, parts);
	first = find_spans(t, c, parts);
	for (uint32_t i = 0; first != TRACE_NONE && i < t->clocks; i++) {
		const struct part *p = &parts[head_of(parts, i)], *as = &parts[first];
		int is_head = p == &parts[i];

		if (p->begin_ns > p->end_ns) /* nobody's */
			continue;
		out->n += is_head;
		if (p->begin_ns <= as->end_ns && p->end_ns >= as->begin_ns)
			continue;
		out->moved += is_head;
		raise_clock(c, i, as->begin_ns - p->begin_ns);
	}
	free(parts);
	return 0;
}
