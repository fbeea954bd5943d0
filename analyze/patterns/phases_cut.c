/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/phases_cut.h"

#include "common/table.h"

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

static uint32_t step_of(const struct cutter *x, uint32_t call)
{
	uint32_t i = call_collective(&x->t->calls[call]);
	uint32_t step = trace_place(x->t, call);

	if (phases_communicates(x->t, call))
		step |= STEP_COMMUNICATES;
	if (i != TRACE_NONE && x->t->comms[x->c->c[i].comm].size == x->t->n_ranks)
		step |= STEP_MEETS_ALL;
	return step;
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

/* All steps. Returns the most stretches of a rank. */
static uint32_t find_steps(struct cutter *x)
{
	uint32_t most = 0;
	uint32_t r;

	for (r = 0; r < x->t->n_ranks; r++) {
		const struct rank *rank = &x->t->ranks[r];
		uint32_t n = 1;
		uint32_t i;

		for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
			x->step[i] = step_of(x, i);
			n += cutter_meets_all(x, i);
		}
		if (n > most)
			most = n;
	}
	return most;
}

/* A loop's last round may end with another collective: that one does not count. */
static void sign(struct cutter *x)
{
	uint32_t r;

	for (r = 0; r < x->t->n_ranks; r++) {
		const struct rank *rank = &x->t->ranks[r];
		uint32_t stretch = 0;
		uint32_t i;

		for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
			if (cutter_meets_all(x, i))
				stretch++;
			else if (cutter_communicates(x, i))
				mask_add(&x->mask[stretch], cutter_place(x, i));
		}
	}
}

/* Where the collective at the end is all that there is, it does count. */
static void sign_alone(struct cutter *x)
{
	const struct mask empty = {0};
	uint32_t r;

	for (r = 0; r < x->stretches; r++)
		x->alone[r] = !memcmp(&x->mask[r], &empty, sizeof(empty));
	for (r = 0; memchr(x->alone, 1, x->stretches) && r < x->t->n_ranks; r++) {
		const struct rank *rank = &x->t->ranks[r];
		uint32_t stretch = 0;
		uint32_t i;

		for (i = rank->first_call; i < rank->first_call + rank->calls; i++)
			if (cutter_meets_all(x, i) && x->alone[stretch++])
				mask_add(&x->mask[stretch - 1], cutter_place(x, i));
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

/* Does the call say what its stretch is? */
static int is_learnt(const struct cutter *x, uint32_t stretch, uint32_t call)
{
	return cutter_communicates(x, call) && (!cutter_meets_all(x, call) || x->alone[stretch]);
}

/* Give a place the number at in its class; those from there on have one more. */
static void number_place(struct cutter *x, uint32_t class, uint32_t place, uint32_t at)
{
	uint32_t *line = &x->line[cell(x, class, 0)];

	for (uint32_t k = ++x->seen[class]; k > at; k--) {
		line[k] = line[k - 1];
		x->order[cell(x, class, line[k])] = k;
	}
	line[at] = place;
	x->order[cell(x, class, place)] = at;
}

/* The first call from i on, before end, whose place has a number; or that ends the stretch. */
static uint32_t find_known(const struct cutter *x, uint32_t stretch, uint32_t i, uint32_t end)
{
	uint32_t class = x->class_of[stretch];

	for (; i < end && !cutter_meets_all(x, i); i++)
		if (is_learnt(x, stretch, i) && x->order[cell(x, class, cutter_place(x, i))])
			break;
	return i;
}

/* The number of the call's place in its class, 0: it has none. */
static uint32_t order_of(const struct cutter *x, uint32_t stretch, uint32_t call)
{
	if (!is_learnt(x, stretch, call))
		return 0;
	return x->order[cell(x, x->class_of[stretch], cutter_place(x, call))];
}

/*
 * Number each class's places as a rank comes to them. Ranks skip some, as the first of a line has
 * nobody to receive from: what earlier ones skipped comes in before the next place that they had,
 * or behind the one before if that is a return to where the rank was. What no place follows that
 * is known comes last.
 */
static void number_rank(struct cutter *x, const struct rank *rank)
{
	uint32_t end = rank->first_call + rank->calls;
	uint32_t known = rank->first_call;
	uint32_t stretch = 0;
	uint32_t before = 0;

	for (uint32_t i = rank->first_call; i < end; i++) {
		uint32_t class = x->class_of[stretch];

		if (is_learnt(x, stretch, i)) {
			if (!order_of(x, stretch, i)) {
				uint32_t next;

				if (known <= i)
					known = find_known(x, stretch, i + 1, end);
				next = known < end ? order_of(x, stretch, known) : 0;
				number_place(x, class, cutter_place(x, i),
					     !next           ? x->seen[class] + 1
					     : next > before ? next
							     : before + 1);
			}
			before = order_of(x, stretch, i);
		}
		if (cutter_meets_all(x, i)) {
			stretch++;
			before = 0;
		}
	}
}

/* Note a rank's returns to earlier places of a class. */
static void note_returns(struct cutter *x, const struct rank *rank)
{
	uint32_t stretch = 0;
	uint32_t before = 0;

	for (uint32_t i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		uint32_t now = order_of(x, stretch, i);

		if (now) {
			uint32_t *reach = &x->reach[cell(x, x->class_of[stretch], now)];

			if (now < before && *reach < before)
				*reach = before;
			before = now;
		}
		if (cutter_meets_all(x, i)) {
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

uint32_t cutter_phase(const struct cutter *x, uint32_t stretch, uint32_t call, uint32_t last_phase)
{
	uint32_t class = x->class_of[stretch];
	uint32_t order = x->order[cell(x, class, cutter_place(x, call))];

	if (!is_learnt(x, stretch, call)) {
		if (last_phase != TRACE_NONE)
			return last_phase;
		order = x->seen[class];
	}
	return x->phase[cell(x, class, order)];
}

/* both[f]: ranks that are in phase f and in the next one. stamp: room for as many. */
static void count_both(const struct cutter *x, uint32_t n, uint32_t *stamp, uint32_t *both)
{
	uint32_t r;
	uint32_t f;

	for (r = 0; r < x->t->n_ranks; r++) {
		const struct rank *rank = &x->t->ranks[r];
		uint32_t stretch = 0;
		uint32_t i;

		for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
			if (is_learnt(x, stretch, i))
				stamp[cutter_phase(x, stretch, i, TRACE_NONE)] = r + 1;
			stretch += cutter_meets_all(x, i);
		}
		for (f = 0; f + 1 < n; f++)
			both[f] += stamp[f] == r + 1 && stamp[f + 1] == r + 1;
	}
}

/*
 * Phases of a class that follow each other, with no rank in both, are roles of one phase:
 * servers and clients.
 */
static int merge_roles(struct cutter *x, uint32_t *n)
{
	uint32_t *stamp = calloc((size_t)*n + 1, sizeof(*stamp));
	uint32_t *both = calloc((size_t)*n + 1, sizeof(*both));
	int ret = stamp && both ? 0 : -1;
	uint32_t merged = 0;
	uint32_t class;
	uint32_t at;

	if (!ret)
		count_both(x, *n, stamp, both);
	for (class = 0; !ret && class < x->classes; class ++) {
		uint32_t before = TRACE_NONE;

		for (at = 1; at <= x->seen[class]; at++) {
			uint32_t *phase = &x->phase[cell(x, class, at)];

			if (before != TRACE_NONE && *phase != before)
				merged += !both[before];
			before = *phase;
			*phase -= merged;
		}
	}
	*n -= merged;
	free(both);
	free(stamp);
	return ret;
}

void cutter_count_sites(const struct cutter *x, struct phases *out)
{
	uint32_t class;
	uint32_t at;

	for (class = 0; class < x->classes; class ++)
		for (at = 1; at <= x->seen[class]; at++)
			out->p[x->phase[cell(x, class, at)]].sites++;
}

static int cut(struct cutter *x)
{
	size_t cells;

	x->step = table_alloc((size_t)x->t->n_calls + 1, sizeof(*x->step));
	if (!x->step)
		return -1;
	x->stretches = find_steps(x);
	x->mask = table_calloc((size_t)x->stretches + 1, sizeof(*x->mask));
	x->class_of = table_calloc((size_t)x->stretches + 1, sizeof(*x->class_of));
	x->alone = table_calloc((size_t)x->stretches + 1, 1);
	if (!x->mask || !x->class_of || !x->alone)
		return -1;
	sign(x);
	sign_alone(x);
	classify(x);
	cells = ((size_t)x->places + 2) * (x->classes + 1);
	x->order = calloc(cells, sizeof(*x->order));
	x->line = calloc(cells, sizeof(*x->line));
	x->reach = calloc(cells, sizeof(*x->reach));
	x->phase = calloc(cells, sizeof(*x->phase));
	x->seen = calloc((size_t)x->classes + 1, sizeof(*x->seen));
	return x->order && x->line && x->reach && x->phase && x->seen ? 0 : -1;
}

int cutter_init(struct cutter *x, const struct trace *t, const struct collectives *c, uint32_t *n)
{
	uint32_t phases = 0;
	uint32_t i;

	*x = (struct cutter){.t = t, .c = c, .places = t->n_sites + t->n_regions};
	if (cut(x))
		return -1;
	for (i = 0; i < t->n_ranks; i++)
		number_rank(x, &t->ranks[i]);
	for (i = 0; i < t->n_ranks; i++)
		note_returns(x, &t->ranks[i]);
	for (i = 0; i < x->classes; i++)
		phases = number_class(x, i, phases);
	if (merge_roles(x, &phases))
		return -1;
	*n = phases;
	return 0;
}

void cutter_release(struct cutter *x)
{
	free(x->phase);
	free(x->seen);
	free(x->reach);
	free(x->line);
	free(x->order);
	table_free(x->alone);
	table_free(x->class_of);
	table_free(x->mask);
	table_free(x->step);
}
