/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/rivals.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/tools/sets.h"

#define NONE UINT32_MAX

/* Ranks with the same set. */
struct kind {
	struct processor_set free; /* of its processors those that no denser group has */
	uint32_t ranks;
	uint32_t in;      /* the group that is looked at; NONE: it has its own */
	int64_t left;     /* of its ranks' wants, not served yet */
	uint32_t through; /* the processor by which the search came to it; NONE: it began there */
	int seen;
};

struct search {
	uint32_t n; /* kinds */
	struct kind *kind;
	int64_t *flow;                     /* from each kind to each processor */
	int64_t room[PROCESSOR_SET_ROOM];  /* of each processor, not given away */
	uint32_t from[PROCESSOR_SET_ROOM]; /* the kind by which the search came to it; NONE */
	uint32_t *queue;                   /* of kinds */
};

static int64_t *flow_of(struct search *s, uint32_t kind, unsigned processor)
{
	return &s->flow[(size_t)kind * PROCESSOR_SET_ROOM + processor];
}

static struct processor_set without(const struct processor_set *a, const struct processor_set *b)
{
	struct processor_set x;

	for (int k = 0; k < PROCESSOR_SET_WORDS; k++)
		x.word[k] = a->word[k] & ~b->word[k];
	return x;
}

/* Ranks of the kinds that are looked at, and the processors that they may use. */
static uint32_t look(const struct search *s, struct processor_set *all)
{
	uint32_t ranks = 0;

	*all = (struct processor_set){{0}};
	for (uint32_t k = 0; k < s->n; k++)
		if (s->kind[k].in != NONE) {
			ranks += s->kind[k].ranks;
			processor_set_join(all, &s->kind[k].free);
		}
	return ranks;
}

/* A kind joins the search for room. */
static void reach(struct search *s, uint32_t kind, uint32_t through, uint32_t *end)
{
	s->kind[kind].seen = 1;
	s->kind[kind].through = through;
	s->queue[(*end)++] = kind;
}

/* The way to a processor with room, from a kind that wants more: that is moved along it. */
static void serve(struct search *s, uint32_t processor)
{
	int64_t most = s->room[processor];
	uint32_t kind, at;

	for (at = processor;; at = s->kind[kind].through) {
		kind = s->from[at];
		if (s->kind[kind].through == NONE)
			break;
		if (*flow_of(s, kind, s->kind[kind].through) < most)
			most = *flow_of(s, kind, s->kind[kind].through);
	}
	if (s->kind[kind].left < most)
		most = s->kind[kind].left;
	s->kind[kind].left -= most;
	s->room[processor] -= most;
	for (at = processor;; at = s->kind[kind].through) {
		kind = s->from[at];
		*flow_of(s, kind, at) += most;
		if (s->kind[kind].through == NONE)
			break;
		*flow_of(s, kind, s->kind[kind].through) -= most;
	}
}

/* Who has some of this processor could give it up for another one. */
static void reach_owners(struct search *s, unsigned processor, uint32_t *end)
{
	for (uint32_t k = 0; k < s->n; k++)
		if (!s->kind[k].seen && s->kind[k].in != NONE && *flow_of(s, k, processor) > 0)
			reach(s, k, processor, end);
}

/*
 * One more piece for those that want more. Returns 0 when none is to be had: then those that were
 * seen want more than all processors that they may use.
 */
static int augment(struct search *s)
{
	uint32_t begin = 0, end = 0;

	memset(s->from, 0xff, sizeof(s->from));
	for (uint32_t k = 0; k < s->n; k++) {
		s->kind[k].seen = 0;
		if (s->kind[k].in != NONE && s->kind[k].left > 0)
			reach(s, k, NONE, &end);
	}
	while (begin < end) {
		uint32_t kind = s->queue[begin++];

		for (unsigned p = 0; p < PROCESSOR_SET_ROOM; p++) {
			if (s->from[p] != NONE || !processor_set_has(&s->kind[kind].free, p))
				continue;
			s->from[p] = kind;
			if (s->room[p] > 0) {
				serve(s, p);
				return 1;
			}
			reach_owners(s, p, &end);
		}
	}
	return 0;
}

/*
 * Of the kinds that are looked at leave those of the densest group. As dense as all are together
 * nobody is denser if each rank gets as much of the processors as there are, each of which gives as
 * much as there are ranks. If that cannot be, those that miss some are denser among themselves.
 */
static void find_densest(struct search *s, struct processor_set *all)
{
	for (;;) {
		uint32_t ranks = look(s, all), wanting = 0;
		int64_t cores = processor_set_count(all);

		memset(s->flow, 0, (size_t)s->n * PROCESSOR_SET_ROOM * sizeof(*s->flow));
		for (unsigned p = 0; p < PROCESSOR_SET_ROOM; p++)
			s->room[p] = ranks;
		for (uint32_t k = 0; k < s->n; k++)
			s->kind[k].left = s->kind[k].ranks * cores;
		while (augment(s))
			;
		for (uint32_t k = 0; k < s->n; k++)
			wanting += s->kind[k].in != NONE && s->kind[k].left > 0;
		if (!wanting)
			return;
		for (uint32_t k = 0; k < s->n; k++)
			if (!s->kind[k].seen)
				s->kind[k].in = NONE;
	}
}

/* Those of a group that have processors in common, if only by others, are one; else several. */
static int part(const struct search *s, uint32_t *leads_to, struct rivals *out, uint32_t group_of[])
{
	uint32_t owner[PROCESSOR_SET_ROOM];

	memset(owner, 0xff, sizeof(owner));
	for (uint32_t k = 0; k < s->n; k++)
		leads_to[k] = k;
	for (uint32_t k = 0; k < s->n; k++)
		for (unsigned p = 0; s->kind[k].in != NONE && p < PROCESSOR_SET_ROOM; p++) {
			if (!processor_set_has(&s->kind[k].free, p))
				continue;
			if (owner[p] == NONE)
				owner[p] = k;
			sets_join(leads_to, k, owner[p]);
		}
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t head = sets_head(leads_to, k);
		struct rivals_group *g;

		if (s->kind[k].in == NONE)
			continue;
		if (group_of[head] == NONE) {
			g = realloc(out->groups, (out->n_groups + 1) * sizeof(*g));
			if (!g)
				return -1;
			out->groups = g;
			g[out->n_groups] = (struct rivals_group){.ranks = 0};
			group_of[head] = out->n_groups++;
		}
		group_of[k] = group_of[head];
		g = &out->groups[group_of[k]];
		g->ranks += s->kind[k].ranks;
		processor_set_join(&g->which, &s->kind[k].free);
		g->cores = processor_set_count(&g->which);
	}
	return 0;
}

/* Returns 0, or -1: out of memory. */
static int divide(struct search *s, struct rivals *out, uint32_t *leads_to, uint32_t group_of[])
{
	struct processor_set all;

	memset(group_of, 0xff, s->n * sizeof(*group_of));
	for (;;) {
		uint32_t left = 0;

		for (uint32_t k = 0; k < s->n; k++) {
			s->kind[k].in = group_of[k] == NONE ? 0 : NONE;
			left += group_of[k] == NONE;
		}
		if (!left)
			return 0;
		find_densest(s, &all);
		if (part(s, leads_to, out, group_of))
			return -1;
		for (uint32_t k = 0; k < s->n; k++)
			if (group_of[k] == NONE)
				s->kind[k].free = without(&s->kind[k].free, &all);
	}
}

/* The kind of each rank into kind_of. */
static void sort_kinds(struct search *s, uint32_t n, const struct processor_set may_use[],
		       uint32_t kind_of[])
{
	for (uint32_t r = 0; r < n; r++) {
		uint32_t k = 0;

		while (k < s->n && memcmp(&s->kind[k].free, &may_use[r], sizeof(may_use[r])) != 0)
			k++;
		if (k == s->n)
			s->kind[s->n++] = (struct kind){.free = may_use[r]};
		s->kind[k].ranks++;
		kind_of[r] = k;
	}
}

int rivals_find(uint32_t n, const struct processor_set may_use[], struct rivals *out,
		struct err *err)
{
	struct search *s = calloc(1, sizeof(*s));
	uint32_t *numbers = calloc(4 * (size_t)n + 1, sizeof(*numbers)), *kind_of = numbers;
	struct rivals r = {.group = calloc(n + 1u, sizeof(*r.group))};
	int ret = -1;

	if (s)
		s->kind = calloc(n + 1u, sizeof(*s->kind));
	if (s && s->kind && numbers && r.group) {
		sort_kinds(s, n, may_use, kind_of);
		s->flow = calloc(((size_t)s->n + 1) * PROCESSOR_SET_ROOM, sizeof(*s->flow));
		s->queue = numbers + n;
		ret = s->flow ? divide(s, &r, numbers + 2 * (size_t)n, numbers + 3 * (size_t)n)
			      : -1;
	}
	for (uint32_t k = 0; !ret && k < n; k++)
		r.group[k] = numbers[3 * (size_t)n + kind_of[k]];
	if (ret) {
		err_set(err, "out of memory for the cores of %u ranks", n);
		rivals_release(&r);
	} else {
		*out = r;
	}
	if (s) {
		free(s->flow);
		free(s->kind);
	}
	free(s);
	free(numbers);
	return ret;
}

void rivals_release(struct rivals *r)
{
	free(r->groups);
	free(r->group);
	*r = (struct rivals){0};
}
