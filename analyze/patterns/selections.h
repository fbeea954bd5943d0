/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The messages of a run, or of each phase, each place that sends in it, each communicator: one
 * order of all messages at a time, in which those that belong together are next to each other.
 */
#ifndef ANALYZE_SELECTIONS_H
#define ANALYZE_SELECTIONS_H

#include "analyze/patterns/patterns.h"

/* Messages that belong together: where they begin in the order, and what they move. */
struct selection {
	uint32_t first;
	uint32_t n;
	double bytes;
};

struct selections {
	const struct trace *t;
	const struct messages *m;
	const struct phases *phases;
	uint32_t *order;     /* all messages */
	struct selection *s; /* the one with most bytes first */
	uint32_t n;
	/* Own: */
	uint32_t *room; /* for another order */
	uint32_t *at;   /* per key: of order */
};

/* All three outlive it. Returns 0, or -1 with *err set (out of memory). Then selections_release. */
int selections_init(struct selections *x, const struct trace *t, const struct messages *m,
		    const struct phases *phases, struct err *err);
void selections_release(struct selections *x);

/* All messages, of which there are some, are one; or as the scope has it. */
void selections_all(struct selections *x);
void selections_make(struct selections *x, enum pattern_scope scope);

int selections_are_one_phase(const struct selections *x);

#endif
