/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/csv.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A file being read. */
struct csv_load {
	const char *path;
	size_t line;
	size_t room; /* cells allocated */
	struct csv csv;
};

/* Without spaces at either end; cuts text. */
static char *trim(char *text)
{
	static const char spaces[] = " \t\r\n";
	size_t n;

	text += strspn(text, spaces);
	for (n = strlen(text); n && strchr(spaces, text[n - 1]); n--)
		;
	text[n] = '\0';
	return text;
}

static int to_number(const char *text, double *x)
{
	char *end;

	*x = strtod(text, &end);
	return end == text || *end || !isfinite(*x) ? -1 : 0;
}

static size_t count_cells(const char *line)
{
	size_t n = 1;

	for (; *line; line++)
		n += *line == ',';
	return n;
}

/* Only words? "nan" and "1x" are bad numbers rather. */
static int is_heading(const char *line)
{
	char *copy = strdup(line);
	char *rest = copy;
	char *cell;
	char *end;
	int words = 1;

	while (rest && (cell = strsep(&rest, ","))) {
		cell = trim(cell);
		(void)strtod(cell, &end);
		words &= end == cell || (*end && isalpha((unsigned char)*cell));
	}
	free(copy);
	return words;
}

static int take_heading(struct csv_load *l, char *line, struct err *err)
{
	size_t i;

	l->csv.names = calloc(l->csv.columns, sizeof(*l->csv.names));
	for (i = 0; l->csv.names && i < l->csv.columns; i++) {
		l->csv.names[i] = strdup(trim(strsep(&line, ",")));
		if (!l->csv.names[i])
			break;
	}
	if (i < l->csv.columns)
		return err_set(err, "%s: out of memory", l->path);
	return 0;
}

static int take_row(struct csv_load *l, char *line, struct err *err)
{
	size_t used = l->csv.rows * l->csv.columns;

	if (used + l->csv.columns > l->room) {
		size_t room = 2 * (used + l->csv.columns);
		double *cells = reallocarray(l->csv.cells, room, sizeof(*cells));

		if (!cells)
			return err_set(err, "%s: out of memory for %zu numbers", l->path, room);
		l->csv.cells = cells;
		l->room = room;
	}
	for (size_t i = 0; i < l->csv.columns; i++) {
		const char *cell = trim(strsep(&line, ","));

		if (to_number(cell, &l->csv.cells[used + i]))
			return err_set(err, "%s: line %zu: \"%s\" is not a finite number", l->path,
				       l->line, cell);
	}
	l->csv.rows++;
	return 0;
}

static int take_line(struct csv_load *l, char *text, struct err *err)
{
	char *line = trim(text);
	size_t n;

	l->line++;
	if (!*line || *line == '#')
		return 0;
	n = count_cells(line);
	if (!l->csv.columns) {
		l->csv.columns = n;
		if (is_heading(line))
			return take_heading(l, line, err);
	}
	if (n != l->csv.columns)
		return err_set(err, "%s: line %zu: %zu values, the first line has %zu", l->path,
			       l->line, n, l->csv.columns);
	return take_row(l, line, err);
}

int csv_load(const char *path, struct csv *out, struct err *err)
{
	struct csv_load l = {.path = path};
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;
	int ret = 0;

	if (!in)
		return err_set(err, "%s: %s", path, strerror(errno));
	while (!ret && getline(&text, &size, in) >= 0)
		ret = take_line(&l, text, err);
	if (!ret && ferror(in))
		ret = err_set(err, "%s: cannot be read", path);
	if (!ret && !l.csv.rows)
		ret = err_set(err, "%s: no row of numbers", path);
	free(text);
	fclose(in);
	if (ret)
		csv_release(&l.csv);
	else
		*out = l.csv;
	return ret;
}

int csv_load_square(const char *path, struct csv *out, struct err *err)
{
	struct csv c;

	if (csv_load(path, &c, err))
		return -1;
	if (c.rows != c.columns || c.rows < 2) {
		err_set(err, "%s: %zu rows of %zu, need a square matrix of at least 2", path,
			c.rows, c.columns);
		csv_release(&c);
		return -1;
	}
	*out = c;
	return 0;
}

void csv_release(struct csv *c)
{
	for (size_t i = 0; c->names && i < c->columns; i++)
		free(c->names[i]);
	free(c->names);
	free(c->cells);
	*c = (struct csv){0};
}

double csv_at(const struct csv *c, size_t row, size_t column)
{
	assert(row < c->rows && column < c->columns);
	return c->cells[row * c->columns + column];
}

int csv_column(const struct csv *c, const char *name, int otherwise)
{
	if (!c->names)
		return (size_t)otherwise < c->columns ? otherwise : -1;
	for (size_t i = 0; i < c->columns; i++)
		if (!strcasecmp(c->names[i], name))
			return (int)i;
	return -1;
}
