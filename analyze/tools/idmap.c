/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/idmap.h"

#include "common/table.h"

#define DIRECT_MAX (1U << 20) /* 4 MiB of array at most */

static int grow_direct(struct idmap *m, uint64_t id)
{
	uint64_t n = m->n_direct ? m->n_direct : 64, i;
	uint32_t *grown;
	size_t bytes;

	while (n <= id)
		n *= 2;
	bytes = n * sizeof(*grown);
	grown = table_resize(m->direct, &bytes);
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
	if (id >= DIRECT_MAX)
		return idhash_put(&m->others, id, index);
	if (id >= m->n_direct && grow_direct(m, id))
		return -1;
	m->direct[id] = index;
	return 0;
}

uint32_t idmap_find_other(const struct idmap *m, uint64_t id)
{
	return idhash_find(&m->others, id);
}

void idmap_release(struct idmap *m)
{
	idhash_release(&m->others);
	table_free(m->direct);
	*m = (struct idmap){0};
}
