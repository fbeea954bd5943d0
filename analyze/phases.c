/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/phases.h"

#include <stdlib.h>
#include <string.h>

/*
 * A stretch between two collectives has a signature: a small Bloom filter of the places that
 * it visits, which the ranks can add to in any order and twice. Stretches of the same
 * signature are one class. All that comes after the last free class shares it.
 */
#define MASK_WORDS  4
#define CLASSES_MAX 48

struct mask {
	uint64_t w[MASK_WORDS];
};

struct cutter {
	const struct trace *t;
	const struct collectives *c;
	uint32_t places;
	uint32_t stretches;
	struct mask *mask;  /* per stretch */
	uint32_t *class_of; /* per stretch */
	uint32_t classes;
	uint32_t *order; /* per class and place: when it is first seen, from 1; 0: never */
	uint32_t *reach; /* the same by order: how far a return to here comes from */
	uint32_t *seen;  /* per class: places */
	uint32_t *phase; /* per class and order: its phase */
};

int phases_communicates(const struct trace *t, uint32_t call)
{
	enum region_kind k = trace_call_kind(t, call);

	return k >= REGION_SEND && k <= REGION_COLLECTIVE && k != REGION_TEST && k != REGION_IPROBE;
}

static int meets_all(const struct cutter *x, uint32_t call)
{
	uint32_t i = x->t->calls[call].collective;

	return i != TRACE_NONE && x->t->comms[x->c->c[i].comm].size == x->t->n_ranks;
}

static void mask_add(struct mask *m, uint32_t place)
{
	uint64_t h = (place + 1) * 0x9e3779b97f4a7c15u;
	int i;

	for (i = 0; i < 3; i++, h >>= 16)
		m->w[(h >> 6) % MASK_WORDS] |= UINT64_C(1) << (h & 63);
}

static size_t cell(const struct cutter *x, uint32_t class, uint32_t at)
{
	return (size_t) class * (x->places + 1) + at;
}

/* Most stretches of a rank. */
static uint32_t count_stretches(const struct cutter *x)
{
	uint32_t most = 0;
	uint32_t r;

	for (r = 0; r < x->t->n_ranks; r++) {
		const struct rank *rank = &x->t->ranks[r];
		uint32_t n = 1;
		uint32_t i;

		for (i = rank->first_call; i < rank->first_call + rank->calls; i++)
			n += meets_all(x, i);
		if (n > most)
			most = n;
	}
	return most;
}

static void sign(struct cutter *x)
{
	uint32_t r;

	for (r = 0; r < x->t->n_ranks; r++) {
		const struct rank *rank = &x->t->ranks[r];
		uint32_t stretch = 0;
		uint32_t i;

		for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
			if (phases_communicates(x->t, i))
				mask_add(&x->mask[stretch], phases_place(x->t, i));
			stretch += meets_all(x, i);
		}
	}
}

static void classify(struct cutter *x)
{
	struct mask known[CLASSES_MAX];
	uint32_t s;
	uint32_t k;

	for (s = 0; s < x->stretches; s++) {
		for (k = 0; k < x->classes; k++)
			if (!memcmp(&known[k], &x->mask[s], sizeof(known[k])))
				break;
		if (k == CLASSES_MAX)
			k--;
		if (k == x->classes)
			known[x->classes++] = x->mask[s];
		x->class_of[s] = k;
	}
}

/* Number each class's places as they are first seen and note the returns to earlier ones. */
static void learn_rank(struct cutter *x, const struct rank *rank)
{
	uint32_t stretch = 0;
	uint32_t before = 0;
	uint32_t i;

	for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		uint32_t class = x->class_of[stretch];
		uint32_t place = phases_place(x->t, i);
		uint32_t *order = &x->order[cell(x, class, place)];

		if (phases_communicates(x->t, i)) {
			if (!*order)
				*order = ++x->seen[class];
			if (*order < before && x->reach[cell(x, class, *order)] < before)
				x->reach[cell(x, class, *order)] = before;
			before = *order;
		}
		if (meets_all(x, i)) {
			stretch++;
			before = 0;
		}
	}
}

/* A loop is all places from one that is returned to, to the last from where; loops that
 * overlap are one. What lies between loops is a phase too. Returns the phases so far. */
static uint32_t number_class(struct cutter *x, uint32_t class, uint32_t n)
{
	uint32_t until = 0;
	int straight = 0;
	uint32_t at;

	for (at = 1; at <= x->seen[class]; at++) {
		uint32_t reach = x->reach[cell(x, class, at)];

		if (at > until && (reach || !straight)) {
			straight = !reach;
			n++;
		}
		if (reach > until)
			until = reach;
		x->phase[cell(x, class, at)] = n - 1;
	}
	return n;
}

static void enter_phase(struct phase *p, const struct call *call, int64_t since_ns)
{
	if (!p->calls++ || call->enter_ns < p->begin_ns)
		p->begin_ns = call->enter_ns;
	if (call->leave_ns > p->end_ns)
		p->end_ns = call->leave_ns;
	if (call->leave_ns > since_ns)
		p->spent_ns += call->leave_ns - since_ns;
}

/* anchor, round: per phase, of this rank: the place that begins a round, and rounds begun. */
static void walk_rank(struct cutter *x, const struct rank *rank, uint32_t *anchor, uint32_t *round,
		      struct phases *out)
{
	int64_t since_ns = rank->begin_ns;
	uint32_t last_phase = TRACE_NONE;
	uint32_t last_place = TRACE_NONE;
	uint32_t stretch = 0;
	uint32_t visit = 0;
	uint32_t i;

	for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		const struct call *call = &x->t->calls[i];
		uint32_t place = phases_place(x->t, i);
		uint32_t class = x->class_of[stretch];
		uint32_t f;

		if (!phases_communicates(x->t, i))
			continue;
		f = x->phase[cell(x, class, x->order[cell(x, class, place)])];
		if (!round[f])
			anchor[f] = place;
		if (f != last_phase || (place == anchor[f] && place != last_place)) {
			round[f]++;
			visit++;
		}
		out->of_call[i] = f;
		out->visit[i] = visit;
		if (round[f] > out->p[f].rounds)
			out->p[f].rounds = round[f];
		enter_phase(&out->p[f], call, since_ns);
		since_ns = call->leave_ns > since_ns ? call->leave_ns : since_ns;
		last_phase = f;
		last_place = place;
		if (meets_all(x, i)) {
			out->p[f].ended_by = call->region;
			last_phase = TRACE_NONE;
			stretch++;
		}
	}
}

struct dated {
	int64_t ns;
	uint32_t phase;
};

static int by_time(const void *a, const void *b)
{
	const struct dated *x = a;
	const struct dated *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->phase < y->phase ? -1 : x->phase > y->phase;
}

/* Number the phases by time. Returns -1: out of memory. */
static int order_phases(const struct trace *t, struct phases *out)
{
	struct dated *d = calloc(out->n + 1, sizeof(*d));
	struct phase *p = calloc(out->n + 1, sizeof(*p));
	uint32_t *now = calloc(out->n + 1, sizeof(*now));
	uint32_t i;
	int ret = -1;

	if (!d || !p || !now)
		goto out;
	for (i = 0; i < out->n; i++)
		d[i] = (struct dated){out->p[i].begin_ns, i};
	qsort(d, out->n, sizeof(*d), by_time);
	for (i = 0; i < out->n; i++) {
		p[i] = out->p[d[i].phase];
		now[d[i].phase] = i;
	}
	for (i = 0; i < t->n_calls; i++)
		if (out->of_call[i] != TRACE_NONE)
			out->of_call[i] = now[out->of_call[i]];
	memcpy(out->p, p, out->n * sizeof(*p));
	ret = 0;
out:
	free(now);
	free(p);
	free(d);
	return ret;
}

static int walk(struct cutter *x, struct phases *out)
{
	uint32_t *anchor = calloc(out->n + 1, sizeof(*anchor));
	uint32_t *round = calloc(out->n + 1, sizeof(*round));
	uint32_t class;
	uint32_t at;
	uint32_t r;
	int ret = -1;

	if (!anchor || !round)
		goto out;
	for (r = 0; r < out->n; r++)
		out->p[r].ended_by = TRACE_NONE;
	for (r = 0; r < x->t->n_ranks; r++) {
		memset(round, 0, out->n * sizeof(*round));
		walk_rank(x, &x->t->ranks[r], anchor, round, out);
	}
	for (class = 0; class < x->classes; class ++)
		for (at = 1; at <= x->seen[class]; at++)
			out->p[x->phase[cell(x, class, at)]].sites++;
	ret = order_phases(x->t, out);
out:
	free(round);
	free(anchor);
	return ret;
}

static void cutter_release(struct cutter *x)
{
	free(x->phase);
	free(x->seen);
	free(x->reach);
	free(x->order);
	free(x->class_of);
	free(x->mask);
}

static int cut(struct cutter *x)
{
	size_t cells;

	x->stretches = count_stretches(x);
	x->mask = calloc((size_t)x->stretches + 1, sizeof(*x->mask));
	x->class_of = calloc((size_t)x->stretches + 1, sizeof(*x->class_of));
	if (!x->mask || !x->class_of)
		return -1;
	sign(x);
	classify(x);
	cells = ((size_t)x->places + 2) * (x->classes + 1);
	x->order = calloc(cells, sizeof(*x->order));
	x->reach = calloc(cells, sizeof(*x->reach));
	x->phase = calloc(cells, sizeof(*x->phase));
	x->seen = calloc((size_t)x->classes + 1, sizeof(*x->seen));
	return x->order && x->reach && x->phase && x->seen ? 0 : -1;
}

int phases_find(const struct trace *t, const struct collectives *c, struct phases *out,
		struct err *err)
{
	struct cutter x = {.t = t, .c = c, .places = t->n_sites + t->n_regions};
	struct phases p = {0};
	uint32_t i;
	int ret = -1;

	p.of_call = malloc(((size_t)t->n_calls + 1) * sizeof(*p.of_call));
	p.visit = calloc((size_t)t->n_calls + 1, sizeof(*p.visit));
	if (!p.of_call || !p.visit || cut(&x))
		goto out;
	memset(p.of_call, 0xff, ((size_t)t->n_calls + 1) * sizeof(*p.of_call));
	for (i = 0; i < t->n_ranks; i++)
		learn_rank(&x, &t->ranks[i]);
	for (i = 0; i < x.classes; i++)
		p.n = number_class(&x, i, p.n);
	p.p = calloc((size_t)p.n + 1, sizeof(*p.p));
	if (!p.p || walk(&x, &p))
		goto out;
	*out = p;
	ret = 0;
out:
	cutter_release(&x);
	if (ret) {
		phases_release(&p);
		return err_set(err, "out of memory for the phases of %u calls", t->n_calls);
	}
	return 0;
}

void phases_release(struct phases *p)
{
	free(p->p);
	free(p->of_call);
	free(p->visit);
	*p = (struct phases){0};
}
