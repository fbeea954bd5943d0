/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Definitions of all ranks made one: call sites and communicators are numbered by each
 * process for itself; here they get global numbers, equal things one number.
 *
 * A rank's definitions travel as a "digest": its log header and the definition records
 * of all its logs, in a row. What goes back is its "map": for every local number the
 * global one. No MPI here: MPI_Finalize and `contend recover` both call this.
 * Allocates; callers free with defs_release. Not for use between enter and leave.
 */
#ifndef INTERPOSE_DEFS_H
#define INTERPOSE_DEFS_H

#include <stddef.h>
#include <stdint.h>

#include "interpose/archive/timeline.h"
#include "interpose/log/log_view.h"

/* Bytes that grow. */
struct bytes {
	char *p;
	size_t n, room;
};

/* Add one log of a rank to its digest; the first one gives the header. */
int digest_add(struct bytes *digest, const struct log_view *v, struct err *err);

struct def_comm {
	uint64_t key;
	struct log_comm about;
	uint32_t parent;  /* global number, or UINT32_MAX */
	int32_t *members; /* world ranks: about.size local, then about.remote; NULL: not known */
};

struct def_node {
	char host[64];
	char boot_id[64];
	uint32_t clock_at;     /* the first node with this clock: */
	struct timeline clock; /* there, and only there */
};

struct def_group {
	uint64_t key;
	uint32_t size;
	int32_t *members; /* world ranks; NULL: not known */
};

struct def_window {
	uint64_t key;
	uint32_t comm; /* global number, or UINT32_MAX */
	char name[32];
};

struct def_file {
	uint64_t key;
	uint32_t comm, path; /* global numbers, or UINT32_MAX */
};

/* What each process numbers for itself. */
enum def_kind {
	DEF_SITE,
	DEF_COMM,
	DEF_GROUP,
	DEF_WINDOW,
	DEF_PATH,
	DEF_FILE,
	DEF_TOTAL, /* it has numbers, but no map */
	DEF_KINDS
};

/* Local number -> global one. */
struct def_map {
	uint32_t *global; /* UINT32_MAX: never defined */
	uint32_t n;
};

struct def_rank {
	struct log_header header;
	uint32_t node;
	const struct timeline *clock; /* of its node; set by who writes its events */
	struct def_map maps[DEF_KINDS];
};

struct defs {
	struct def_rank *ranks; /* those that were added, any order */
	uint32_t n_ranks;
	char **sites; /* call paths as SCHEMA_ATTR_SITE has them */
	uint32_t n_sites;
	struct def_comm *comms; /* 0 the world, 1 self */
	uint32_t n_comms;
	struct def_group *groups; /* that one-sided calls name */
	uint32_t n_groups;
	struct def_window *windows;
	uint32_t n_windows;
	char **paths;
	uint32_t n_paths;
	struct def_file *files; /* handles */
	uint32_t n_files;
	struct def_node *nodes;
	uint32_t n_nodes;
	struct log_total *totals; /* sites are global numbers, ticks ns */
	uint32_t n_totals;
	void *by_text, *by_key[DEF_KINDS]; /* look-up tables while adding */
};

/* The global number of a rank's local one; UINT32_MAX when it was never defined. */
static inline uint32_t def_global(const struct def_rank *r, enum def_kind kind, uint32_t local)
{
	const struct def_map *map = &r->maps[kind];

	return local < map->n ? map->global[local] : UINT32_MAX;
}

/* Take in one rank's digest. Returns 0, or -1 with *err set. */
int defs_add(struct defs *d, const char *digest, size_t n, struct err *err);

/* After the last: every rank's clock is that of its node. */
void defs_done(struct defs *d);
void defs_release(struct defs *d);

#endif
