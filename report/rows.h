/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of one of the document's lists, a row (or more) for each object. For a new table write
 * a struct rows and what its objects put into the columns.
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include <jansson.h>

#include "common/number.h"
#include "report/columns.h"
#include "report/layout.h"

struct rows {
	const char *heading; /* NULL: the caller puts it */
	const char *remark;  /* NULL: how many of how many, when that is not all */
	size_t n_columns;
	const struct column *columns;
	void (*put)(struct columns *c, const json_t *row); /* columns_add() and the cells */
};

/* number_seconds(), but of 0 "-". */
struct number seconds_or_dash(double s);

/* The next cell, plain: a number of a row, as text by one of common/number.h; a text; a place. */
void cell_number(struct columns *c, struct number as(double), const json_t *row, const char *key);
void cell_text(struct columns *c, const json_t *row, const char *key);
void cell_place(struct columns *c, const json_t *callsite);

/*
 * How many rows of a list, largest first, are worth a line: at most top, none with a "share" of
 * rank time below half a percent unless more than STYLE_TOP are wanted.
 */
size_t rows_worth(const json_t *list, unsigned top);

/* Print the first n of the list, nothing when n is 0. Returns 0, or -1 with *err set. */
int rows_print(struct layout *l, const struct rows *t, const json_t *list, size_t n,
	       struct err *err);

/* The same with as many as --top allows. */
int rows_print_top(struct layout *l, const struct rows *t, const json_t *list, struct err *err);

#endif
