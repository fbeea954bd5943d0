/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls by which ranks together open, read and write files. The trace does not tell which of them
 * belong to each other; but nobody waits in one for ranks that entered theirs before it.
 */
#ifndef ANALYZE_FILE_CALLS_H
#define ANALYZE_FILE_CALLS_H

#include "analyze/tools/dated.h"
#include "analyze/trace.h"

struct file_calls {
	const struct trace *t;
	struct dated *entry; /* of each such call, with its rank, the earliest first */
	uint32_t n;
};

/* Returns 0, or -1 with *err set (out of memory). */
int file_calls_init(struct file_calls *f, const struct trace *t, struct err *err);
void file_calls_release(struct file_calls *f);

/*
 * While this call was going on, when did the last of the other ranks enter such a one? Its own
 * start, if none did: it has waited for nobody.
 */
int64_t file_calls_joined_ns(const struct file_calls *f, uint32_t call);

#endif
