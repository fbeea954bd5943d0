/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/columns.h"

#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#define CELL_MAX 512

struct columns {
	const struct style *style;
	struct libscols_table *table;
	struct libscols_line *line;
	size_t cell;
	int failed;
};

/* The first column starts two characters from the margin. */
static void margin(size_t column, const char *text, char out[CELL_MAX])
{
	snprintf(out, CELL_MAX, "%s%s", column ? "" : "  ", text);
}

struct columns *columns_new(const struct style *style, size_t n, const struct column heads[n])
{
	static const int flags[] = {
		[COLUMN_LEFT] = 0,
		[COLUMN_RIGHT] = SCOLS_FL_RIGHT,
		[COLUMN_CUT] = SCOLS_FL_TRUNC,
	};
	struct columns *c = calloc(1, sizeof(*c));
	char text[CELL_MAX];
	size_t i;

	if (!c)
		return NULL;
	c->style = style;
	c->table = scols_new_table();
	if (!c->table) {
		free(c);
		return NULL;
	}
	scols_table_enable_colors(c->table, style->colours == COLOURS_ON);
	scols_table_enable_ascii(c->table, style->charset == CHARSET_ASCII);
	scols_table_set_termforce(c->table, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(c->table, style->width);
	scols_table_set_column_separator(c->table, "  ");
	for (i = 0; i < n; i++) {
		margin(i, heads[i].head, text);
		if (!scols_table_new_column(c->table, text, 0, flags[heads[i].kind]))
			c->failed = 1;
	}
	return c;
}

void columns_free(struct columns *c)
{
	if (!c)
		return;
	scols_unref_table(c->table);
	free(c);
}

void columns_add(struct columns *c)
{
	c->line = scols_table_new_line(c->table, NULL);
	c->cell = 0;
	if (!c->line)
		c->failed = 1;
}

void columns_put(struct columns *c, enum ink ink, const char *text)
{
	const char *colour = style_cell_ink(c->style, ink);
	char cell[CELL_MAX];

	if (c->failed)
		return;
	margin(c->cell, text, cell);
	if (scols_line_set_data(c->line, c->cell, cell))
		c->failed = 1;
	else if (colour && scols_cell_set_color(scols_line_get_cell(c->line, c->cell), colour))
		c->failed = 1;
	c->cell++;
}

/* Without the spaces that end a line. */
static void put_trimmed(const char *text, FILE *out)
{
	while (*text) {
		size_t line = strcspn(text, "\n");
		size_t used = line;

		while (used && text[used - 1] == ' ')
			used--;
		fprintf(out, "%.*s\n", (int)used, text);
		text += line + (text[line] == '\n');
	}
}

int columns_print(struct columns *c, FILE *out, struct err *err)
{
	char *text = NULL;

	if (c->failed || scols_print_table_to_string(c->table, &text) || !text)
		return err_set(err, "cannot lay out a table of the report");
	put_trimmed(text, out);
	free(text);
	return 0;
}
