/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A log being read: by archive.c at MPI_Finalize, by `contend recover`, or when one looks whether a
 * run goes on. It may be cut or changed: what comes before the first such place is read like a
 * whole one's, and of what lies behind it whatever is undamaged.
 */
#ifndef INTERPOSE_LOG_VIEW_H
#define INTERPOSE_LOG_VIEW_H

#include <stddef.h>

#include "common/err.h"
#include "interpose/log/log_format.h"

enum log_lack { LOG_LACKS_NOTHING, LOG_LACKS_END, LOG_LACKS_CHANGED, LOG_LACKS_ALL };

/* A log being read: the whole file mapped, read only, and two chunks unsqueezed. */
struct log_view {
	const struct log_header *header;
	size_t mapped_bytes;
	uint64_t file_bytes; /* that there are: all before chunk 0 is mapped anyway, zeros */
	enum log_lack lack;
	struct log_cache *cache;
};

/*
 * Returns 0, or -1 with *err set: "PATH what is wrong with it". Then v->lack is LOG_LACKS_ALL
 * if it is the file (not a log, another version, not even a header left), not the system.
 */
int log_view_open(struct log_view *v, const char *path, struct err *err);
void log_view_close(struct log_view *v);

/*
 * The record at *i, in the order of writing, and step over it and its payload; NULL at the
 * end and at the first damaged place. Start with *i = 0. What it points to lasts while reading
 * goes on in the same half and the next.
 */
const struct record *log_view_next(const struct log_view *v, size_t *i);

/* After the NULL of a damaged place: on behind it. Returns 0 when nothing more is there. */
int log_view_resume(const struct log_view *v, size_t *i);

/* What it lacks, as the end of a sentence: "ends after 5000 bytes, in part 1 of 1". */
void log_view_lack_text(const struct log_view *v, size_t n, char text[n]);

/* Its totals, LOG_TOTALS of them. */
const struct log_total *log_view_totals(const struct log_view *v);

#endif
