/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Longer words are compared by their beginnings. */
#define LETTERS_MAX 40

static int are_alike(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static unsigned changes(const char *a, const char *b)
{
	unsigned d[LETTERS_MAX + 1][LETTERS_MAX + 1];
	size_t n = strnlen(a, LETTERS_MAX);
	size_t m = strnlen(b, LETTERS_MAX);
	size_t i;
	size_t j;

	for (i = 0; i <= n; i++)
		d[i][0] = (unsigned)i;
	for (j = 0; j <= m; j++)
		d[0][j] = (unsigned)j;
	for (i = 1; i <= n; i++)
		for (j = 1; j <= m; j++) {
			d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1,
					d[i - 1][j - 1] + !are_alike(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && are_alike(a[i - 1], b[j - 2]) &&
			    are_alike(a[i - 2], b[j - 1]) && d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	return d[n][m];
}

/*
 * Changes, insertions, deletions and swaps of neighbours that make b of a; case is none, another
 * order of what _ or - joins one.
 */
static unsigned distance(const char *a, const char *b)
{
	unsigned fewest = changes(a, b), other;
	char turned[LETTERS_MAX + 1];
	const char *joint;

	for (joint = strpbrk(a, "_-"); joint; joint = strpbrk(joint + 1, "_-")) {
		snprintf(turned, sizeof(turned), "%s%c%.*s", joint + 1, *joint, (int)(joint - a),
			 a);
		other = 1 + changes(turned, b);
		if (other < fewest)
			fewest = other;
	}
	return fewest;
}

const char *nearest(const char *word, size_t n, const char *const words[n])
{
	const char *best = words[0];
	unsigned fewest = distance(word, words[0]);
	size_t i;

	assert(n > 0);
	for (i = 1; i < n; i++) {
		unsigned changes = distance(word, words[i]);

		if (changes < fewest) {
			fewest = changes;
			best = words[i];
		}
	}
	i = strlen(word) > strlen(best) ? strlen(word) : strlen(best);
	return 3 * fewest <= i ? best : NULL;
}

const char *nearest_advice(const char *near, const char *prefix, const char *help, size_t room,
			   char text[room])
{
	if (near)
		snprintf(text, room, "the nearest is %s%s", prefix, near);
	else
		snprintf(text, room, "%s lists them", help);
	return text;
}
