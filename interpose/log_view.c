/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/steady.h"
#include "interpose/squeeze.h"

/* The chunks of a log being read: where each begins, and those last looked at. */
struct log_cache {
	size_t *at;     /* of each flushed chunk, from the file's beginning */
	size_t n;       /* of those that are whole */
	size_t held[2]; /* chunk in units[] + 1; 0 = none */
	struct record units[2][LOG_HALF_UNITS];
};

/* Find the chunks that follow each other from at on, up to the one before end. */
static void find_chunks(struct log_cache *c, const struct log_header *h, size_t at, size_t at_end,
			size_t end)
{
	struct log_chunk head;

	while (c->n < end && at + sizeof(head) <= at_end) {
		memcpy(&head, (const char *)h + at, sizeof(head));
		if (head.sequence != c->n || head.bytes > at_end - at - sizeof(head))
			break;
		c->at[c->n++] = at;
		at += sizeof(head) + head.bytes;
	}
}

/* Where the chunks are; the gathered ones only if none before them is missing. */
static struct log_cache *open_cache(const struct log_header *h, size_t mapped_bytes)
{
	struct log_cache *c = calloc(1, sizeof(*c));
	size_t most = mapped_bytes / sizeof(struct log_chunk);
	size_t flushed = h->flushed < most ? h->flushed : most;
	size_t written = h->written < flushed ? h->written : flushed;

	if (c)
		c->at = calloc(flushed + 1, sizeof(*c->at));
	if (!c || !c->at) {
		free(c);
		return NULL;
	}
	find_chunks(c, h, LOG_DATA_BYTES, mapped_bytes, written);
	if (c->n == written)
		find_chunks(c, h, LOG_GATHER_AT, LOG_DATA_BYTES, flushed);
	return c;
}

int log_view_open(struct log_view *v, const char *path, struct err *err)
{
	struct stat st;
	void *map = MAP_FAILED;
	int fd;

	fd = steady_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return err_set(err, "cannot open %s: %s", path, strerror(errno));
	if (!fstat(fd, &st) && st.st_size >= LOG_DATA_BYTES)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return err_set(err, "%s is not a recorder log: it is too short", path);
	if (((const struct log_header *)map)->magic != LOG_MAGIC) {
		munmap(map, (size_t)st.st_size);
		return err_set(err, "%s is not a recorder log of this version", path);
	}
	v->header = map;
	v->mapped_bytes = (size_t)st.st_size;
	v->cache = open_cache(v->header, v->mapped_bytes);
	if (!v->cache) {
		log_view_close(v);
		return err_set(err, "out of memory for %s", path);
	}
	return 0;
}

void log_view_close(struct log_view *v)
{
	if (v->header)
		munmap((void *)v->header, v->mapped_bytes);
	if (v->cache)
		free(v->cache->at);
	free(v->cache);
	memset(v, 0, sizeof(*v));
}

/* A flushed chunk's units; NULL when it is damaged. */
static const struct record *flushed_at(const struct log_view *v, size_t chunk)
{
	struct log_cache *c = v->cache;
	const unsigned char *from;
	struct log_chunk head;

	if (chunk >= c->n)
		return NULL;
	if (c->held[chunk % 2] == chunk + 1)
		return c->units[chunk % 2];
	from = (const unsigned char *)v->header + c->at[chunk];
	memcpy(&head, from, sizeof(head));
	c->held[chunk % 2] = 0;
	if (unsqueeze(head.bytes, from + sizeof(head), LOG_HALF_UNITS, c->units[chunk % 2]))
		return NULL;
	c->held[chunk % 2] = chunk + 1;
	return c->units[chunk % 2];
}

/* The units of a chunk, flushed or still in its half; NULL when there is none. */
static const struct record *chunk_at(const struct log_view *v, size_t chunk)
{
	size_t flushed = v->header->flushed;
	const struct record *units;

	if (chunk < flushed)
		return flushed_at(v, chunk);
	units = (const void *)((const char *)v->header + LOG_TAIL_AT);
	if (chunk == flushed + 2)
		return units[0].kind == RECORD_PAD ? units : NULL;
	if (chunk > flushed + 2)
		return NULL;
	units = (const void *)((const char *)v->header + LOG_HEADER_BYTES +
			       chunk % 2 * LOG_HALF_BYTES);
	return units[0].kind == RECORD_PAD && units[0].request == chunk ? units : NULL;
}

const struct record *log_view_next(const struct log_view *v, size_t *i)
{
	const struct record *units, *r;
	size_t chunk, unit, payload, most;

	for (;;) {
		chunk = *i / LOG_HALF_UNITS;
		unit = *i % LOG_HALF_UNITS;
		units = chunk_at(v, chunk);
		if (!units)
			return NULL;
		most = chunk == (size_t)v->header->flushed + 2 ? LOG_TAIL_UNITS : LOG_HALF_UNITS;
		if (unit >= most)
			return NULL;
		r = &units[unit];
		payload = RECORD_IS_DEF(r->kind) || r->kind == RECORD_PAD ? r->aux : 0;
		if (r->kind == RECORD_NONE || r->kind >= RECORD_KINDS || unit + payload >= most) {
			*i = (chunk + 1) * LOG_HALF_UNITS;
			continue;
		}
		*i += 1 + payload;
		if (r->kind != RECORD_PAD)
			return r;
	}
}

const struct log_total *log_view_totals(const struct log_view *v)
{
	return (const void *)((const char *)v->header + LOG_TOTALS_AT);
}
