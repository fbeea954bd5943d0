/* SPDX-License-Identifier: BSD-3-Clause */
/* A log being read: by archive.c at MPI_Finalize, by `contend recover`, or when one looks whether a run goes on. */
#ifndef INTERPOSE_LOG_VIEW_H
#define INTERPOSE_LOG_VIEW_H

#include <stddef.h>

#include "common/err.h"
#include "interpose/log_format.h"

/* A log being read: the whole file mapped, read only, and two chunks unsqueezed. */
struct log_view {
	const struct log_header *header;
	size_t mapped_bytes;
	struct log_cache *cache;
};

/* Returns 0, or -1 with *err set (not a log, another version, cut short). */
int log_view_open(struct log_view *v, const char *path, struct err *err);
void log_view_close(struct log_view *v);

/*
 * The record at *i, in the order of writing, and step over it and its payload; NULL at the
 * end. Start with *i = 0. What it points to lasts while reading goes on in the same half
 * and the next.
 */
const struct record *log_view_next(const struct log_view *v, size_t *i);

/* Its totals, LOG_TOTALS of them. */
const struct log_total *log_view_totals(const struct log_view *v);

#endif
