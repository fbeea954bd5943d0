/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the ids of a trace file, which may be sparse and in any order, to dense table
 * indices. Small ids are looked up in an array, others in a hash table.
 */
#ifndef ANALYZE_IDMAP_H
#define ANALYZE_IDMAP_H

#include "analyze/tools/idhash.h"

#include <stdint.h>

#define IDMAP_NONE IDHASH_NONE

struct idmap {
	uint32_t *direct;
	uint64_t n_direct;
	struct idhash others; /* ids that are not small */
};

/* Id means index from now on, instead of what it meant before. Returns 0, or -1: out of memory. */
int idmap_set(struct idmap *m, uint64_t id, uint32_t index);

/* Same as idmap_find(), for ids that are not small. */
uint32_t idmap_find_other(const struct idmap *m, uint64_t id);

/* The index set for id; IDMAP_NONE when there is none. */
static inline uint32_t idmap_find(const struct idmap *m, uint64_t id)
{
	return id < m->n_direct ? m->direct[id] : idmap_find_other(m, id);
}

/* Frees what the map holds; a zeroed map is empty. */
void idmap_release(struct idmap *m);

#endif
