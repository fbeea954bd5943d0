/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A log being written, by one thread: records go to where next points, until end. log_format.h
 * says where that is in the file.
 */
#ifndef INTERPOSE_LOG_H
#define INTERPOSE_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "interpose/log/log_format.h"

/* A log being written by one thread. */
struct log {
	struct log_header *header;
	struct record *next; /* first free unit */
	struct record *end;  /* of the current half */
	struct record *half[2];
	struct record *tail;
	struct log_total *totals;
	struct making *making; /* the next chunk, squeezed here */
	unsigned char *gather;
	size_t gathered;     /* bytes there */
	uint64_t *left;      /* bytes that it may still grow, with others; NULL: any number */
	int at_limit;        /* there were not as many left as it needed */
	uint64_t file_bytes; /* with all that is written */
	uint32_t sequence;   /* of the current half; it is half[sequence % 2] */
	int fd;              /* a program may close it and get its number for a file of its own: */
	uint64_t device, inode; /* only this file is written */
};

/* Create path (it must not exist). Returns 0, or -1 with *err set. */
int log_create(struct log *l, const char *path, struct err *err);

/*
 * Room for units more units in a row: goes on in the other half. The half before stays as it
 * is until the next call, so the current call's record may lie there. Returns 0, or
 * -1 with *err set (disk full ...): then the log must not be written any more.
 */
int log_grow(struct log *l, size_t units, struct err *err);

/* Of what is left to l and others, bytes are taken: it never becomes more than it was. */
void log_takes(struct log *l, uint64_t bytes);

/* After log_grow() has failed: go on in the tail, to whose end there is little room. */
void log_begin_tail(struct log *l);

static inline int log_is_in_tail(const struct log *l)
{
	return l->tail && l->end > l->tail && l->end <= l->tail + LOG_TAIL_UNITS;
}

/* The entry of a function called from a place; when there are too many, the one for the rest. */
struct log_total *log_total_of(struct log *l, uint16_t call, uint32_t site);

/* Unmap and close. What was written stays. */
void log_close(struct log *l);

#endif
