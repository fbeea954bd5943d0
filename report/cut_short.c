/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/cut_short.h"

#include "report/pick.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *ended;
	const char *text;
} ways[] = {
	{"abort", "called MPI_Abort"},
	{"exit", "left without MPI_Finalize"},
	{"exec", "became another program"},
	{"killed", "was killed"},
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

static size_t way_of(const char *ended)
{
	size_t i;

	for (i = 0; i < N_WAYS && strcmp(ways[i].ended, ended) != 0; i++)
		;
	return i;
}

int cut_short(const json_t *document)
{
	return json_array_size(pick(document, "run.unfinished")) > 0 ||
	       way_of(pick_text(document, "run.ended", "")) < N_WAYS;
}

/*
 * The launcher ends the others when one has ended: a signal from it, or from who may have passed
 * that on, is no cause.
 */
static int has_cause(const json_t *rank)
{
	const char *from = pick_text(rank, "from", "");

	return *pick_text(rank, "signal", "") && strcmp(from, "launcher") &&
	       strcmp(from, "between");
}

/* A rank that ended in a way of the job's; one that a known signal ended comes before. */
static const json_t *find_cause(const json_t *document, const char *ended)
{
	const json_t *rank, *found = NULL;
	size_t i;

	json_array_foreach((json_t *)pick(document, "run.unfinished"), i, rank) {
		if (has_cause(rank))
			return rank;
		if (!found && strcmp(ended, "killed") &&
		    !strcmp(pick_text(rank, "ended", ""), ended))
			found = rank;
	}
	return found;
}

void cut_short_text(const json_t *document, size_t n, char text[n])
{
	const char *ended = pick_text(document, "run.ended", "");
	const json_t *cause = find_cause(document, ended);
	size_t way = way_of(ended);

	text[0] = '\0';
	if (!cut_short(document))
		return;
	if (cause && has_cause(cause))
		snprintf(text, n, "was ended by %s (rank %.0f)", pick_text(cause, "signal", ""),
			 pick_number(cause, "rank", 0.0));
	else if (cause && way < N_WAYS)
		snprintf(text, n, "%s (rank %.0f)", ways[way].text,
			 pick_number(cause, "rank", 0.0));
	else
		snprintf(text, n, "%s", way < N_WAYS ? ways[way].text : "did not finish");
}
