/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/evtcheck.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_MAX_BYTES (64U << 20) /* OTF2 itself allows 16 MiB */
#define HEADER_BYTES    18U
#define ANCHOR_TEXTS    46
#define ANCHOR_FORMAT   3
#define PROPERTIES_MAX  100000
#define ANCHOR_FILES    28 /* how the archive is kept */
#define FILES_OF_SION   2

/* Record types with a meaning of their own; all others are type, length, data. */
enum mark {
	MARK_END_OF_CHUNK = 0,
	MARK_END_OF_FILE = 2,
	MARK_CHUNK_HEADER = 3,
	MARK_TIME = 5,       /* event files: 8 bytes of time follow */
	MARK_ATTRIBUTES = 6, /* event files: belongs to the next event */
};

#define TYPE_MOST  99 /* of OTF2 3.0's events: 85 is the last */
#define HOLE_BYTES 32U
#define TIME_BYTES 9U

enum byte_order { ORDER_LITTLE = 0x42, ORDER_BIG = 0x23 };

struct walk {
	const char *path;
	enum evtcheck_kind kind;
	const uint8_t *at; /* the chunk */
	uint64_t bytes;    /* of it in the file */
	uint64_t chunk;    /* its number */
	uint64_t records;  /* before and in it */
	int ended;         /* end-of-file mark seen */
	uint64_t sound;    /* in this chunk so many before the first odd one: note_odd() */
	uint64_t timed;    /* so many before the last time stamp, */
	uint64_t time;     /* which is this one */
	enum evtcheck_end end;
};

static int cut_short(struct walk *w, struct err *err)
{
	if (w->sound < w->records)
		w->records = w->sound;
	w->end = EVTCHECK_CUT;
	return err_set(err,
		       "%s: ends early, after %" PRIu64
		       " records: the copy or the recording was cut off; copy or record it again",
		       w->path, w->records);
}

/* Of a file that cannot be opened why; of one that the archive lacks what to do. */
static int not_opened(const char *path, struct err *err)
{
	return err_set(err,
		       errno == ENOENT ? "%s: %s: the copy or the recording is not whole; "
					 "copy or record it again"
				       : "%s: %s",
		       path, strerror(errno));
}

/*
 * Of the chunk's records, before of which are in others, those hold that came before anything odd,
 * and before the last time stamp: where records are not where they seem to be, that shows only
 * after one or two.
 */
static int damaged(struct walk *w, uint64_t before, uint64_t offset, struct err *err)
{
	uint64_t held = w->sound < w->timed ? w->sound : w->timed;

	if (held < w->records)
		w->records = held > before ? held : before;
	w->end = EVTCHECK_DAMAGED;
	return err_set(err,
		       "%s: damaged at byte %" PRIu64 " of chunk %" PRIu64
		       ": not a whole OTF2 file; copy or record it again",
		       w->path, offset, w->chunk);
}

static int is_native(uint8_t order)
{
	return order == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ORDER_LITTLE : ORDER_BIG);
}

static uint64_t number_at(const uint8_t *p, uint8_t order)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return is_native(order) ? value : __builtin_bswap64(value);
}

/*
 * Bytes of the record at offset, its type and length included; 0 when not all of it is
 * there. A length byte of 255 announces 8 bytes of length, except in old records of a
 * single number, where it is the number "undefined" and nothing follows.
 */
static uint64_t record_bytes(const struct walk *w, uint64_t offset)
{
	uint64_t left = w->bytes - offset, length;

	if (left < 2)
		return 0;
	length = w->at[offset + 1];
	if (length < UINT8_MAX)
		return length + 2 <= left ? length + 2 : 0;
	if (left >= 10) {
		length = number_at(w->at + offset + 2, w->at[1]);
		if (length >= UINT8_MAX && length <= left - 10)
			return length + 10;
	}
	return 2;
}

/* Is there nothing but zeros from there on? That is what a crash leaves of what was not written. */
static int is_blank(const struct walk *w, uint64_t offset)
{
	while (offset < w->bytes && !w->at[offset])
		offset++;
	return offset == w->bytes;
}

/* The chunk's header: the event numbers have to go on where the last chunk stopped. */
static int check_header(struct walk *w, uint64_t *last, struct err *err)
{
	if (w->bytes < HEADER_BYTES || is_blank(w, 0))
		return cut_short(w, err);
	if (w->at[0] != MARK_CHUNK_HEADER || (w->at[1] != ORDER_LITTLE && w->at[1] != ORDER_BIG))
		return damaged(w, w->records, 0, err);
	*last = number_at(w->at + 10, w->at[1]);
	if (w->kind == EVTCHECK_EVENTS && number_at(w->at + 2, w->at[1]) != w->records + 1)
		return damaged(w, w->records, 2, err);
	return 0;
}

/*
 * What a whole file may have, but what is likely to be where bytes are read as what they are not: a
 * time before the last one, a type that OTF2 does not know yet. With n records that come before.
 */
static void note_odd(struct walk *w, uint64_t n)
{
	if (n < w->sound)
		w->sound = n;
}

static void take_time(struct walk *w, uint64_t offset)
{
	uint64_t time;

	if (w->bytes - offset < TIME_BYTES)
		return;
	time = number_at(w->at + offset + 1, w->at[1]);
	if (time < w->time)
		note_odd(w, w->timed);
	w->time = time;
	w->timed = w->records;
}

static void take_record(struct walk *w, uint8_t type)
{
	if (w->kind == EVTCHECK_EVENTS && type > TYPE_MOST)
		note_odd(w, w->records);
	w->records += type != MARK_ATTRIBUTES || w->kind != EVTCHECK_EVENTS;
}

/* Was this part of the file never written? Else what seems to be the end is within other bytes. */
static int is_hole(const struct walk *w, uint64_t offset)
{
	static const uint8_t zeros[HOLE_BYTES];

	return w->bytes - offset >= HOLE_BYTES && !memcmp(w->at + offset, zeros, HOLE_BYTES);
}

/* All records of one chunk. */
static int check_chunk(struct walk *w, struct err *err)
{
	uint64_t offset = HEADER_BYTES, last = 0, before = w->records, step;

	w->sound = UINT64_MAX;
	if (check_header(w, &last, err))
		return -1;
	for (;; offset += step) {
		uint8_t type;

		if (offset >= w->bytes)
			return cut_short(w, err);
		type = w->at[offset];
		if (type == MARK_END_OF_CHUNK || type == MARK_END_OF_FILE)
			break;
		if (type <= MARK_CHUNK_HEADER)
			return damaged(w, before, offset, err);
		if (type == MARK_TIME && w->kind == EVTCHECK_EVENTS) {
			take_time(w, offset);
			step = TIME_BYTES;
			continue;
		}
		step = record_bytes(w, offset);
		if (!step)
			return cut_short(w, err);
		take_record(w, type);
	}
	w->ended = w->at[offset] == MARK_END_OF_FILE;
	if (w->kind == EVTCHECK_EVENTS && w->records < last && is_blank(w, offset)) {
		w->records -= w->records > before; /* bytes of the last one may be missing */
		return cut_short(w, err);
	}
	if (w->kind == EVTCHECK_EVENTS && w->records != last) {
		if (!is_hole(w, offset))
			note_odd(w, before);
		return damaged(w, before, 10, err);
	}
	return 0;
}

/* Fill the buffer as far as the file goes. */
static int64_t read_chunk(int fd, uint8_t *buffer, uint64_t bytes)
{
	uint64_t have = 0;

	while (have < bytes) {
		ssize_t n = read(fd, buffer + have, bytes - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		have += (uint64_t)n;
	}
	return (int64_t)have;
}

/* Is there nothing but zeros behind the chunk in the buffer? Else the file goes on. */
static int ends_there(int fd, uint8_t *buffer, uint64_t bytes)
{
	struct walk w = {.at = buffer};
	int64_t n;

	while ((n = read_chunk(fd, buffer, bytes)) > 0) {
		w.bytes = (uint64_t)n;
		if (!is_blank(&w, 0))
			return 0;
	}
	return !n;
}

int evtcheck_file(const char *path, enum evtcheck_kind kind, uint64_t chunk_bytes,
		  struct evtcheck *out, struct err *err)
{
	struct walk w = {.path = path, .kind = kind};
	uint8_t *buffer = NULL;
	int fd, ret = -1;
	int64_t n;

	*out = (struct evtcheck){0};
	if (chunk_bytes < HEADER_BYTES || chunk_bytes > CHUNK_MAX_BYTES)
		return err_set(err, "%s: chunks of %" PRIu64 " bytes: the anchor file is damaged",
			       path, chunk_bytes);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		out->end = errno == ENOENT ? EVTCHECK_MISSING : EVTCHECK_OTHER;
		return not_opened(path, err);
	}
	buffer = malloc(chunk_bytes);
	if (!buffer) {
		err_set(err, "%s: out of memory", path);
		goto out;
	}
	for (; !w.ended; w.chunk++) {
		n = read_chunk(fd, buffer, chunk_bytes);
		if (n < 0) {
			err_set(err, "%s: %s", path, strerror(errno));
			goto out;
		}
		w.at = buffer;
		w.bytes = (uint64_t)n;
		if (check_chunk(&w, err)) {
			if (w.end == EVTCHECK_CUT && !ends_there(fd, buffer, chunk_bytes))
				damaged(&w, 0, 0, err);
			goto out;
		}
	}
	ret = 0;
out:
	if (!ret || w.end != EVTCHECK_OTHER)
		*out = (struct evtcheck){w.records, w.chunk, w.end};
	free(buffer);
	close(fd);
	return ret;
}

/*
 * The anchor, from byte 2 on: "OTF2" 0, four bytes of version, two sizes of chunks, how it is kept,
 * and global sizes up to byte 46; three texts; number of properties. Older formats than 3 are not
 * judged.
 */
int evtcheck_anchor(const char *path, struct err *err)
{
	uint8_t bytes[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC), texts;
	int64_t n = fd < 0 ? -1 : read_chunk(fd, bytes, sizeof(bytes));
	int64_t at = ANCHOR_TEXTS;
	uint32_t properties;

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (n < ANCHOR_TEXTS || memcmp(bytes + 2, "OTF2", 5))
		return err_set(err, "%s: not an OTF2 archive", path);
	if (bytes[7] < ANCHOR_FORMAT)
		return 0;
	if (bytes[ANCHOR_FILES] == FILES_OF_SION)
		return err_set(err, "%s: kept in SION files, which cannot be read here", path);
	for (texts = 3; texts && at < n; at++)
		texts -= !bytes[at];
	if (n == sizeof(bytes) && at + 4 > n)
		return 0; /* texts longer than was read */
	if (at + 4 > n)
		return err_set(err, "%s: ends early: copy or record it again", path);
	memcpy(&properties, bytes + at, sizeof(properties));
	if (!is_native(bytes[1]))
		properties = __builtin_bswap32(properties);
	if (properties > PROPERTIES_MAX)
		return err_set(err,
			       "%s: damaged: not a whole OTF2 archive; copy or record it again",
			       path);
	return 0;
}
