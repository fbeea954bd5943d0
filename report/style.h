/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How text is to look: width, colours, characters. The
 * caller decides by terminal, locale and options; nothing here asks for them.
 */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include <stdio.h>

enum charset { CHARSET_ASCII, CHARSET_UTF8 };
enum colours { COLOURS_OFF, COLOURS_ON };

struct style {
	unsigned width; /* columns, at least STYLE_WIDTH_MIN */
	unsigned top;   /* rows of tables at most; above STYLE_TOP: also small ones */
	enum charset charset;
	enum colours colours;
};

#define STYLE_TOP       5 /* unless it is given */
#define STYLE_WIDTH_MIN 60
#define STYLE_WIDTH_MAX 400

enum ink { INK_PLAIN, INK_HEADING, INK_DIM, INK_GOOD, INK_DOUBT, INK_BAD };

/* The escape sequence that starts an ink, "" without colours; style_reset() ends it. */
const char *style_ink(const struct style *s, enum ink ink);
const char *style_reset(const struct style *s);

/* The name smartcols has for an ink, or NULL. */
const char *style_cell_ink(const struct style *s, enum ink ink);

/*
 * A bar of at most width columns for a share of 0 to 1, at least a hint for anything
 * above 0. text must hold 3 * width + 4 bytes; returned.
 */
const char *style_bar(const struct style *s, double share, unsigned width, char *text);

#endif
