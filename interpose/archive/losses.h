/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is missing of a run's logs: files that are gone or of no use, and those that are used up to
 * a damaged place. Allocates; the holder calls losses_release.
 */
#ifndef INTERPOSE_LOSSES_H
#define INTERPOSE_LOSSES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

struct loss {
	unsigned rank, thread;
	int is_used; /* up to until_ns of the reference's clock; else not at all */
	int64_t until_ns;
	char why[120]; /* the end of a sentence that begins with the file's name */
};

struct losses {
	struct loss *l;
	size_t n;
};

/* One more; to be filled in. NULL with *err set. */
struct loss *losses_add(struct losses *all, unsigned rank, unsigned thread, const char *why,
			struct err *err);
void losses_release(struct losses *all);

/* The order of two logs by rank and thread, as qsort wants it. */
int losses_order(unsigned rank, unsigned thread, unsigned other_rank, unsigned other_thread);

/* By rank and thread. */
void losses_sort(struct losses *all);

/* ', "lost": [...]' of run.json when there are any; all may be NULL. */
void losses_put_json(FILE *f, const struct losses *all, int64_t first_ns);

/* One sentence, the first few files named; "" when nothing is lost. */
void losses_text(const struct losses *all, int64_t first_ns, size_t n, char text[n]);

#endif
