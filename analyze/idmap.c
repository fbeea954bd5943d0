/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/idmap.h"

#include <uthash.h>

#include <stdlib.h>

#define DIRECT_MAX (1U << 20) /* 4 MiB of array at most */

struct idmap_entry {
	uint64_t id;
	uint32_t index;
	UT_hash_handle hh;
};

static int grow_direct(struct idmap *m, uint64_t id)
{
	uint64_t n = m->n_direct ? m->n_direct : 64, i;
	uint32_t *grown;

	while (n <= id)
		n *= 2;
	grown = reallocarray(m->direct, n, sizeof(*grown));
	if (!grown)
		return -1;
	for (i = m->n_direct; i < n; i++)
		grown[i] = IDMAP_NONE;
	m->direct = grown;
	m->n_direct = n;
	return 0;
}

int idmap_set(struct idmap *m, uint64_t id, uint32_t index)
{
	struct idmap_entry *e = NULL;

	if (id < DIRECT_MAX) {
		if (id >= m->n_direct && grow_direct(m, id))
			return -1;
		m->direct[id] = index;
		return 0;
	}
	HASH_FIND(hh, m->others, &id, sizeof(id), e);
	if (!e) {
		e = calloc(1, sizeof(*e));
		if (!e)
			return -1;
		e->id = id;
		HASH_ADD(hh, m->others, id, sizeof(e->id), e);
	}
	e->index = index;
	return 0;
}

uint32_t idmap_find_other(const struct idmap *m, uint64_t id)
{
	struct idmap_entry *e = NULL;

	HASH_FIND(hh, m->others, &id, sizeof(id), e);
	return e ? e->index : IDMAP_NONE;
}

void idmap_release(struct idmap *m)
{
	struct idmap_entry *e, *next;

	HASH_ITER(hh, m->others, e, next) {
		HASH_DEL(m->others, e);
		free(e);
	}
	free(m->direct);
	*m = (struct idmap){0};
}
