/* SPDX-License-Identifier: BSD-3-Clause */
/* Definitions of all ranks made one: groups, windows, files, and what gives them numbers. */
#include "interpose/archive/defs_add.h"

#include <stdlib.h>
#include <string.h>

void *defs_room(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);
}

int defs_no_memory(struct err *err)
{
	return err_set(err, "out of memory for definitions");
}

uint32_t defs_find(const struct defs *d, enum def_kind kind, uint64_t key)
{
	struct number *head = d->by_key[kind], *n;

	HASH_FIND(hh, head, &key, sizeof(key), n);
	return n ? n->id : UINT32_MAX;
}

int defs_number(struct defs *d, enum def_kind kind, uint64_t key, uint32_t id)
{
	struct number *head = d->by_key[kind], *n = calloc(1, sizeof(*n));

	if (!n)
		return -1;
	n->key = key;
	n->id = id;
	HASH_ADD(hh, head, key, sizeof(n->key), n);
	d->by_key[kind] = head;
	return 0;
}

int defs_add_group(struct defs *d, const struct record *r, uint32_t *id, struct err *err)
{
	const struct log_group *about = (const void *)(r + 1);
	size_t bytes = about->size * sizeof(int32_t);
	struct def_group *groups;

	*id = defs_find(d, DEF_GROUP, about->key);
	if (*id != UINT32_MAX)
		return 0;
	groups = defs_room(d->groups, d->n_groups, sizeof(*groups));
	if (!groups)
		return defs_no_memory(err);
	d->groups = groups;
	groups[d->n_groups] = (struct def_group){about->key, about->size, NULL};
	if (sizeof(*about) + bytes <= r->aux * sizeof(*r)) {
		groups[d->n_groups].members = malloc(bytes ? bytes : 1);
		if (!groups[d->n_groups].members)
			return defs_no_memory(err);
		memcpy(groups[d->n_groups].members, about + 1, bytes);
	}
	*id = d->n_groups++;
	return defs_number(d, DEF_GROUP, about->key, *id) ? defs_no_memory(err) : 0;
}

int defs_add_window(struct defs *d, const struct record *r, uint32_t *id, struct err *err)
{
	const struct log_window *about = (const void *)(r + 1);
	struct def_window *windows;

	*id = defs_find(d, DEF_WINDOW, about->key);
	if (*id == UINT32_MAX) {
		windows = defs_room(d->windows, d->n_windows, sizeof(*windows));
		if (windows)
			d->windows = windows;
		if (!windows || defs_number(d, DEF_WINDOW, about->key, d->n_windows))
			return defs_no_memory(err);
		*id = d->n_windows++;
		windows[*id] = (struct def_window){.key = about->key,
						   .comm = defs_find(d, DEF_COMM, about->comm_key)};
	}
	if (*about->name)
		memcpy(d->windows[*id].name, about->name, sizeof(about->name));
	return 0;
}

int defs_add_path(struct defs *d, const struct record *r, uint32_t *id, struct err *err)
{
	const struct log_path *about = (const void *)(r + 1);
	char **paths;

	*id = defs_find(d, DEF_PATH, about->key);
	if (*id != UINT32_MAX)
		return 0;
	paths = defs_room(d->paths, d->n_paths, sizeof(*paths));
	if (!paths)
		return defs_no_memory(err);
	d->paths = paths;
	paths[d->n_paths] =
		strndup((const char *)(about + 1), r->aux * sizeof(*r) - sizeof(*about));
	if (!paths[d->n_paths] || defs_number(d, DEF_PATH, about->key, d->n_paths))
		return defs_no_memory(err);
	*id = d->n_paths++;
	return 0;
}

int defs_add_file(struct defs *d, const struct record *r, uint32_t *id, struct err *err)
{
	const struct log_file *about = (const void *)(r + 1);
	struct def_file *files;

	*id = defs_find(d, DEF_FILE, about->key);
	if (*id != UINT32_MAX)
		return 0;
	files = defs_room(d->files, d->n_files, sizeof(*files));
	if (!files)
		return defs_no_memory(err);
	d->files = files;
	files[d->n_files] = (struct def_file){about->key, defs_find(d, DEF_COMM, about->comm_key),
					      defs_find(d, DEF_PATH, about->path_key)};
	*id = d->n_files++;
	return defs_number(d, DEF_FILE, about->key, *id) ? defs_no_memory(err) : 0;
}

int defs_add_total(struct defs *d, const struct def_rank *rank, const struct record *r,
		   struct err *err)
{
	const struct log_total *t = (const void *)(r + 1);
	uint32_t site = def_global(rank, DEF_SITE, t->site), id;
	uint64_t key = (uint64_t)site << 16 | t->call;
	struct log_total *totals, *sum;

	id = defs_find(d, DEF_TOTAL, key);
	if (id == UINT32_MAX) {
		totals = defs_room(d->totals, d->n_totals, sizeof(*totals));
		if (!totals)
			return defs_no_memory(err);
		d->totals = totals;
		id = d->n_totals++;
		totals[id] = (struct log_total){.site = site, .call = t->call, .used = 1};
		if (defs_number(d, DEF_TOTAL, key, id))
			return defs_no_memory(err);
	}
	sum = &d->totals[id];
	sum->calls += t->calls;
	sum->ticks += t->ticks;
	sum->sent += t->sent;
	sum->sent_bytes += t->sent_bytes;
	sum->received += t->received;
	sum->received_bytes += t->received_bytes;
	return 0;
}
