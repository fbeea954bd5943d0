/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/layout.h"

#include <stdarg.h>
#include <string.h>

unsigned layout_columns(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void put_bytes(struct layout *l, const char *text, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++) {
		unsigned char c = (unsigned char)text[i];

		putc(c < ' ' || c == 0x7f ? '?' : c, l->out);
		l->column += (c & 0xc0) != 0x80;
	}
}

void layout_put(struct layout *l, enum ink ink, const char *text)
{
	if (ink != INK_PLAIN)
		fputs(style_ink(l->style, ink), l->out);
	put_bytes(l, text, strlen(text));
	if (ink != INK_PLAIN)
		fputs(style_reset(l->style), l->out);
}

void layout_pad(struct layout *l, unsigned column)
{
	while (l->column < column) {
		putc(' ', l->out);
		l->column++;
	}
}

static void new_line(struct layout *l)
{
	putc('\n', l->out);
	l->column = 0;
	l->items = 0;
}

void layout_begin(struct layout *l, const char *label, unsigned indent)
{
	l->column = 0;
	l->items = 0;
	l->indent = indent;
	layout_put(l, INK_PLAIN, label);
}

/* Is the word at text a unit, whatever ends a clause behind it? */
static int is_unit(const char *text)
{
	static const char *const units[] = {"%",   "s",   "ms",  "us",  "ns",   "B",    "KiB",
					    "MiB", "GiB", "TiB", "PiB", "kB/s", "MB/s", "GB/s"};
	size_t n = strcspn(text, " \n,;:.)]");

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (n == strlen(units[i]) && !strncmp(text, units[i], n))
			return 1;
	return 0;
}

/* The length of the word at text; a number and its unit, "38 %" or "1.09 s,", are one. */
static size_t word_bytes(const char *text)
{
	size_t n = strcspn(text, " \n");

	if (n && text[n] == ' ' && text[n - 1] >= '0' && text[n - 1] <= '9' &&
	    is_unit(text + n + 1))
		n += 1 + strcspn(text + n + 1, " \n");
	return n;
}

/* What of the word at text, so many bytes, a line shall have: all, or a part of a name of C++. */
static size_t piece_bytes(const char *text, size_t bytes, unsigned columns)
{
	size_t fits = layout_cut(text, columns);

	for (size_t k = fits; bytes > fits && k > 2; k--)
		if (!strncmp(text + k - 2, "::", 2))
			return k;
	return bytes;
}

void layout_words(struct layout *l, const char *text)
{
	const unsigned indent = l->indent;
	int listed = 0;

	while (*text) {
		size_t bytes = word_bytes(text);
		char word[512];
		unsigned columns;

		if (*text == '\n') {
			new_line(l);
			l->indent = indent + 2;
			listed = 1;
			text++;
			continue;
		}
		if (l->style->width > l->indent)
			bytes = piece_bytes(text, bytes, l->style->width - l->indent);
		snprintf(word, sizeof(word), "%.*s", (int)bytes, text);
		columns = layout_columns(word);
		if (l->items && l->column + 1 + columns > l->style->width)
			new_line(l);
		if (l->items)
			layout_pad(l, l->column + 1);
		else
			layout_pad(l, l->indent);
		if (bytes) {
			layout_put(l, INK_PLAIN, word);
			l->items++;
			if (listed)
				l->indent = indent + 4;
		}
		text += bytes;
		text += strspn(text, " ");
	}
	l->indent = indent;
}

void layout_item(struct layout *l, enum ink ink, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (l->items && l->column + 3 + layout_columns(text) > l->style->width)
		new_line(l);
	if (l->indent + layout_columns(text) > l->style->width) { /* no line is wide enough */
		layout_words(l, text);
		return;
	}
	layout_pad(l, l->items ? l->column + 3 : l->indent);
	layout_put(l, ink, text);
	l->items++;
}

void layout_end(struct layout *l)
{
	new_line(l);
}

void layout_line(struct layout *l, const char *label, unsigned indent, const char *text)
{
	layout_begin(l, label, indent);
	layout_words(l, text);
	layout_end(l);
}

size_t layout_fit(const char *text, unsigned columns)
{
	size_t fits = 0;
	size_t i;
	unsigned used = 0;

	for (i = 0;; i++) {
		if ((text[i] == ' ' || !text[i]) && used <= columns)
			fits = i;
		if (!text[i])
			return fits;
		used += ((unsigned char)text[i] & 0xc0) != 0x80;
	}
}

size_t layout_cut(const char *text, unsigned columns)
{
	size_t i;
	unsigned used = 0;

	for (i = 0; text[i]; i++) {
		used += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (used > columns)
			break;
	}
	return i;
}

void layout_heading(struct layout *l, const char *heading, const char *remark)
{
	unsigned columns = layout_columns(remark);

	putc('\n', l->out);
	l->column = 0;
	layout_put(l, INK_HEADING, heading);
	if (columns && l->column + 2 + columns <= l->style->width) {
		layout_pad(l, l->style->width - columns);
		layout_put(l, INK_DIM, remark);
	} else if (columns) {
		new_line(l);
		l->indent = 2;
		layout_words(l, remark);
	}
	new_line(l);
}
