/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/defs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

/* Where a text or a key got its number. */
struct number {
	UT_hash_handle hh;
	uint64_t key;
	uint32_t id;
	char text[];
};

/* Objects of one rank, while its sites are written out. */
struct object_names {
	const char **build_id, **path;
	uint32_t n;
};

int bytes_add(struct bytes *b, const void *p, size_t n)
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

int digest_add(struct bytes *digest, const struct log_view *v, struct err *err)
{
	const struct record *r;
	size_t i = 0;

	if (!digest->n && bytes_add(digest, v->header, sizeof(*v->header)))
		return err_set(err, "out of memory for definitions");
	while ((r = log_view_next(v, &i)))
		if (RECORD_IS_DEF(r->kind) && bytes_add(digest, r, (1 + r->aux) * sizeof(*r)))
			return err_set(err, "out of memory for definitions");
	return 0;
}

/* An array with room for element n more; grows by doubling from powers of two. */
static void *room_for(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);
}

static int oom(struct err *err)
{
	return err_set(err, "out of memory for definitions");
}

static int add_site(struct defs *d, const char *text, uint32_t *id, struct err *err)
{
	struct number *head = d->by_text, *s;
	size_t n = strlen(text);
	char **sites;

	HASH_FIND(hh, head, text, n, s);
	if (!s) {
		s = calloc(1, sizeof(*s) + n + 1);
		sites = room_for(d->sites, d->n_sites, sizeof(*sites));
		if (sites)
			d->sites = sites;
		if (!s || !sites) {
			free(s);
			return oom(err);
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

/* The call path of a site record as text. Returns 0, or -1 without memory. */
static int site_text(const struct record *r, const struct object_names *o, struct bytes *text)
{
	const struct log_frame *f = (const void *)(r + 1);
	int32_t i, most = (int32_t)(r->aux * sizeof(*r) / sizeof(*f));
	char part[700];
	int n;

	text->n = 0;
	for (i = 0; i < r->peer && i < most; i++) {
		int known = f[i].object < o->n && o->path[f[i].object];
		const char *path = known ? o->path[f[i].object] : "?";
		const char *id =
			known && *o->build_id[f[i].object] ? o->build_id[f[i].object] : "-";

		n = snprintf(part, sizeof(part), "%s%s:%s+0x%llx", i ? ";" : "", path, id,
			     (unsigned long long)f[i].offset);
		if (bytes_add(text, part, (size_t)n))
			return -1;
	}
	return bytes_add(text, "", 1);
}

static uint32_t find_comm(const struct defs *d, uint64_t key)
{
	struct number *head = d->by_key, *c;

	HASH_FIND(hh, head, &key, sizeof(key), c);
	return c ? c->id : UINT32_MAX;
}

/* The global communicator of key, made if new. */
static int add_comm(struct defs *d, const struct record *r, uint32_t *id, struct err *err)
{
	const struct log_comm *about = (const void *)(r + 1);
	size_t n = (size_t)about->size + about->remote;
	struct number *head = d->by_key, *c = NULL;
	struct def_comm *comms, *made;

	*id = find_comm(d, about->key);
	if (*id == UINT32_MAX) {
		c = calloc(1, sizeof(*c));
		comms = room_for(d->comms, d->n_comms, sizeof(*comms));
		if (comms)
			d->comms = comms;
		if (!c || !comms) {
			free(c);
			return oom(err);
		}
		*id = c->id = d->n_comms++;
		c->key = about->key;
		HASH_ADD(hh, head, key, sizeof(c->key), c);
		d->by_key = head;
		d->comms[*id] = (struct def_comm){about->key, *about,
						  find_comm(d, about->parent_key), NULL};
	}
	made = &d->comms[*id];
	if (about->listed == LOG_COMM_RENAMED)
		memcpy(made->about.name, about->name, sizeof(about->name));
	if (made->members || about->listed != 1 || sizeof(*about) + n * 4 > r->aux * sizeof(*r))
		return 0;
	made->members = malloc((n ? n : 1) * sizeof(int32_t));
	if (!made->members)
		return oom(err);
	memcpy(made->members, about + 1, n * sizeof(int32_t));
	made->about = *about;
	return 0;
}

/* Remember a local number's global one. */
static int set_map(uint32_t **map, uint32_t *n, uint32_t local, uint32_t global)
{
	uint32_t *p = *map, i;

	if (local >= *n) {
		p = realloc(p, ((size_t)local + 1) * sizeof(*p));
		if (!p)
			return -1;
		for (i = *n; i <= local; i++)
			p[i] = UINT32_MAX;
		*map = p;
		*n = local + 1;
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
		nodes = room_for(d->nodes, d->n_nodes, sizeof(*nodes));
		if (!nodes)
			return oom(err);
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

/* The definition records from at on, in two passes: objects first. */
static int add_records(struct defs *d, struct def_rank *rank, const char *at, size_t n,
		       struct err *err)
{
	struct object_names objects = {0};
	struct bytes text = {0};
	const struct record *r;
	uint32_t id = UINT32_MAX;
	int pass, ret = 0;
	size_t i;

	for (pass = 0; pass < 2 && !ret; pass++) {
		for (i = 0; i + sizeof(*r) <= n && !ret; i += (1 + (size_t)r->aux) * sizeof(*r)) {
			r = (const void *)(at + i);
			if (pass == 0 && r->kind == RECORD_DEF_OBJECT) {
				ret = add_object(&objects, r) ? oom(err) : 0;
			} else if (pass == 1 && r->kind == RECORD_DEF_SITE) {
				ret = site_text(r, &objects, &text) ? oom(err) : 0;
				ret = ret ? ret : add_site(d, text.p, &id, err);
				ret = ret ? ret
					  : set_map(&rank->sites, &rank->n_sites, r->site, id);
			} else if (pass == 1 && r->kind == RECORD_DEF_COMM) {
				ret = add_comm(d, r, &id, err);
				ret = ret ? ret
					  : set_map(&rank->comms, &rank->n_comms, r->comm, id);
			}
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
	ranks = room_for(d->ranks, d->n_ranks, sizeof(*ranks));
	if (!ranks)
		return oom(err);
	d->ranks = ranks;
	rank = &ranks[d->n_ranks];
	memset(rank, 0, sizeof(*rank));
	memcpy(&rank->header, digest, sizeof(rank->header));
	d->n_ranks++;
	if (add_node(d, rank, err))
		return -1;
	if (timeline_add(&d->nodes[d->nodes[rank->node].clock_at].clock, digest, n))
		return oom(err);
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
	uint32_t i;

	for (i = 0; i < d->n_ranks; i++) {
		free(d->ranks[i].sites);
		free(d->ranks[i].comms);
	}
	for (i = 0; i < d->n_comms; i++)
		free(d->comms[i].members);
	for (i = 0; i < d->n_nodes; i++)
		timeline_release(&d->nodes[i].clock);
	free_numbers(d->by_text);
	free_numbers(d->by_key);
	free(d->ranks);
	free(d->sites);
	free(d->comms);
	free(d->nodes);
	memset(d, 0, sizeof(*d));
}
