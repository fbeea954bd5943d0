/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "common/ascending.h"
#include "interpose/log/log_seal.h"

/*
 * A quartz keeps its rate to well under a part in a million while the temperature does; a
 * clock that is being steered by NTP changes it by more.
 */
#define RATE_CYCLES 1e-6
#define RATE_NS     1e-5

/* Two clocks that nobody has compared twice, and a difference that no two clocks have. */
#define RATE_UNKNOWN    1e-4
#define RATE_IMPOSSIBLE 3e-4

/* Beyond the others' usual rate by this much: somebody has set the clock. */
#define RATE_UNUSUAL 5e-5

/* Points closer than this do not tell a rate. */
#define SPAN_MIN_NS 1000000000

static int add_point(struct timeline *t, const struct log_offset *point)
{
	struct log_offset *p;

	if (!(t->n & (t->n - 1))) {
		p = realloc(t->points, (t->n ? 2 * (size_t)t->n : 1) * sizeof(*p));
		if (!p)
			return -1;
		t->points = p;
	}
	t->points[t->n++] = *point;
	return 0;
}

int timeline_add(struct timeline *t, const char *digest, size_t n)
{
	const struct log_header *h = (const void *)digest;
	const struct log_anchor *end = log_sealed_end(h);
	const struct record *r;
	size_t i;

	for (i = 0; i < h->n_offsets && i < 2; i++)
		if (add_point(t, &h->offset[i]))
			return -1;
	for (i = sizeof(*h); i + sizeof(*r) <= n; i += (1 + (size_t)r->aux) * sizeof(*r)) {
		r = (const void *)(digest + i);
		if (r->kind == RECORD_DEF_OFFSET &&
		    add_point(t, &(struct log_offset){.tick = r->enter,
						      .mono_ns = (int64_t)r->request,
						      .offset_ns = (int64_t)r->bytes,
						      .error_ns = (int64_t)r->bytes_in}))
			return -1;
	}
	if (h->anchor[1].tick > t->last_tick)
		t->last_tick = h->anchor[1].tick;
	if (end && end->tick > t->last_tick)
		t->last_tick = end->tick;
	t->has_ticks = h->has_ticks;
	return 0;
}

static int by_tick(const void *a, const void *b)
{
	const struct log_offset *x = a, *y = b;

	return x->tick < y->tick ? -1 : x->tick > y->tick;
}

static int64_t reference_ns(const struct log_offset *p)
{
	return p->mono_ns + p->offset_ns;
}

/* Time never goes back, not even where a clock was set back by more than had passed. */
void timeline_sort(struct timeline *t)
{
	uint32_t i, kept = 0;

	if (t->n)
		qsort(t->points, t->n, sizeof(*t->points), by_tick);
	for (i = 0; i < t->n; i++)
		if (!kept || (t->points[i].tick > t->points[kept - 1].tick &&
			      reference_ns(&t->points[i]) > reference_ns(&t->points[kept - 1])))
			t->points[kept++] = t->points[i];
	t->n = kept;
}

void timeline_release(struct timeline *t)
{
	free(t->points);
	memset(t, 0, sizeof(*t));
}

/* Reference ns per tick from a to b. */
static double slope(const struct log_offset *a, const struct log_offset *b)
{
	return (double)(reference_ns(b) - reference_ns(a)) / (double)(b->tick - a->tick);
}

/* From point p on (or back) at a rate. */
static int64_t along(const struct log_offset *p, double ns_per_tick, uint64_t tick)
{
	return reference_ns(p) + (int64_t)((double)(int64_t)(tick - p->tick) * ns_per_tick);
}

int64_t timeline_ns(const struct timeline *t, const struct ticks_scale *own, uint64_t tick)
{
	const struct log_offset *p = t->points;
	uint32_t low = 0, high = t->n - 1, middle;
	double outside = own->ns_per_tick;

	if (!t->n)
		return ticks_to_ns(own, tick);
	if (tick >= p[0].tick && tick < p[high].tick) {
		while (high - low > 1) {
			middle = low + (high - low) / 2;
			if (p[middle].tick <= tick)
				low = middle;
			else
				high = middle;
		}
		return along(&p[low], slope(&p[low], &p[high]), tick);
	}
	if (reference_ns(&p[high]) - reference_ns(&p[0]) >= SPAN_MIN_NS)
		outside = slope(&p[0], &p[high]);
	return along(tick < p[0].tick ? &p[0] : &p[high], outside, tick);
}

/* How much faster the reference ran than this clock, from point i to the next. */
static double drift(const struct timeline *t, uint32_t i)
{
	const struct log_offset *a = &t->points[i], *b = a + 1;
	double own_ns = (double)(b->mono_ns - a->mono_ns);

	return own_ns > 0 ? (double)(b->offset_ns - a->offset_ns) / own_ns : 1;
}

/* What most pieces say of the drift; with few of them, none. */
static double usual_drift(const struct timeline *t)
{
	uint32_t i, n = t->n > 1 ? t->n - 1 : 0;
	double *all = n >= 3 ? malloc(n * sizeof(*all)) : NULL, middle;

	if (!all)
		return 0;
	for (i = 0; i < n; i++)
		all[i] = drift(t, i);
	qsort(all, n, sizeof(*all), ascending);
	middle = all[n / 2];
	free(all);
	return middle;
}

/* Offset gained between point i and the next that no clock gains by itself; 0 when none. */
static int64_t step_ns(const struct timeline *t, uint32_t i, double usual)
{
	const struct log_offset *a = &t->points[i], *b = a + 1;
	double own_ns = (double)(b->mono_ns - a->mono_ns);
	double extra = (double)(b->offset_ns - a->offset_ns) - usual * own_ns;
	double allowed = (double)a->error_ns + (double)b->error_ns +
			 (t->n > 3 ? RATE_UNUSUAL : RATE_IMPOSSIBLE) * own_ns;

	return extra > allowed || extra < -allowed ? (int64_t)extra : 0;
}

static double rate_of(const struct timeline *t)
{
	return t->has_ticks ? RATE_CYCLES : RATE_NS;
}

int64_t timeline_between_ns(const struct timeline *t, uint32_t i)
{
	const struct log_offset *a = &t->points[i], *b = a + 1;
	double length_ns = (double)(reference_ns(b) - reference_ns(a));

	return (a->error_ns + b->error_ns) / 2 + (int64_t)(rate_of(t) * length_ns / 2);
}

/* Bound at the end of a log that goes on after the last point: its job was killed. */
static int64_t beyond_ns(const struct timeline *t)
{
	const struct log_offset *a = &t->points[0], *b = &t->points[t->n - 1];
	double span_ns = (double)(b->mono_ns - a->mono_ns);
	double ns_per_tick = t->n > 1 ? slope(a, b) : 1, left_ns, rate = RATE_UNKNOWN;

	if (t->last_tick <= b->tick)
		return b->error_ns;
	if (t->n == 1 && t->has_ticks)
		return b->error_ns; /* no scale to tell how long */
	left_ns = (double)(t->last_tick - b->tick) * ns_per_tick;
	if (span_ns >= SPAN_MIN_NS)
		rate = rate_of(t) + (double)(a->error_ns + b->error_ns) / span_ns;
	return b->error_ns + (int64_t)(rate * left_ns);
}

struct timeline_quality timeline_judge(const struct timeline *t)
{
	struct timeline_quality q = {0};
	double usual = usual_drift(t);
	int64_t step, worst;
	uint32_t i;

	if (!t->n)
		return q;
	q.first_ns = q.error_ns = t->points[0].error_ns;
	q.final_ns = t->points[t->n - 1].error_ns;
	for (i = 0; i + 1 < t->n; i++) {
		step = step_ns(t, i, usual);
		worst = timeline_between_ns(t, i) + llabs(step);
		q.error_ns = worst > q.error_ns ? worst : q.error_ns;
		worst = t->points[i + 1].error_ns;
		q.error_ns = worst > q.error_ns ? worst : q.error_ns;
		q.steps += step != 0;
		if (llabs(step) > llabs(q.step_ns))
			q.step_ns = step;
	}
	worst = beyond_ns(t);
	q.error_ns = worst > q.error_ns ? worst : q.error_ns;
	return q;
}
