/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would take on a machine that is better in some way: its calls again (retime.h), each
 * message's way, each call and the program's own work as much shorter as their parts are by that
 * machine. What waits for others follows from it. Contention is in proportion to what the messages
 * in the way take: likely; perhaps none is left, or all of it that is not proven.
 */
#ifndef ANALYZE_WHAT_IF_H
#define ANALYZE_WHAT_IF_H

#include "analyze/flow/coll_costs.h"
#include "analyze/gains/evidence_base.h"
#include "analyze/gains/scaled_machine.h"

struct what_if {
	const char *name; /* a key of the document */
	struct factors machine;
};

/* Of wall time, s. */
struct what_if_saving {
	double least_s, likely_s, most_s;
};

/* What was asked, and what was found. */
struct predictions {
	uint32_t n;
	const struct what_if *what;
	struct what_if_saving *saving;
};

/* Those that contend predict names if nothing else is asked for. */
#define WHAT_IFS 4
extern const struct what_if what_ifs[WHAT_IFS];

/*
 * Why factors cannot be answered for, in a sentence, or NULL: a replay does not know what would
 * meet on a slower machine.
 */
const char *what_if_refusal(const struct factors *x);

/* So far off may a replay be that likely saves so much, or loses it, s. */
double what_if_margin_s(const struct evidence_base *b, double likely_s);

/*
 * Fills in the savings of what is asked. Returns 0, or -1 with *err set (out of memory).
 */
int what_ifs_find(const struct evidence_base *b, struct predictions *p, struct err *err);

#endif
