/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of ranks, and the communicators that have them. */
#include "interpose/archive/archive_definer.h"

#include <stdlib.h>

#include <uthash.h>

/* A list of members that has a group. */
struct listed {
	UT_hash_handle hh;
	OTF2_GroupRef group;
};

/*
 * A group of world ranks. Members of other worlds keep the places of those behind them; OTF2
 * has no name for them, so those that nobody is behind are left out.
 */
static OTF2_GroupRef group(struct definer *f, OTF2_GroupType type, uint32_t n, const int32_t *ranks)
{
	uint64_t *members = malloc((n ? n : 1) * sizeof(*members));
	uint32_t i, m = ranks ? n : 0;

	while (m && ranks[m - 1] < 0)
		m--;
	if (!members) {
		f->failed = 1;
		return 0;
	}
	for (i = 0; i < m; i++)
		members[i] = ranks[i] < 0 ? OTF2_UNDEFINED_UINT64 : (uint64_t)ranks[i];
	definer_check(f, OTF2_GlobalDefWriter_WriteGroup(f->w, f->next_group, STRING_EMPTY, type,
							 OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, m,
							 members));
	free(members);
	return f->next_group++;
}

/* All ranks of the world, in order. */
static OTF2_GroupRef group_of_all(struct definer *f, OTF2_GroupType type)
{
	uint32_t i, n = f->d->n_ranks ? f->d->ranks[0].header.ranks : 0;
	int32_t *all = malloc((n ? n : 1) * sizeof(*all));
	OTF2_GroupRef ref;

	for (i = 0; all && i < n; i++)
		all[i] = (int32_t)i;
	if (!all)
		f->failed = 1;
	ref = group(f, type, all ? n : 0, all);
	free(all);
	return ref;
}

/* The group of n members, one definition for equal lists; members may be NULL. */
static OTF2_GroupRef group_of(struct definer *f, uint32_t n, const int32_t *members)
{
	size_t bytes = n * sizeof(*members);
	struct listed *head = f->listed, *l = NULL;

	if (!members || !n)
		return group(f, OTF2_GROUP_TYPE_COMM_GROUP, 0, NULL);
	HASH_FIND(hh, head, members, bytes, l);
	if (l)
		return l->group;
	l = calloc(1, sizeof(*l));
	if (!l) {
		f->failed = 1;
		return 0;
	}
	l->group = group(f, OTF2_GROUP_TYPE_COMM_GROUP, n, members);
	HASH_ADD_KEYPTR(hh, head, members, bytes, l);
	f->listed = head;
	return l->group;
}

static void free_listed(struct definer *f)
{
	struct listed *head = f->listed, *l, *next;

	HASH_ITER(hh, head, l, next) {
		HASH_DEL(head, l);
		free(l);
	}
}

void definer_comms(struct definer *f)
{
	const struct defs *d = f->d;
	OTF2_GroupRef local, remote;
	OTF2_StringRef name;
	uint32_t i;

	for (i = 0; i < d->n_comms; i++) {
		const struct def_comm *c = &d->comms[i];

		name = definer_string(f, c->about.name);
		if (c->about.self)
			local = group(f, OTF2_GROUP_TYPE_COMM_SELF, 0, NULL);
		else if (c->about.size == d->ranks[0].header.ranks && c->key == LOG_COMM_WORLD)
			local = group_of_all(f, OTF2_GROUP_TYPE_COMM_GROUP);
		else
			local = group_of(f, c->about.size, c->members);
		if (!c->about.remote) {
			definer_check(f, OTF2_GlobalDefWriter_WriteComm(
						 f->w, i, name, local,
						 c->parent == UINT32_MAX ? OTF2_UNDEFINED_COMM
									 : c->parent,
						 OTF2_COMM_FLAG_NONE));
			continue;
		}
		remote = group_of(f, c->about.remote,
				  c->members ? c->members + c->about.size : NULL);
		definer_check(f, OTF2_GlobalDefWriter_WriteInterComm(f->w, i, name, local, remote,
								     OTF2_UNDEFINED_COMM,
								     OTF2_COMM_FLAG_NONE));
	}
	free_listed(f);
}

void definer_groups(struct definer *f)
{
	const struct def_group *g;
	uint32_t i;

	group_of_all(f, OTF2_GROUP_TYPE_COMM_LOCATIONS);
	for (i = 0; i < f->d->n_groups; i++) {
		g = &f->d->groups[i];
		group(f, OTF2_GROUP_TYPE_COMM_GROUP, g->size, g->members);
	}
}
