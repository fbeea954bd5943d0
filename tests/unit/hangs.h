/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that hung, in the tables and in run.json, for the tests of what is said of them. */
#ifndef TESTS_UNIT_HANGS_H
#define TESTS_UNIT_HANGS_H

#include "analyze/standing/hanging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

#define S    INT64_C(1000000000)
#define MOST 40

#define STANDSTILL "\nall shares here are of the run with this standstill in it"

/* A job of 10 s whose ranks called MPI last after 2 s: in the first call here, if in one. */
struct job {
	struct trace t;
	struct rank ranks[MOST];
	struct call calls[2 * MOST];
	struct op ops[2];
	struct endpoints_of of[MOST + 1]; /* none of any rank */
	struct messages m;
	struct collective one; /* that c has */
	struct collectives c;
	struct run run;
};

static struct region regions[] = {{.name = "MPI_Recv", .kind = REGION_RECV},
				  {.name = "MPI_Barrier", .kind = REGION_COLLECTIVE}};
static struct site sites[] = {
	{.path = "/bin/solver:ab+0x10", .file = "/src/solver.c", .line = 120},
	{.path = "/opt/bin/solver:ab12+0x30;/lib/c:-+0x20"},
};

static inline void make(struct job *j, uint32_t n)
{
	uint32_t r;

	memset(j, 0, sizeof(*j));
	j->t = (struct trace){.wall_ns = 10 * S,
			      .n_ranks = n,
			      .n_calls = n,
			      .n_regions = 2,
			      .n_sites = 2,
			      .ranks = j->ranks,
			      .regions = regions,
			      .sites = sites,
			      .calls = j->calls,
			      .ops = j->ops,
			      .ends = {.of = j->of}};
	for (r = 0; r < n; r++) {
		j->ranks[r] = (struct rank){.end_ns = 10 * S, .calls = 1, .first_call = r};
		j->calls[r] = (struct call){.enter_ns = 2 * S,
					    .leave_ns = 10 * S,
					    .rank = r,
					    .collective = TRACE_NONE,
					    .flood = TRACE_NONE};
	}
	j->run.meta = json_pack("{s:[]}", "unfinished");
}

/* Rank r was ended like that: more of a JSON object. */
static inline void end(struct job *j, uint32_t r, const char *how)
{
	json_t *rank = json_loads(how, 0, NULL);

	CU_ASSERT_FATAL(rank != NULL);
	json_object_set_new(rank, "rank", json_integer(r));
	json_array_append_new(json_object_get(j->run.meta, "unfinished"), rank);
}

/* In MPI_Recv from peer when SIGTERM came. */
static inline void end_receiving(struct job *j, uint32_t r, uint32_t peer)
{
	char how[200];

	snprintf(how, sizeof(how),
		 "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"from\":\"launcher\","
		 "\"inside\":\"MPI_Recv\",\"peer\":%u,\"tag\":7}",
		 peer);
	end(j, r, how);
}

static inline const char *said(struct job *j)
{
	static struct hanging h;

	hanging_find(&h, &j->run, &j->t, &j->m, &j->c);
	hanging_release(&h);
	json_decref(j->run.meta);
	return h.text;
}

#endif
