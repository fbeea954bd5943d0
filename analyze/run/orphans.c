/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/orphans.h"

#include <string.h>

int orphan_is(const json_t *unfinished)
{
	return !strcmp(run_row_text(unfinished, "ended"), "exit") &&
	       json_integer_value(json_object_get(unfinished, "status")) == ORPHAN_STATUS;
}

int orphans_are_in(const struct run *r)
{
	const json_t *unfinished = run_unfinished(r);
	const json_t *rank;
	int found = 0;
	size_t i;

	if (!unfinished || strncmp(run_text(r, "mpi", ""), "Open MPI", strlen("Open MPI")) != 0)
		return 0;
	json_array_foreach((json_t *)unfinished, i, rank) {
		if (!strcmp(run_row_text(rank, "from"), "launcher"))
			return 0;
		found |= orphan_is(rank) && *run_row_text(rank, "inside");
	}
	return found;
}
