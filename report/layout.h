/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of text that keep to a width: words that wrap, and items that wrap but are
 * never broken. Columns are counted in characters, so UTF-8 lines up.
 *
 * Life cycle: layout_begin() at the start of a line, any number of layout_words() and
 * layout_item(), layout_end(). Control characters become '?': names in a document
 * come from other people's programs.
 */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "report/style.h"

struct layout {
	FILE *out;
	const struct style *style;
	unsigned indent; /* of the lines that follow the first */
	unsigned column; /* characters on the line so far */
	unsigned items;  /* on the line so far */
};

/* Start a line with label (may be ""), so that text begins in column indent. */
void layout_begin(struct layout *l, const char *label, unsigned indent);

/* Text, broken at spaces where a line is full. What follows a \n is an item of a list below. */
void layout_words(struct layout *l, const char *text);

/* An item, three spaces from the one before or on the next line; wider ones are words. */
void layout_item(struct layout *l, enum ink ink, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void layout_end(struct layout *l);

/* All of a line, or of several: words and nothing else. */
void layout_line(struct layout *l, const char *label, unsigned indent, const char *text);

/* Characters (not bytes) of a UTF-8 text. */
unsigned layout_columns(const char *text);

/* Print text with an ink and without control characters, whatever its length. */
void layout_put(struct layout *l, enum ink ink, const char *text);

/* Spaces up to a column; none when the line is there already. */
void layout_pad(struct layout *l, unsigned column);

/* How many bytes of text, ending before a space or at its end, fit into columns; 0 = none. */
size_t layout_fit(const char *text, unsigned columns);

/* How many bytes of text its first columns are; never in the middle of a character. */
size_t layout_cut(const char *text, unsigned columns);

/* A blank line, then a heading with a remark at the right margin (may be ""). */
void layout_heading(struct layout *l, const char *heading, const char *remark);

#endif
