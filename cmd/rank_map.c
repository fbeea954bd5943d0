/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/rank_map.h"

#include <stdlib.h>
#include <unistd.h>

#include "cmd/json_file.h"

static int take(const json_t *list, const char *path, uint32_t **map, uint32_t *n, struct err *err)
{
	size_t size = json_array_size(list), i;
	uint32_t *to;
	json_t *row;

	if (size == 0 || size > INT32_MAX)
		return err_set(err, "%s: expected a list of ranks, such as [2, 3, 0, 1]", path);
	to = malloc(size * sizeof(*to));
	if (!to)
		return err_set(err, "out of memory for %zu ranks", size);
	json_array_foreach((json_t *)list, i, row) {
		json_int_t rank = json_integer_value(row);

		if (!json_is_integer(row) || rank < 0 || rank > INT32_MAX) {
			free(to);
			return err_set(err, "%s: element %zu is no rank: expected numbers from 0",
				       path, i);
		}
		to[i] = (uint32_t)rank;
	}
	*map = to;
	*n = (uint32_t)size;
	return 0;
}

int rank_map_read(const char *path, uint32_t **map, uint32_t *n, struct err *err)
{
	struct err why;
	json_t *list = json_file_load(path, 0, &why);
	int ret;

	if (!list && access(path, R_OK))
		return err_set(err, "%s", why.text);
	if (!list)
		return err_set(err, "%s; expected a list of ranks, such as [2, 3, 0, 1]", why.text);
	ret = take(list, path, map, n, err);
	json_decref(list);
	return ret;
}
