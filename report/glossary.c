/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/glossary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct word {
	const char *name; /* of a part of time, else "" */
	const char *word, *meaning;
} words[] = {
#define COST(name, label, colour, meaning) {#name, label, meaning},
#include "analyze/costs.def"
#undef COST
#define WORD(word, meaning) {"", word, meaning},
#include "report/words.def"
#undef WORD
};

static const struct word columns[] = {
#define COLUMN(name, meaning) {"", #name, meaning},
#include "common/message_columns.def"
#undef COLUMN
#define COST(name, label, colour, meaning) {#name, #name "_ns", meaning},
#include "analyze/costs.def"
#undef COST
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define N_WORDS   (sizeof(words) / sizeof(words[0]))

static int is_plain(const struct word *w)
{
	return !strcmp(w->name, "compute") || !strcmp(w->name, "start_end");
}

/* Is it in the text, and not within another word? */
static int is_used(const char *text, const char *word)
{
	size_t length = strlen(word);
	const char *at = text;

	while ((at = strstr(at, word))) {
		if ((at == text || !isalnum((unsigned char)at[-1])) &&
		    !isalnum((unsigned char)at[length]))
			return 1;
		at += length;
	}
	return 0;
}

/*
 * The text without line breaks, what fills lines and colours ("ESC[31m"), so that words are found.
 * NULL: no memory.
 */
static char *on_one_line(const char *text)
{
	char *all = malloc(strlen(text) + 1), *to = all;

	for (; all && *text; text++)
		if (*text == '\033' && strchr(text, 'm'))
			text = strchr(text, 'm');
		else if (!isspace((unsigned char)*text))
			*to++ = *text;
		else if (to == all || to[-1] != ' ')
			*to++ = ' ';
	if (all)
		*to = '\0';
	return all;
}

#define GAP 2

/* The words that are shown in a column, beside their meanings. */
static void put(struct layout *l, size_t n, const struct word words[n], const char shown[n])
{
	unsigned widest = 0;

	for (size_t i = 0; i < n; i++)
		if (shown[i] && layout_columns(words[i].word) > widest)
			widest = layout_columns(words[i].word);
	for (size_t i = 0; i < n; i++) {
		if (!shown[i])
			continue;
		layout_begin(l, "  ", 2);
		layout_put(l, INK_PLAIN, words[i].word);
		l->indent = 2 + widest + GAP;
		layout_pad(l, l->indent);
		layout_words(l, words[i].meaning);
		layout_end(l);
	}
}

void glossary_put_all(struct layout *l)
{
	char shown[N_WORDS];

	memset(shown, 1, sizeof(shown));
	put(l, N_WORDS, words, shown);
}

void glossary_put_columns(struct layout *l)
{
	char shown[N_COLUMNS];

	memset(shown, 1, sizeof(shown));
	put(l, N_COLUMNS, columns, shown);
}

int glossary_put_used(struct layout *l, const char *text)
{
	char shown[N_WORDS], *all = on_one_line(text);
	size_t n = 0;

	if (!all)
		return -1;
	for (size_t i = 0; i < N_WORDS; i++)
		n += shown[i] = !is_plain(&words[i]) && is_used(all, words[i].word);
	free(all);
	if (!n)
		return 0;
	layout_heading(l, "WORDS", "contend help words: all");
	put(l, N_WORDS, words, shown);
	return 0;
}
