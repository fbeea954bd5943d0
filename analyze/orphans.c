/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/orphans.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

int orphan_is(const json_t *unfinished)
{
	return !strcmp(text_of(unfinished, "ended"), "exit") &&
	       json_integer_value(json_object_get(unfinished, "status")) == ORPHAN_STATUS;
}

int orphans_are_in(const struct run *r)
{
	const json_t *unfinished = r ? json_object_get(r->meta, "unfinished") : NULL;
	const json_t *rank;
	int found = 0;
	size_t i;

	if (!unfinished || strncmp(text_of(r->meta, "mpi"), "Open MPI", strlen("Open MPI")) != 0)
		return 0;
	json_array_foreach((json_t *)unfinished, i, rank) {
		if (!strcmp(text_of(rank, "from"), "launcher"))
			return 0;
		found |= orphan_is(rank) && *text_of(rank, "inside");
	}
	return found;
}
