/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/log_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/steady.h"
#include "interpose/log/log_seal.h"
#include "interpose/log/squeeze.h"

/*
 * The parts of a log being read: chunks, then one or two halves, then the tail. Where each begins,
 * how much of it can be read, and the chunks last looked at.
 */
struct log_cache {
	size_t *at;       /* of each chunk, from the file's beginning; 0: lost */
	size_t chunks;    /* that the header says there are */
	size_t parts;     /* with the halves; the tail would be the next one */
	size_t good[2];   /* units of those halves that can be read */
	size_t good_tail; /* units of the tail: 0 when it is not in use */
	size_t lost;      /* the first part that is not whole */
	size_t held[2];   /* chunk in units[] + 1; 0 = none */
	struct record units[2][LOG_HALF_UNITS];
};

/* Part number part is not whole. The first is told of. */
static void lose(struct log_view *v, size_t part, enum log_lack lack)
{
	if (v->lack && v->cache->lost <= part)
		return;
	v->cache->lost = part;
	v->lack = v->file_bytes < LOG_DATA_BYTES ? LOG_LACKS_END : lack;
}

/* Find the chunks from first to end - 1, which follow each other between at and at_end. */
static void find_chunks(struct log_view *v, size_t first, size_t end, size_t at, size_t at_end)
{
	const char *from = (const char *)v->header;
	struct log_chunk head = {0};
	size_t i;
	int is_cut;

	for (i = first; i < end; i++) {
		if (at + sizeof(head) > at_end)
			break;
		memcpy(&head, from + at, sizeof(head));
		if (head.sequence != i || head.bytes > at_end - at - sizeof(head) ||
		    head.seal != log_seal_chunk(&head, from + at + sizeof(head)))
			break;
		v->cache->at[i] = at;
		at += sizeof(head) + head.bytes;
	}
	if (i == end)
		return;
	is_cut = at_end == v->mapped_bytes &&
		 (at + sizeof(head) > at_end ||
		  (head.sequence == i && head.bytes > at_end - at - sizeof(head) &&
		   head.bytes <= LOG_HALF_UNITS * SQUEEZE_UNIT_MAX));
	lose(v, i, is_cut ? LOG_LACKS_END : LOG_LACKS_CHANGED);
}

/* How many of most units are in the file, the first of them at its byte at. */
static size_t units_there(const struct log_view *v, size_t at, size_t most)
{
	size_t n = v->file_bytes > at ? (v->file_bytes - at) / sizeof(struct record) : 0;

	return n < most ? n : most;
}

/* Is a tick, if there is one, hours away from when the log was written? */
static int is_far(const struct log_header *h, uint64_t tick)
{
	const uint64_t hours = UINT64_C(1) << 44;
	uint64_t first = h->anchor[0].tick, last = h->anchor[1].tick;

	return tick &&
	       ((tick < first && first - tick > hours) || (tick > last && tick - last > hours));
}

/*
 * No recorder writes this. A call may return long after anything else that is known, though not
 * months.
 */
static int is_nonsense(const struct log_header *h, const struct record *r)
{
	const uint64_t months = UINT64_C(1) << 55;

	if (r->kind >= RECORD_KINDS)
		return 1;
	if (RECORD_IS_DEF(r->kind) || r->kind == RECORD_PAD)
		return 0;
	return is_far(h, r->enter) || (r->leave > r->enter && r->leave - r->enter > months) ||
	       (r->kind == RECORD_TEST_FAILED && is_far(h, r->bytes_in));
}

/*
 * How many of most units can be read, of which n are there. Only what was being written may end
 * before it is full.
 */
static size_t count_good(const struct log_header *h, const struct record *units, size_t n,
			 size_t most, int is_last)
{
	const struct record *r;
	size_t i;

	for (i = 0; i < n; i++) {
		r = &units[i];
		if (r->kind == RECORD_NONE)
			return is_last ? most : i;
		if (is_nonsense(h, r))
			return i;
		if (RECORD_IS_DEF(r->kind) || r->kind == RECORD_PAD) {
			if (r->aux >= n - i)
				return i;
			i += r->aux;
		}
	}
	return n;
}

static const struct record *half_of(const struct log_view *v, size_t part)
{
	return (const void *)((const char *)v->header + LOG_HEADER_BYTES +
			      part % 2 * LOG_HALF_BYTES);
}

static int is_half(const struct log_view *v, size_t part)
{
	const struct record *units = half_of(v, part);

	return units->kind == RECORD_PAD && units->request == part;
}

/* The half that is part number part, by which another may stand. */
static void find_half(struct log_view *v, size_t part, int is_last)
{
	size_t *good = &v->cache->good[part % 2];
	size_t at = LOG_HEADER_BYTES + part % 2 * LOG_HALF_BYTES;

	if (is_half(v, part))
		*good = count_good(v->header, half_of(v, part), units_there(v, at, LOG_HALF_UNITS),
				   LOG_HALF_UNITS, is_last);
	if (*good < LOG_HALF_UNITS)
		lose(v, part, LOG_LACKS_CHANGED);
}

/* What is not squeezed yet: the halves, and the tail behind them. */
static void find_halves(struct log_view *v)
{
	struct log_cache *c = v->cache;
	const struct record *tail = (const void *)((const char *)v->header + LOG_TAIL_AT);
	uint32_t sequence = v->header->sequence;
	int two = sequence == c->chunks + 1 || is_half(v, c->chunks + 1);

	/* a kill may come between a half's beginning and its number in the header */
	if (sequence != c->chunks && sequence != c->chunks + 1)
		lose(v, c->chunks, LOG_LACKS_CHANGED);
	c->parts = c->chunks + 1 + (size_t)two;
	find_half(v, c->chunks, !two);
	if (!two)
		return;
	find_half(v, c->chunks + 1, 1);
	if (tail->kind == RECORD_PAD)
		c->good_tail =
			count_good(v->header, tail, units_there(v, LOG_TAIL_AT, LOG_TAIL_UNITS),
				   LOG_TAIL_UNITS, 1);
	if ((c->good_tail && c->good_tail < LOG_TAIL_UNITS) ||
	    (v->header->full && v->file_bytes < LOG_GATHER_AT))
		lose(v, c->parts, LOG_LACKS_CHANGED);
}

/* Where its parts are. Returns 0, or -1 without memory. */
static int find_parts(struct log_view *v)
{
	const struct log_header *h = v->header;
	size_t most = v->mapped_bytes / sizeof(struct log_chunk), written;
	struct log_cache *c = v->cache = calloc(1, sizeof(*c));

	if (!c)
		return -1;
	c->chunks = h->flushed < most ? h->flushed : most;
	written = h->written < c->chunks ? h->written : c->chunks;
	c->at = calloc(c->chunks + 1, sizeof(*c->at));
	if (!c->at)
		return -1;
	find_chunks(v, 0, written, LOG_DATA_BYTES, v->mapped_bytes);
	find_chunks(v, written, c->chunks, LOG_GATHER_AT, LOG_DATA_BYTES);
	find_halves(v);
	if (h->flushed != c->chunks)
		lose(v, c->chunks, LOG_LACKS_CHANGED);
	return 0;
}

/* Its first bytes, and zeros for those that are missing before chunk 0. */
static void *read_short(int fd, size_t bytes)
{
	void *p = mmap(NULL, LOG_DATA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p != MAP_FAILED && steady_read(fd, p, bytes) < 0) {
		munmap(p, LOG_DATA_BYTES);
		return MAP_FAILED;
	}
	return p;
}

/* The file is at fault. */
static int refuse(struct log_view *v, struct err *err, const char *path, const char *why)
{
	log_view_close(v);
	v->lack = LOG_LACKS_ALL;
	return err_set(err, "%s %s", path, why);
}

int log_view_open(struct log_view *v, const char *path, struct err *err)
{
	struct stat st = {0};
	void *map = MAP_FAILED;
	uint64_t magic;
	int fd;

	fd = steady_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0 || fstat(fd, &st)) {
		err_set(err, "%s cannot be opened: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	v->file_bytes = (uint64_t)st.st_size;
	v->mapped_bytes = st.st_size < LOG_DATA_BYTES ? LOG_DATA_BYTES : (size_t)st.st_size;
	if (st.st_size >= LOG_DATA_BYTES)
		map = mmap(NULL, v->mapped_bytes, PROT_READ, MAP_SHARED, fd, 0);
	else if (st.st_size >= LOG_HEADER_BYTES)
		map = read_short(fd, (size_t)st.st_size);
	close(fd);
	if (st.st_size < LOG_HEADER_BYTES)
		return refuse(v, err, path, "is not a recorder log: it has not even a header");
	if (map == MAP_FAILED)
		return err_set(err, "%s cannot be read: %s", path, strerror(errno));
	v->header = map;
	magic = v->header->magic;
	if (magic != LOG_MAGIC)
		return refuse(v, err, path,
			      magic ? "is not a recorder log of this version"
				    : "is not a recorder log: it is empty");
	if (find_parts(v)) {
		log_view_close(v);
		return err_set(err, "%s: out of memory", path);
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

/* A chunk's units; NULL when it is lost. */
static const struct record *chunk_at(const struct log_view *v, size_t chunk)
{
	struct log_cache *c = v->cache;
	const unsigned char *from;
	struct log_chunk head;

	if (!c->at[chunk])
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

/* The units of a part, of which *n are there and *good can be read; NULL: none. */
static const struct record *part_at(const struct log_view *v, size_t part, size_t *n, size_t *good)
{
	const struct log_cache *c = v->cache;

	*n = LOG_HALF_UNITS;
	*good = LOG_HALF_UNITS;
	if (part < c->chunks)
		return chunk_at(v, part);
	if (part < c->parts) {
		*good = c->good[part % 2];
		return *good ? half_of(v, part) : NULL;
	}
	*n = LOG_TAIL_UNITS;
	*good = c->good_tail;
	if (part > c->parts || !*good)
		return NULL;
	return (const void *)((const char *)v->header + LOG_TAIL_AT);
}

const struct record *log_view_next(const struct log_view *v, size_t *i)
{
	const struct record *units, *r;
	size_t part, unit, payload, n, good;

	for (;;) {
		part = *i / LOG_HALF_UNITS;
		unit = *i % LOG_HALF_UNITS;
		units = part_at(v, part, &n, &good);
		if (!units || unit >= good)
			return NULL;
		r = &units[unit];
		payload = RECORD_IS_DEF(r->kind) || r->kind == RECORD_PAD ? r->aux : 0;
		if (r->kind == RECORD_NONE || r->kind >= RECORD_KINDS || unit + payload >= n) {
			*i = (part + 1) * LOG_HALF_UNITS;
			continue;
		}
		*i += 1 + payload;
		if (r->kind != RECORD_PAD)
			return r;
	}
}

int log_view_resume(const struct log_view *v, size_t *i)
{
	size_t part = *i / LOG_HALF_UNITS, n, good;

	while (++part <= v->cache->parts) {
		if (part < v->cache->chunks && !v->cache->at[part])
			continue;
		if (!part_at(v, part, &n, &good))
			continue;
		*i = part * LOG_HALF_UNITS;
		return 1;
	}
	return 0;
}

void log_view_lack_text(const struct log_view *v, size_t n, char text[n])
{
	const struct log_cache *c = v->cache;
	size_t parts = c->parts + (c->good_tail > 0), lost = c->lost;

	parts = lost < parts ? parts : lost + 1;
	if (v->lack == LOG_LACKS_END)
		snprintf(text, n, "ends after %llu bytes, in part %zu of %zu",
			 (unsigned long long)v->file_bytes, lost + 1, parts);
	else if (v->lack)
		snprintf(text, n, "was changed in part %zu of %zu", lost + 1, parts);
	else
		snprintf(text, n, "is whole");
}

const struct log_total *log_view_totals(const struct log_view *v)
{
	return (const void *)((const char *)v->header + LOG_TOTALS_AT);
}
