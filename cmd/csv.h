/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of numbers from a file of comma separated values. Blank lines and lines that
 * begin with # are skipped; a first line of words names the columns.
 * Life cycle: csv_load(), csv_release().
 */
#ifndef CMD_CSV_H
#define CMD_CSV_H

#include <stddef.h>

#include "common/err.h"

struct csv {
	size_t rows;
	size_t columns;
	double *cells; /* rows * columns, row by row */
	char **names;  /* of the columns; NULL when the file has no heading */
};

/*
 * Returns 0, or -1 with *err set (path and line): cannot be read, no row, rows of unequal
 * length, a cell that is not a finite number.
 */
int csv_load(const char *path, struct csv *out, struct err *err);

/* The same of a matrix: as many rows as columns, at least 2. */
int csv_load_square(const char *path, struct csv *out, struct err *err);

void csv_release(struct csv *c);

double csv_at(const struct csv *c, size_t row, size_t column);

/* The column of a name; without a heading the one at position otherwise. -1: there is none. */
int csv_column(const struct csv *c, const char *name, int otherwise);

#endif
