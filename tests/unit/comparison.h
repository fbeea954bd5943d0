/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents with what `contend diff` looks at, and their comparison. For the tests of compare. */
#ifndef TESTS_UNIT_COMPARISON_H
#define TESTS_UNIT_COMPARISON_H

#include "report/compare.h"
#include "tests/unit/suite.h"

/* A run of 2 ranks: wall time, and network contention with its bounds (summed over ranks). */
static inline json_t *run_of(double wall_s, double s, double low_s, double high_s)
{
	json_t *d = json_pack("{s:s, s:{s:i, s:i, s:f, s:s}, s:{s:f, s:{s:{s:f, s:f, s:f}, s:{s:f,"
			      " s:f, s:f}}}, s:[]}",
			      "schema", "contend/1", "run", "ranks", 2, "nodes", 1, "wall_s",
			      wall_s, "mpi", "x", "budget", "total_s", 2.0 * wall_s, "parts",
			      "network_contention", "s", s, "low_s", low_s, "high_s", high_s,
			      "compute", "s", 2.0 * wall_s - s, "low_s", 2.0 * wall_s - s, "high_s",
			      2.0 * wall_s - s, "hotspots");

	if (!d)
		CU_FAIL_FATAL("json_pack");
	return d;
}

static inline void add_hotspot(json_t *d, const char *kind, const char *severity, int line)
{
	json_array_append_new(json_object_get(d, "hotspots"),
			      json_pack("{s:s, s:s, s:s, s:{s:s, s:i, s:s, s:s}, s:[f, f, f]}",
					"kind", kind, "severity", severity, "title", "t",
					"callsite", "file", "a.c", "line", line, "function", "go",
					"mpi", "MPI_Send", "saves_s", 0.1, 0.2, 0.3));
}

/* Compares and gives up both. */
static inline json_t *compare(json_t *base, json_t *new, double noise)
{
	struct err err = {""};
	json_t *c = compare_documents(base, new, noise, &err);

	if (!c)
		CU_FAIL_FATAL("compare_documents");
	json_decref(base);
	json_decref(new);
	return c;
}

#endif
