/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/defs.h"

#include <stdlib.h>
#include <string.h>

#include "interpose/archive/defs_add.h"
#include "interpose/log/ticks.h"

/* Objects of one rank, while its sites are written out. */
struct object_names {
	const char **build_id, **path;
	uint32_t n;
};

static int bytes_add(struct bytes *b, const void *p, size_t n)
{
	size_t room = b->room ? b->room : 4096;
	char *q;

	while (room < b->n + n)
		room *= 2;
	if (room > b->room) {
		q = realloc(b->p, room);
		if (!q)
			return -1;
		b->p = q;
		b->room = room;
	}
	memcpy(b->p + b->n, p, n);
	b->n += n;
	return 0;
}

/* What was only counted, in ns. */
static int add_totals(struct bytes *digest, const struct log_view *v)
{
	const struct log_total *t = log_view_totals(v);
	struct ticks_scale scale = ticks_scale_of(v->header);
	struct record head = {.aux = 1, .kind = RECORD_DEF_TOTAL};
	struct log_total copy;
	size_t i;

	for (i = 0; i < LOG_TOTALS; i++) {
		if (!t[i].used)
			continue;
		copy = t[i];
		copy.ticks = (uint64_t)((double)copy.ticks * scale.ns_per_tick);
		if (bytes_add(digest, &head, sizeof(head)) ||
		    bytes_add(digest, &copy, sizeof(copy)))
			return -1;
	}
	return 0;
}

/* A further thread's, to those of its rank. */
static void join_counters(struct log_header *rank, const struct log_header *thread)
{
	struct counters since = counters_since(&thread->counters[1], &thread->counters[0]);

	counters_join(&rank->counters[1], &since);
}

int digest_add(struct bytes *digest, const struct log_view *v, struct err *err)
{
	const struct record *r;
	size_t i = 0;

	if (digest->n)
		join_counters((struct log_header *)(void *)digest->p, v->header);
	else if (bytes_add(digest, v->header, sizeof(*v->header)))
		return err_set(err, "out of memory for definitions");
	while ((r = log_view_next(v, &i)))
		if (RECORD_IS_DEF(r->kind) && bytes_add(digest, r, (1 + r->aux) * sizeof(*r)))
			return err_set(err, "out of memory for definitions");
	return add_totals(digest, v) ? err_set(err, "out of memory for definitions") : 0;
}

static int add_site(struct defs *d, const char *text, uint32_t *id, struct err *err)
{
	struct number *head = d->by_text, *s;
	size_t n = strlen(text);
	char **sites;

	HASH_FIND(hh, head, text, n, s);
	if (!s) {
		s = calloc(1, sizeof(*s) + n + 1);
		sites = defs_room(d->sites, d->n_sites, sizeof(*sites));
		if (sites)
			d->sites = sites;
		if (!s || !sites) {
			free(s);
			return defs_no_memory(err);
		}
		memcpy(s->text, text, n);
		s->id = d->n_sites;
		d->sites[d->n_sites++] = s->text;
		HASH_ADD_KEYPTR(hh, head, s->text, n, s);
		d->by_text = head;
	}
	*id = s->id;
	return 0;
}

static int add_offset(struct bytes *b, uint64_t offset)
{
	char digits[16], *end = digits + sizeof(digits), *at = end;

	do
		*--at = "0123456789abcdef"[offset & 15];
	while (offset >>= 4);
	return bytes_add(b, "+0x", 3) || bytes_add(b, at, (size_t)(end - at));
}

/* The call path of a site record as text. Returns 0, or -1 without memory. */
static int site_text(const struct record *r, const struct object_names *o, struct bytes *text)
{
	const struct log_frame *f = (const void *)(r + 1);
	int32_t i, most = (int32_t)(r->aux * sizeof(*r) / sizeof(*f));

	text->n = 0;
	for (i = 0; i < r->peer && i < most; i++) {
		int known = f[i].object < o->n && o->path[f[i].object];
		const char *path = known ? o->path[f[i].object] : "?";
		const char *id =
			known && *o->build_id[f[i].object] ? o->build_id[f[i].object] : "-";

		if ((i && bytes_add(text, ";", 1)) || bytes_add(text, path, strlen(path)) ||
		    bytes_add(text, ":", 1) || bytes_add(text, id, strlen(id)) ||
		    add_offset(text, f[i].offset))
			return -1;
	}
	return bytes_add(text, "", 1);
}

/* The global communicator of key, made if new. */
static int add_comm(struct defs *d, const struct record *r, uint32_t *id, struct err *err)
{
	const struct log_comm *about = (const void *)(r + 1);
	size_t n = (size_t)about->size + about->remote;
	struct def_comm *comms, *made;

	*id = defs_find(d, DEF_COMM, about->key);
	if (*id == UINT32_MAX) {
		comms = defs_room(d->comms, d->n_comms, sizeof(*comms));
		if (comms)
			d->comms = comms;
		if (!comms || defs_number(d, DEF_COMM, about->key, d->n_comms))
			return defs_no_memory(err);
		*id = d->n_comms++;
		d->comms[*id] = (struct def_comm){about->key, *about,
						  defs_find(d, DEF_COMM, about->parent_key), NULL};
	}
	made = &d->comms[*id];
	if (about->listed == LOG_COMM_RENAMED)
		memcpy(made->about.name, about->name, sizeof(about->name));
	if (made->members || about->listed != 1 || sizeof(*about) + n * 4 > r->aux * sizeof(*r))
		return 0;
	made->members = malloc((n ? n : 1) * sizeof(int32_t));
	if (!made->members)
		return defs_no_memory(err);
	memcpy(made->members, about + 1, n * sizeof(int32_t));
	made->about = *about;
	return 0;
}

/* Remember a local number's global one. */
static int set_map(struct def_map *map, uint32_t local, uint32_t global)
{
	uint32_t *p = map->global, i;

	if (local >= map->n) {
		p = realloc(p, ((size_t)local + 1) * sizeof(*p));
		if (!p)
			return -1;
		for (i = map->n; i <= local; i++)
			p[i] = UINT32_MAX;
		map->global = p;
		map->n = local + 1;
	}
	p[local] = global;
	return 0;
}

static int add_object(struct object_names *o, const struct record *r)
{
	const char *text = (const void *)(r + 1);
	uint32_t i, n = r->site + 1;

	if (r->site >= o->n) {
		const char **ids = realloc(o->build_id, n * sizeof(*ids));
		const char **paths;

		if (!ids)
			return -1;
		o->build_id = ids;
		paths = realloc(o->path, n * sizeof(*paths));
		if (!paths)
			return -1;
		o->path = paths;
		for (i = o->n; i < n; i++)
			o->build_id[i] = o->path[i] = NULL;
		o->n = n;
	}
	o->build_id[r->site] = text;
	o->path[r->site] = text + strlen(text) + 1;
	return 0;
}

static int add_node(struct defs *d, struct def_rank *rank, struct err *err)
{
	struct def_node *nodes;
	uint32_t i, clock_at = UINT32_MAX;

	for (i = 0; i < d->n_nodes; i++) {
		if (strcmp(d->nodes[i].boot_id, rank->header.boot_id))
			continue;
		if (clock_at == UINT32_MAX)
			clock_at = i;
		if (!strcmp(d->nodes[i].host, rank->header.host))
			break;
	}
	if (i == d->n_nodes) {
		nodes = defs_room(d->nodes, d->n_nodes, sizeof(*nodes));
		if (!nodes)
			return defs_no_memory(err);
		d->nodes = nodes;
		memset(&nodes[i], 0, sizeof(nodes[i]));
		memcpy(nodes[i].host, rank->header.host, sizeof(nodes[i].host));
		memcpy(nodes[i].boot_id, rank->header.boot_id, sizeof(nodes[i].boot_id));
		nodes[i].clock_at = clock_at == UINT32_MAX ? i : clock_at;
		d->n_nodes++;
	}
	rank->node = i;
	return 0;
}

/* What one definition record says, in the pass that is its turn. */
static int add_record(struct defs *d, struct def_rank *rank, const struct record *r,
		      const struct object_names *objects, struct bytes *text, struct err *err)
{
	uint32_t id = UINT32_MAX, local = r->comm;
	enum def_kind kind = DEF_COMM;
	int ret;

	switch (r->kind) {
	case RECORD_DEF_SITE:
		kind = DEF_SITE;
		local = r->site;
		ret = site_text(r, objects, text) ? defs_no_memory(err)
						  : add_site(d, text->p, &id, err);
		break;
	case RECORD_DEF_COMM:
		ret = add_comm(d, r, &id, err);
		break;
	case RECORD_DEF_GROUP:
		kind = DEF_GROUP;
		ret = defs_add_group(d, r, &id, err);
		break;
	case RECORD_DEF_WINDOW:
		kind = DEF_WINDOW;
		ret = defs_add_window(d, r, &id, err);
		break;
	case RECORD_DEF_PATH:
		kind = DEF_PATH;
		ret = defs_add_path(d, r, &id, err);
		break;
	case RECORD_DEF_FILE:
		kind = DEF_FILE;
		ret = defs_add_file(d, r, &id, err);
		break;
	case RECORD_DEF_TOTAL:
		return defs_add_total(d, rank, r, err);
	default:
		return 0;
	}
	if (!ret && set_map(&rank->maps[kind], local, id))
		ret = defs_no_memory(err);
	return ret;
}

/* Each definition after what it refers to, which another thread's log may hold. */
static int pass_of(const struct record *r)
{
	switch (r->kind) {
	case RECORD_DEF_OBJECT:
		return 0;
	case RECORD_DEF_WINDOW:
	case RECORD_DEF_FILE:
	case RECORD_DEF_TOTAL:
		return 2;
	default:
		return 1;
	}
}

/* The definition records from at on. */
static int add_records(struct defs *d, struct def_rank *rank, const char *at, size_t n,
		       struct err *err)
{
	struct object_names objects = {0};
	struct bytes text = {0};
	const struct record *r;
	int pass, ret = 0;
	size_t i;

	for (pass = 0; pass < 3 && !ret; pass++) {
		for (i = 0; i + sizeof(*r) <= n && !ret; i += (1 + (size_t)r->aux) * sizeof(*r)) {
			r = (const void *)(at + i);
			if (r->aux >= (n - i) / sizeof(*r))
				break; /* cut short */
			if (pass_of(r) != pass || !defs_is_sound(r))
				continue;
			if (pass == 0)
				ret = add_object(&objects, r) ? defs_no_memory(err) : 0;
			else
				ret = add_record(d, rank, r, &objects, &text, err);
		}
	}
	free(text.p);
	free(objects.build_id);
	free(objects.path);
	return ret;
}

int defs_add(struct defs *d, const char *digest, size_t n, struct err *err)
{
	struct def_rank *ranks, *rank;

	if (n < sizeof(struct log_header))
		return err_set(err, "a rank's definitions are cut short");
	ranks = defs_room(d->ranks, d->n_ranks, sizeof(*ranks));
	if (!ranks)
		return defs_no_memory(err);
	d->ranks = ranks;
	rank = &ranks[d->n_ranks];
	memset(rank, 0, sizeof(*rank));
	memcpy(&rank->header, digest, sizeof(rank->header));
	defs_end_texts(&rank->header);
	d->n_ranks++;
	if (add_node(d, rank, err))
		return -1;
	if (timeline_add(&d->nodes[d->nodes[rank->node].clock_at].clock, digest, n))
		return defs_no_memory(err);
	return add_records(d, rank, digest + sizeof(struct log_header),
			   n - sizeof(struct log_header), err);
}

void defs_done(struct defs *d)
{
	uint32_t i;

	for (i = 0; i < d->n_nodes; i++)
		timeline_sort(&d->nodes[i].clock);
	for (i = 0; i < d->n_ranks; i++)
		d->ranks[i].clock = &d->nodes[d->nodes[d->ranks[i].node].clock_at].clock;
}

static void free_numbers(struct number *head)
{
	struct number *s, *next;

	HASH_ITER(hh, head, s, next) {
		HASH_DEL(head, s);
		free(s);
	}
}

void defs_release(struct defs *d)
{
	uint32_t i, kind;

	for (i = 0; i < d->n_ranks; i++)
		for (kind = 0; kind < DEF_KINDS; kind++)
			free(d->ranks[i].maps[kind].global);
	for (i = 0; i < d->n_comms; i++)
		free(d->comms[i].members);
	for (i = 0; i < d->n_nodes; i++)
		timeline_release(&d->nodes[i].clock);
	for (i = 0; i < d->n_groups; i++)
		free(d->groups[i].members);
	free_numbers(d->by_text);
	for (kind = 0; kind < DEF_KINDS; kind++)
		free_numbers(d->by_key[kind]);
	for (i = 0; i < d->n_paths; i++)
		free(d->paths[i]);
	free(d->paths);
	free(d->files);
	free(d->totals);
	free(d->groups);
	free(d->windows);
	free(d->ranks);
	free(d->sites);
	free(d->comms);
	free(d->nodes);
	memset(d, 0, sizeof(*d));
}
