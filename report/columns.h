/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of text in the report's style, two columns from the margin: smartcols
 * with width, colours and characters set. Failures are remembered and reported
 * by columns_print(), so that rows can be added without looking.
 */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "common/err.h"
#include "report/style.h"

enum column_kind {
	COLUMN_LEFT,
	COLUMN_RIGHT,
	COLUMN_CUT,   /* left; gives way when the table is wider than the style, in its middle, */
	COLUMN_TITLE, /* or at its end */
	COLUMN_SPARE, /* right; left out, the last one first, when that is still too wide */
};

struct column {
	const char *head;
	enum column_kind kind;
};

struct columns;

/* NULL when there is no memory. heads must live as long as the table. */
struct columns *columns_new(const struct style *style, size_t n, const struct column heads[n]);
void columns_free(struct columns *c);

void columns_add(struct columns *c);                                 /* a row */
void columns_put(struct columns *c, enum ink ink, const char *text); /* its next cell; copied */

/* Returns 0, or -1 with *err set. */
int columns_print(struct columns *c, FILE *out, struct err *err);

#endif
