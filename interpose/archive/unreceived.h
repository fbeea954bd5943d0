/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The receives of a rank that were begun and never completed, by the ids of their requests: its
 * trace says what they were for, as no completion does. Those that were cancelled are among them.
 */
#ifndef INTERPOSE_UNRECEIVED_H
#define INTERPOSE_UNRECEIVED_H

#include "interpose/log/log_view.h"

/* A zeroed struct has none. */
struct unreceived {
	uint64_t *bits; /* by id */
	size_t words;
	int is_unknown; /* completions may be missing: then nothing is said of any */
};

/*
 * What the log of one of the rank's threads says; they may come in any order. Nothing is known of a
 * rank whose log was full or is damaged, nor where memory is short.
 */
void unreceived_add(struct unreceived *u, const struct log_view *v);

/* Was this receive never completed? u may be NULL: nobody knows. */
int unreceived_has(const struct unreceived *u, uint64_t request);

void unreceived_release(struct unreceived *u);

#endif
