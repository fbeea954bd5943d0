/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/columns.h"

#include "report/layout.h"

#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#define CELL_MAX 512

struct columns {
	const struct style *style;
	const struct column *heads;
	struct libscols_table *table;
	struct libscols_line *line;
	size_t cell;
	size_t n;   /* columns, */
	size_t cut; /* of them that which gives way, or n */
	int failed;
};

#define GAP "  "

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
		[COLUMN_TITLE] = SCOLS_FL_TRUNC,
		[COLUMN_SPARE] = SCOLS_FL_RIGHT,
	};
	struct columns *c = calloc(1, sizeof(*c));
	char text[CELL_MAX];
	size_t i;

	if (!c)
		return NULL;
	c->style = style;
	c->heads = heads;
	c->table = scols_new_table();
	if (!c->table) {
		free(c);
		return NULL;
	}
	scols_table_enable_colors(c->table, style->colours == COLOURS_ON);
	scols_table_enable_ascii(c->table, style->charset == CHARSET_ASCII);
	scols_table_set_termforce(c->table, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(c->table, style->width);
	scols_table_set_column_separator(c->table, GAP);
	c->n = c->cut = n;
	for (i = 0; i < n; i++) {
		margin(i, heads[i].head, text);
		if (!scols_table_new_column(c->table, text, 0, flags[heads[i].kind]))
			c->failed = 1;
		if (heads[i].kind == COLUMN_CUT || heads[i].kind == COLUMN_TITLE)
			c->cut = i;
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

/* The widest cell of a column, its head among them. */
static unsigned width_of(const struct columns *c, size_t column)
{
	struct libscols_column *head = scols_table_get_column(c->table, column);
	unsigned width = layout_columns(scols_cell_get_data(scols_column_get_header(head)));
	size_t i;

	for (i = 0; i < scols_table_get_nlines(c->table); i++) {
		struct libscols_cell *cell =
			scols_line_get_cell(scols_table_get_line(c->table, i), column);
		const char *text = scols_cell_get_data(cell);

		if (text && layout_columns(text) > width)
			width = layout_columns(text);
	}
	return width;
}

#define WORTH 8 /* columns: " in func"; less of what follows a place says nothing */

/* The last columns of a text. */
static const char *end_of(const char *text, unsigned columns)
{
	unsigned all = layout_columns(text);

	return columns < all ? text + layout_cut(text, all - columns) : text;
}

/*
 * Text in room columns, with "..." where something is missing: after the "file.c:118" which places
 * begin with, and where there is room for it in the middle of what follows, because names of
 * templates differ at their ends, but at a title's end; if not even the first word fits, at its
 * left.
 */
static void shorten(const char *text, unsigned room, enum column_kind kind, char out[CELL_MAX])
{
	unsigned margin = (unsigned)strspn(text, " "), left, tail;
	size_t word = margin + strcspn(text + margin, " ");
	char first[CELL_MAX - sizeof("...")];

	snprintf(first, sizeof(first), "%.*s", (int)word, text);
	if (layout_columns(first) + 3 > room) {
		snprintf(out, CELL_MAX, "%.*s...%s", (int)margin, text,
			 end_of(first, room - margin - 3));
		return;
	}
	left = room - 3 - layout_columns(first);
	tail = left < 2 * WORTH || kind == COLUMN_TITLE ? 0 : left / 2;
	if (left < WORTH)
		room -= left;
	snprintf(out, CELL_MAX, "%.*s...%s", (int)layout_cut(text, room - 3 - tail), text,
		 end_of(text, tail));
}

static int is_left_out(const struct columns *c, size_t column)
{
	return scols_column_is_hidden(scols_table_get_column(c->table, column));
}

/* What all columns take beside the one that gives way. */
static unsigned others_of(const struct columns *c)
{
	unsigned others = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		if (!is_left_out(c, i))
			others += (i == c->cut ? 0 : width_of(c, i)) + (i ? strlen(GAP) : 0);
	return others;
}

#define CUT_LEAST 20 /* columns: "stencil.c:1221 in..." */

/* Leave out columns that may be, while too little is left for the one that gives way. */
static void leave_out(struct columns *c)
{
	unsigned wanted = c->cut == c->n ? 0 : width_of(c, c->cut);
	size_t i;

	if (wanted > CUT_LEAST)
		wanted = CUT_LEAST;
	for (i = c->n; i-- > 0 && others_of(c) + wanted > c->style->width;)
		if (c->heads[i].kind == COLUMN_SPARE &&
		    scols_column_set_flags(scols_table_get_column(c->table, i), SCOLS_FL_HIDDEN))
			c->failed = 1;
}

/* What the other columns leave decides how much the one that gives way shows. */
static void cut_cells(struct columns *c)
{
	unsigned others = others_of(c), room;
	char cell[CELL_MAX];
	size_t i;

	if (c->cut == c->n)
		return;
	room = c->style->width > others + 6 ? c->style->width - others : 6;
	for (i = 0; i < scols_table_get_nlines(c->table); i++) {
		struct libscols_line *line = scols_table_get_line(c->table, i);
		const char *text = scols_cell_get_data(scols_line_get_cell(line, c->cut));

		if (!text || layout_columns(text) <= room)
			continue;
		shorten(text, room, c->heads[c->cut].kind, cell);
		if (scols_line_set_data(line, c->cut, cell))
			c->failed = 1;
	}
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

static void put_left_out(const struct columns *c, FILE *out)
{
	const char *before = "  columns left out for want of room: ";
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (!is_left_out(c, i))
			continue;
		fprintf(out, "%s%s", before, c->heads[i].head);
		before = ", ";
	}
	if (*before == ',')
		fputc('\n', out);
}

int columns_print(struct columns *c, FILE *out, struct err *err)
{
	char *text = NULL;

	if (!c->failed) {
		leave_out(c);
		cut_cells(c);
	}
	if (c->failed || scols_print_table_to_string(c->table, &text) || !text)
		return err_set(err, "cannot lay out a table of the report");
	put_trimmed(text, out);
	put_left_out(c, out);
	free(text);
	return 0;
}
