/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks that compete for the same processors: those of a node for its cores, those that nothing
 * but some processors is open to (analyze/run/rivals.h), those of a control group for its quota.
 * A rank may be in one of the latter, too; its own is that with most ranks to a core.
 */
#ifndef ANALYZE_CORE_GROUPS_H
#define ANALYZE_CORE_GROUPS_H

#include <stdint.h>

enum core_group_by {
	CORE_GROUP_NODE,  /* it is not known which of the node's cores they may use */
	CORE_GROUP_SET,   /* all together may use these processors, and no others that are free */
	CORE_GROUP_QUOTA, /* of any that they may use so much at once */
};

struct core_group {
	enum core_group_by by;
	uint32_t node;
	uint32_t n;      /* ranks, */
	uint32_t *ranks; /* in order */
	double cores;
	char *which;  /* "0-3,8", of CORE_GROUP_SET; or NULL */
	int is_alike; /* each may use all of these, and no others */
	double open;  /* cores that the node's ranks may use, each its own ones, all together, */
	uint32_t node_ranks; /* so many ranks; */
	double of_node;      /* of so many cores; 0: not known */
};

struct core_groups {
	struct core_group *g;
	uint32_t n;
};

/* Ranks to a core. */
static inline double core_group_crowd(const struct core_group *g)
{
	return g->cores > 0 ? g->n / g->cores : 0;
}

/* Append one, with room for so many ranks. Valid until the next one; NULL: out of memory. */
struct core_group *core_groups_add(struct core_groups *all, const struct core_group *one,
				   uint32_t ranks);

/* A rank's own, or NULL: it is not known. */
const struct core_group *core_groups_of(const struct core_groups *all, uint32_t rank);

/* That with most ranks to a core, if more than one; of equal ones the largest. NULL: none. */
const struct core_group *core_groups_worst(const struct core_groups *all);

void core_groups_release(struct core_groups *all);

#endif
