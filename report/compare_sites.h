/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The places of two runs side by side: which calls take longer, and are there more of them. Lines
 * move when programs change, and folders when they are built elsewhere: then a place is an MPI call
 * in a function of a file; where lines did not move each is one.
 */
#ifndef REPORT_COMPARE_SITES_H
#define REPORT_COMPARE_SITES_H

#include <jansson.h>

/* Of two callsite objects: the same function of the same file calls the same of MPI. */
int compare_same_place(const json_t *a, const json_t *b);

/*
 * Of each place that either run has its time, s, and its calls, both per recorded rank; those that
 * changed most come first. "more" and "less" are beyond the noise and beyond how long ranks were
 * without a core, "open" only beyond the noise. A new reference; NULL: out of memory.
 */
json_t *compare_sites(const json_t *base, const json_t *new, double noise);

#endif
