/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/style.h"

#include <math.h>
#include <string.h>

static const char *const escapes[] = {
	[INK_PLAIN] = "",        [INK_HEADING] = "\033[1m", [INK_DIM] = "\033[2m",
	[INK_GOOD] = "\033[32m", [INK_DOUBT] = "\033[33m",  [INK_BAD] = "\033[31m",
};

static const char *const cell_inks[] = {
	[INK_PLAIN] = NULL,   [INK_HEADING] = "bold", [INK_DIM] = "halfbright",
	[INK_GOOD] = "green", [INK_DOUBT] = "brown",  [INK_BAD] = "red",
};

const char *style_ink(const struct style *s, enum ink ink)
{
	return s->colours == COLOURS_ON ? escapes[ink] : "";
}

const char *style_reset(const struct style *s)
{
	return s->colours == COLOURS_ON ? "\033[0m" : "";
}

const char *style_cell_ink(const struct style *s, enum ink ink)
{
	return s->colours == COLOURS_ON ? cell_inks[ink] : NULL;
}

const char *style_bar(const struct style *s, double share, unsigned width, char *text)
{
	static const char *const eighths[] = {"",       "\u258f", "\u258e", "\u258d",
					      "\u258c", "\u258b", "\u258a", "\u2589"};
	unsigned units = s->charset == CHARSET_UTF8 ? 8 : 1;
	unsigned filled = (unsigned)lround(fmin(fmax(share, 0.0), 1.0) * width * units);
	char *end = text;
	unsigned i;

	if (!filled && share > 0.0005)
		return strcpy(text, s->charset == CHARSET_UTF8 ? "\u258f" : ".");
	for (i = 0; i < filled / units; i++)
		end = stpcpy(end, units == 8 ? "\u2588" : "#");
	if (units == 8)
		end = stpcpy(end, eighths[filled % 8]);
	*end = '\0';
	return text;
}
