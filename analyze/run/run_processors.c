/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run_processors.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/run/rivals.h"
#include "common/number_list.h"

/* What run.json says of a rank. */
struct may_use {
	uint32_t node;
	uint32_t rank;
	int is_known;
	double of;    /* processors of its node, as far as they are on */
	double quota; /* 0: none, or not known */
	json_int_t quota_group;
};

/* All of them by node, then by rank, and each one's processors; for a node at a time. */
struct places {
	struct trace *t;
	struct may_use *may;
	struct processor_set *set;
	struct err *err;
};

static int take_processors(const char *list, struct processor_set *out)
{
	struct processor_set set = {{0}};
	long low, high;
	int more = -1;

	while (list && (more = number_list_next(&list, &low, &high)) > 0)
		for (; low <= high; low++) {
			if (low >= PROCESSOR_SET_ROOM)
				return 0;
			processor_set_add(&set, (unsigned)low);
		}
	if (more || !processor_set_count(&set))
		return 0;
	*out = set;
	return 1;
}

static void take_row(const json_t *row, const struct places *p)
{
	const char *ranks = json_string_value(json_object_get(row, "ranks"));
	struct processor_set set = {{0}};
	struct may_use may = {
		.is_known =
			take_processors(json_string_value(json_object_get(row, "may_use")), &set),
		.of = json_number_value(json_object_get(row, "of")),
		.quota = json_number_value(json_object_get(row, "quota")),
		.quota_group = json_integer_value(json_object_get(row, "quota_group"))};
	long low, high;

	while (ranks && number_list_next(&ranks, &low, &high) > 0)
		for (; low <= high && low < p->t->n_ranks; low++) {
			may.rank = (uint32_t)low;
			may.node = p->t->ranks[low].node;
			p->may[low] = may;
			p->set[low] = set;
		}
}

static int by_node(const void *a, const void *b)
{
	const struct may_use *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* A rank belongs to a group, which may be more of a crowd than another one. */
static void join(struct trace *t, struct core_group *g, uint32_t ranks, uint32_t rank)
{
	g->ranks[g->n++] = rank;
	if (ranks / g->cores > t->ranks[rank].crowd)
		t->ranks[rank].crowd = ranks / g->cores;
}

/* "0-3,8"; NULL: out of memory. */
static char *list_of(const struct processor_set *set)
{
	uint32_t numbers[PROCESSOR_SET_ROOM];

	return number_list_text(processor_set_list(set, numbers), numbers);
}

/* The groups of a node's n ranks by the sets that these may use. Returns 0, or -1. */
static int add_sets(const struct places *p, const struct may_use *may, uint32_t n,
		    const struct processor_set set[])
{
	struct core_groups *all = &p->t->core_groups;
	struct processor_set any = {{0}};
	uint32_t first = all->n;
	struct rivals r;
	int ret = 0;

	if (rivals_find(n, set, &r, p->err))
		return -1;
	for (uint32_t k = 0; k < n; k++)
		processor_set_join(&any, &set[k]);
	for (uint32_t k = 0; !ret && k < r.n_groups; k++) {
		struct core_group *g =
			core_groups_add(all,
					&(struct core_group){.by = CORE_GROUP_SET,
							     .node = may->node,
							     .cores = r.groups[k].cores,
							     .is_alike = 1,
							     .open = processor_set_count(&any),
							     .node_ranks = n,
							     .of_node = may->of},
					r.groups[k].ranks);

		if (!g || !(g->which = list_of(&r.groups[k].which)))
			ret = err_set(p->err, "out of memory for the cores of %u ranks", n);
	}
	for (uint32_t k = 0; !ret && k < n; k++) {
		const struct rivals_group *of = &r.groups[r.group[k]];
		struct core_group *g = &all->g[first + r.group[k]];

		g->is_alike &= !memcmp(&of->which, &set[k], sizeof(set[k]));
		join(p->t, g, of->ranks, may[k].rank);
	}
	rivals_release(&r);
	return ret;
}

/* Those of a node's n ranks with this one's quota, if it is the first of them. Returns 0, or -1. */
static int add_quota(const struct places *p, const struct may_use *may, uint32_t n, uint32_t which)
{
	const struct may_use *one = &may[which];
	struct core_group *g;
	uint32_t ranks = 0;

	for (uint32_t k = 0; k < n; k++) {
		if (!(may[k].quota > 0) || may[k].quota_group != one->quota_group)
			continue;
		if (k < which)
			return 0;
		ranks++;
	}
	g = core_groups_add(&p->t->core_groups,
			    &(struct core_group){.by = CORE_GROUP_QUOTA,
						 .node = one->node,
						 .cores = one->quota,
						 .open = one->quota,
						 .node_ranks = n,
						 .of_node = one->of},
			    ranks);
	if (!g)
		return err_set(p->err, "out of memory for the cores of %u ranks", n);
	for (uint32_t k = which; k < n; k++)
		if (may[k].quota > 0 && may[k].quota_group == one->quota_group)
			join(p->t, g, ranks, may[k].rank);
	return 0;
}

/* Returns 0, or -1 with *err set. */
static int mark_node(const struct places *p, const struct may_use *may, uint32_t n)
{
	struct processor_set *set = calloc(n + 1u, sizeof(*set));
	int is_known = 1, ret = 0;

	if (!set)
		return err_set(p->err, "out of memory for the cores of %u ranks", n);
	for (uint32_t k = 0; k < n; k++) {
		is_known &= may[k].is_known;
		set[k] = p->set[may[k].rank];
	}
	if (is_known)
		ret = add_sets(p, may, n, set);
	for (uint32_t k = 0; !ret && is_known && k < n; k++)
		if (may[k].quota > 0)
			ret = add_quota(p, may, n, k);
	free(set);
	return ret;
}

int run_processors_mark(const struct run *r, struct trace *t, struct err *err)
{
	const json_t *rows = json_object_get(r->meta, "processors"), *row;
	struct places p = {.t = t, .err = err};
	uint32_t first = 0;
	int ret = 0;
	size_t i;

	if (!json_array_size(rows))
		return 0;
	p.may = calloc(t->n_ranks + 1u, sizeof(*p.may));
	p.set = calloc(t->n_ranks + 1u, sizeof(*p.set));
	if (!p.may || !p.set)
		ret = err_set(err, "out of memory for the cores of %u ranks", t->n_ranks);
	for (uint32_t k = 0; !ret && k < t->n_ranks; k++)
		p.may[k] = (struct may_use){.node = t->ranks[k].node, .rank = k};
	if (!ret) {
		json_array_foreach((json_t *)rows, i, row)
			take_row(row, &p);
		qsort(p.may, t->n_ranks, sizeof(*p.may), by_node);
	}
	for (uint32_t k = 1; !ret && k <= t->n_ranks; k++)
		if (k == t->n_ranks || p.may[k].node != p.may[first].node) {
			if (p.may[first].node < t->nodes)
				ret = mark_node(&p, &p.may[first], k - first);
			first = k;
		}
	free(p.may);
	free(p.set);
	return ret;
}
