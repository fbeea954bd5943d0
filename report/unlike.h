/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In what two runs are unlike: how they ended, what was run, what of it was recorded, and who
 * shared cores.
 */
#ifndef REPORT_UNLIKE_H
#define REPORT_UNLIKE_H

#include <jansson.h>

/* The program's own name: the first word of its command, without folders. Returns its length. */
size_t unlike_program(const json_t *document, const char **name);

int unlike_same_program(const json_t *base, const json_t *new);

/* How many ranks were recorded. */
double unlike_ranks(const json_t *document);

/* Was the same share of as many ranks recorded? Else what was found in only one may be in both. */
int unlike_same_recorded(const json_t *base, const json_t *new);

/* Was all time of the recorded ranks recorded, starting and ending MPI too? */
int unlike_all_recorded(const json_t *document);

/*
 * Why it is no whole run, whose time could be compared, as "did not finish"; NULL: it is one.
 */
const char *unlike_unusable(const json_t *document);

/*
 * So much shorter the run may be with a core for each of its ranks, s: the longest that a rank
 * could run and had none, or less where ranks mostly wait for each other. Not more than the run
 * took; 0 if the system does not tell.
 */
double unlike_awaited_s(const json_t *document);

/*
 * A sentence for each that makes the two hard to compare, first how they ended, then what they ran.
 */
json_t *unlike_list(const json_t *base, const json_t *new);

#endif
