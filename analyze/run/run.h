/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run directory and its run.json: what was recorded, how, and how it ended.
 */
#ifndef ANALYZE_RUN_H
#define ANALYZE_RUN_H

#include <jansson.h>

#include "common/err.h"

struct run {
	char *dir;          /* the directory, or of a lone archive its directory */
	char *archive;      /* what to give to trace_read() */
	int needs_recovery; /* 1: recorder logs remain and no complete archive: run recover first */
	int has_logs;       /* recorder logs are there, whether needed or not */
	json_t *meta;       /* run.json, NULL for a foreign archive */
};

/*
 * path: a run directory, an OTF2 anchor file or a directory holding one; NULL =
 * the newest run (contend.latest, else the newest *.contend here). Returns 0, or
 * -1 with *err set in one sentence that says what to do. Caller: run_release.
 */
int run_open(const char *path, struct run *out, struct err *err);
void run_release(struct run *r);

/* Is there something of this name, and neither a directory nor named as an archive? */
int run_is_other(const char *path);

/*
 * Fields of run.json with a default for what is missing; "cost.share" is the field
 * share of the object cost. Texts are borrowed until run_release.
 */
const char *run_text(const struct run *r, const char *key, const char *otherwise);
double run_number(const struct run *r, const char *key, double otherwise);

/*
 * What run.json says of the ranks that did not finalize, a row each; NULL: of none. r may be NULL.
 */
const json_t *run_unfinished(const struct run *r);

/* The text of such a row, borrowed; "" for what is missing. */
const char *run_row_text(const json_t *row, const char *key);

#endif
