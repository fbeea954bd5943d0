/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sizes of messages, numbered, so that what depends on nothing else of a message is found
 * once for each size: as many bytes on a way of the same kind.
 */
#ifndef ANALYZE_MESSAGE_SIZES_H
#define ANALYZE_MESSAGE_SIZES_H

#include "analyze/machine/machine.h"

struct size {
	uint64_t bytes;
	enum locality class;
	int is_to_self; /* 1: on no way at all */
};

struct sizes {
	uint32_t n;
	struct size *size;
	uint32_t *of; /* per message: which one is its */
};

/* Returns 0, or -1 with *err set (out of memory). Caller: sizes_release. */
int sizes_number(struct sizes *s, const struct trace *t, const struct messages *m, struct err *err);
void sizes_release(struct sizes *s);

#endif
