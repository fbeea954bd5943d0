/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases that are worth the reader's time, of those whose ranks send to each other. */
#ifndef REPORT_MAIN_PHASES_H
#define REPORT_MAIN_PHASES_H

#include <jansson.h>

struct main_phases {
	json_t *patterns; /* of the document's, borrowed: those that took longest first */
	size_t left;      /* so many are not among them, */
	double left_messages;
	unsigned top; /* that shows all */
};

/*
 * Of the document's patterns those of phases with a tenth of the bytes or of rank time, a few; of
 * the same reason to have no name only the longest. With top above STYLE_TOP all, so many at most.
 */
struct main_phases main_phases_find(const json_t *document, unsigned top);

void main_phases_free(struct main_phases *x);

/* The document's phase that a pattern is of, or NULL. */
const json_t *main_phases_of(const json_t *document, const json_t *pattern);

/* Is a phase, by its number, among them? Where no phase has a pattern, all are. */
int main_phases_have(const struct main_phases *x, double phase);

#endif
