/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model_table.h"

#include "report/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN      2 /* also between columns */
#define COLUMNS_MAX 5

/* With less than so many columns prose goes on a line of its own, so far from the margin. */
#define PROSE_LEAST  24
#define PROSE_MARGIN 8

struct model_table {
	const struct style *style;
	const struct column *heads;
	size_t n; /* columns */
	size_t rows;
	char **cells; /* rows * n */
	unsigned width[COLUMNS_MAX];
	int failed;
};

static void widen(struct model_table *t, size_t column, const char *text)
{
	unsigned width = layout_columns(text);

	if (width > t->width[column])
		t->width[column] = width;
}

struct model_table *model_table_new(const struct style *style, size_t n,
				    const struct column heads[n])
{
	struct model_table *t = n <= COLUMNS_MAX ? calloc(1, sizeof(*t)) : NULL;

	if (!t)
		return NULL;
	t->style = style;
	t->heads = heads;
	t->n = n;
	for (size_t i = 0; i < n; i++)
		widen(t, i, heads[i].head);
	return t;
}

void model_table_free(struct model_table *t)
{
	if (!t)
		return;
	for (size_t k = 0; k < t->rows * t->n; k++)
		free(t->cells[k]);
	free(t->cells);
	free(t);
}

void model_table_add(struct model_table *t, const char *const cells[])
{
	char **longer;

	if (!t || t->failed)
		return;
	longer = reallocarray(t->cells, (t->rows + 1) * t->n, sizeof(*longer));
	if (!longer) {
		t->failed = 1;
		return;
	}
	t->cells = longer;
	for (size_t i = 0; i < t->n; i++) {
		t->cells[t->rows * t->n + i] = strdup(cells[i]);
		if (!t->cells[t->rows * t->n + i])
			t->failed = 1;
		widen(t, i, cells[i]);
	}
	t->rows++;
}

static void print_row(const struct model_table *t, const char *const cells[])
{
	struct layout l = {.out = stdout, .style = t->style};
	unsigned at = MARGIN;

	layout_begin(&l, "", MARGIN);
	for (size_t i = 0; i < t->n; i++) {
		unsigned spare = t->width[i] - layout_columns(cells[i]);
		int right = t->heads[i].kind == COLUMN_RIGHT;

		if (i + 1 == t->n && !right) {
			if (at + PROSE_LEAST > t->style->width) {
				layout_end(&l);
				layout_begin(&l, "", 0);
				at = PROSE_MARGIN;
			}
			l.indent = at;
			l.items = 0;
			layout_words(&l, cells[i]);
		} else if (*cells[i]) {
			layout_pad(&l, at + (right ? spare : 0));
			layout_put(&l, INK_PLAIN, cells[i]);
		}
		at += t->width[i] + MARGIN;
	}
	layout_end(&l);
}

int model_table_print(const struct model_table *t, struct err *err)
{
	const char *heads[COLUMNS_MAX];

	if (!t || t->failed)
		return err_set(err, "out of memory for a table");
	for (size_t i = 0; i < t->n; i++)
		heads[i] = t->heads[i].head;
	print_row(t, heads);
	for (size_t r = 0; r < t->rows; r++)
		print_row(t, (const char *const *)&t->cells[r * t->n]);
	return 0;
}
