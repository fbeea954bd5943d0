/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that says which rank should run where: a JSON list, as a mapping hotspot's order is one.
 */
#ifndef CMD_RANK_MAP_H
#define CMD_RANK_MAP_H

#include <stdint.h>

#include "common/err.h"

/*
 * (*map)[i]: the rank that should run where rank i does, n in all; whether they are a run's ranks
 * is not asked. Returns 0, or -1 with *err set. Caller: free(*map).
 */
int rank_map_read(const char *path, uint32_t **map, uint32_t *n, struct err *err);

#endif
