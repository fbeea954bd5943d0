/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two documents side by side: what changed, what is noise, and whether the new run
 * is worse. Parts are seconds per rank, so runs of different sizes compare and the
 * parts of a run add up to its wall time.
 *
 * The result is JSON of schema "contend-diff/1", share/contend-diff.schema.json.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <jansson.h>

#include "common/err.h"
#include "report/style.h"

/*
 * noise: relative difference up to which values count as equal, 0.05 = 5 %. A part
 * changes only if its intervals do not overlap either. A new reference, or NULL with
 * *err set (not documents of this version, no memory).
 */
json_t *compare_documents(const json_t *base, const json_t *new, double noise, struct err *err);

/*
 * Slower beyond the noise, starting and ending MPI left out, and beyond what its ranks were without
 * a core; or a hotspot appeared that is of medium or high severity, or became that or more severe,
 * where as much of both was recorded, and likely costs more than ranks of either run were without a
 * core; of two that are not both whole runs: only the new one is none, as it did not finish.
 */
int compare_is_regression(const json_t *comparison);

/* Are both whole runs, whose times can be compared? */
int compare_is_of_runs(const json_t *comparison);

/*
 * Slower beyond the noise, but not beyond that of a run whose ranks were without a core for as
 * long.
 */
int compare_may_be_slower(const json_t *comparison);

/* The comparison as text. Returns 0, or -1 with *err set. */
int compare_text(const json_t *comparison, const struct style *style, FILE *out, struct err *err);

#endif
