/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the hotspot rules find in tables made in memory. For the tests of the rules. */
#ifndef TESTS_UNIT_FINDINGS_H
#define TESTS_UNIT_FINDINGS_H

#include "analyze/hotspots/hotspots.h"
#include "tests/unit/tables.h"

/*
 * Attribution and rules with machine, which is released. With VERBOSE in the environment all
 * findings are printed. Caller: hotspots_release. Aborts on no memory.
 */
struct hotspots findings_of(const struct tables *x, struct machine machine);

/* The only finding of a kind; NULL when there is none or more than one. */
const struct hotspot *findings_one(const struct hotspots *h, const char *kind);

/* How many are contention: the others say that they are not. */
uint32_t findings_contention(const struct hotspots *h);

/* The value of a piece of evidence; NAN when it is not there. */
double findings_evidence(const struct hotspot *h, const char *key);

#endif
