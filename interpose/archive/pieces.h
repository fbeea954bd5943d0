/* SPDX-License-Identifier: BSD-3-Clause */
/* The logs that a run left: one piece for each file, and what is lost of them. */
#ifndef INTERPOSE_PIECES_H
#define INTERPOSE_PIECES_H

#include <stddef.h>

#include "interpose/archive/defs.h"
#include "interpose/archive/losses.h"
#include "interpose/log/log_view.h"

/* One log file of the run. */
struct piece {
	unsigned rank, thread;
	struct log_view view;
	const struct def_rank *owner;
};

struct pieces {
	struct piece *p; /* by rank and thread; each rank's begin with its first thread's */
	size_t n;
	struct losses lost; /* those that are not among them */
	int unsure;         /* somebody elsewhere may still write them */
};

/*
 * Open the logs of the run directory dir, of which there is one at least. Nobody writes them any
 * more, unless the option force is on. Returns 0, or -1 with *err set; pieces_close in any case.
 */
int pieces_open(const char *dir, struct pieces *all, struct err *err);

/* Does a process of this host still write logs of dir, or make its trace of them? */
int pieces_are_written(const char *dir);

void pieces_close(struct pieces *all);

#endif
