/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/ending.h"

#include <stdio.h>
#include <string.h>

#define NAMED_MOST 3

/* One rank's end. What no MPI call was left by may have been _exit() as well as a signal. */
static void describe(const json_t *rank, size_t n, char text[n])
{
	const char *ended = json_string_value(json_object_get(rank, "ended"));
	const char *inside = json_string_value(json_object_get(rank, "inside"));
	long long number = json_integer_value(json_object_get(rank, "rank"));

	if (ended && !strcmp(ended, "abort"))
		snprintf(text, n, "rank %lld called MPI_Abort", number);
	else if (ended && !strcmp(ended, "exit") && inside)
		snprintf(text, n, "rank %lld was ended by MPI in %s", number, inside);
	else if (ended && !strcmp(ended, "exit"))
		snprintf(text, n, "rank %lld left without MPI_Finalize", number);
	else if (inside)
		snprintf(text, n, "rank %lld was killed in %s", number, inside);
	else
		snprintf(text, n, "rank %lld was killed outside MPI", number);
}

static int was_killed(const json_t *rank)
{
	const char *ended = json_string_value(json_object_get(rank, "ended"));

	return !ended || !strcmp(ended, "killed");
}

void ending_text(const struct run *r, size_t n, char text[n])
{
	const json_t *unfinished = r ? json_object_get(r->meta, "unfinished") : NULL;
	size_t i, named = 0, used = 0, all = json_array_size(unfinished);
	const json_t *rank;
	char one[120];
	int killed;

	text[0] = '\0';
	for (killed = 0; killed <= 1; killed++) {
		json_array_foreach((json_t *)unfinished, i, rank) {
			if (was_killed(rank) != killed || named == NAMED_MOST)
				continue;
			describe(rank, sizeof(one), one);
			used += (size_t)snprintf(text + used, n - used, "%s%s", named ? ", " : "",
						 one);
			if (used >= n)
				return;
			named++;
		}
	}
	if (all > named)
		snprintf(text + used, n - used, " and %zu more", all - named);
}
