/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/document_parts.h"
#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"

#include <math.h>

enum { ALLREDUCE, BCAST, BARRIER };

/* Who came last, who waited how long, in calls of two ranks each. */
static const struct {
	uint32_t region, last, waiter;
	int64_t wait_ns;
} made[] = {{ALLREDUCE, 1, 0, 60000},
	    {ALLREDUCE, 1, 0, 20000},
	    {ALLREDUCE, 0, 1, 20000},
	    {BCAST, 1, 1, 50000}, /* for its root, whoever came last */
	    {BARRIER, 1, 0, 0}};

#define N (sizeof(made) / sizeof(made[0]))

static struct region regions[] = {{.name = "MPI_Allreduce", .kind = REGION_COLLECTIVE},
				  {.name = "MPI_Bcast", .kind = REGION_COLLECTIVE},
				  {.name = "MPI_Barrier", .kind = REGION_COLLECTIVE}};
static uint32_t members[] = {0, 1};
static struct comm world = {.size = 2, .members = members};

static void fill_collectives(struct handmade *f, struct call calls[2 * N], struct collective c[N])
{
	int64_t ns[COST_COUNT] = {0};
	struct slices_pen pen = {0};
	struct err err;

	f->attribution.call = (struct slices){0};
	CU_ASSERT_EQUAL_FATAL(slices_init(&f->attribution.call, 2 * N, COST_COUNT, &err), 0);
	for (uint32_t i = 0; i < 2 * N; i++) {
		uint32_t k = i % N, rank = i / N;

		calls[i] = (struct call){.enter_ns = (int64_t)k * 100000,
					 .leave_ns = (int64_t)(k + 1) * 100000,
					 .rank = rank,
					 .region = made[k].region,
					 .site = made[k].region == BARRIER,
					 .part = k};
		c[k] = (struct collective){.region = made[k].region,
					   .root = made[k].region == BCAST ? 0 : -1,
					   .last_rank = made[k].last,
					   .members = 2};
		ns[COST_collective_wait] = rank == made[k].waiter ? made[k].wait_ns : 0;
		CU_ASSERT_EQUAL_FATAL(
			slices_put(&f->attribution.call, &pen, i,
				   ns[COST_collective_wait] ? 1U << COST_collective_wait : 0, ns,
				   &err),
			0);
	}
	f->trace.calls = calls;
	f->trace.n_calls = 2 * N;
	f->trace.regions = regions;
	f->trace.n_regions = 3;
	f->trace.comms = &world;
	f->trace.n_comms = 1;
	f->collectives = (struct collectives){.c = c, .n = N};
}

static const json_t *row_of(const json_t *section, const char *function)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(section, "operations"), i, row) {
		const json_t *site = json_object_get(row, "callsite");

		if (!strcmp(json_string_value(json_object_get(site, "mpi")), function))
			return row;
	}
	CU_FAIL_FATAL("no such row");
	return NULL;
}

static void test_document_collectives_says_who_is_awaited(void)
{
	struct call calls[2 * N];
	struct collective c[N];
	struct handmade f;
	const json_t *row;
	json_t *section;

	handmade_fill(&f);
	fill_collectives(&f, calls, c);
	section = document_collectives(&f.analysis);
	CU_ASSERT_PTR_NOT_NULL_FATAL(section);
	row = row_of(section, "MPI_Allreduce");
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(row, "wait_s"), 1e-4, 1e-12);
	CU_ASSERT_EQUAL(handmade_number(row, "awaited.ranks"), 2);
	CU_ASSERT_EQUAL(handmade_number(row, "awaited.rank"), 1);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(row, "awaited.share"), 0.8, 1e-12);
	row = row_of(section, "MPI_Bcast");
	CU_ASSERT_EQUAL(handmade_number(row, "awaited.ranks"), 1);
	CU_ASSERT_EQUAL(handmade_number(row, "awaited.rank"), 0);
	row = row_of(section, "MPI_Barrier");
	CU_ASSERT(json_is_null(json_object_get(row, "awaited")));
	json_decref(section);
	slices_release(&f.attribution.call);
	handmade_release(&f);
}

/* A call that waited for another rank than the others of its collective is said to have. */
static void test_document_collectives_says_who_kept_a_member(void)
{
	uint32_t kept_by[2 * N];
	struct call calls[2 * N];
	struct collective c[N];
	struct handmade f;
	const json_t *row;
	json_t *section;

	handmade_fill(&f);
	fill_collectives(&f, calls, c);
	memset(kept_by, 0xff, sizeof(kept_by));
	kept_by[1] = N + 1; /* of rank 0, for rank 1, though rank 0 had come last */
	f.attribution.kept_by = kept_by;
	c[1].last_rank = 0;
	section = document_collectives(&f.analysis);
	CU_ASSERT_PTR_NOT_NULL_FATAL(section);
	row = row_of(section, "MPI_Allreduce");
	CU_ASSERT_EQUAL(handmade_number(row, "awaited.rank"), 1);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(row, "awaited.share"), 0.8, 1e-12);
	json_decref(section);
	f.attribution.kept_by = NULL;
	slices_release(&f.attribution.call);
	handmade_release(&f);
}

/*
 * Rank 0 waits for 60 of 100 us for rank 1 in the first collective, so that who waits for it in the
 * second one waits for that; unless that began only later.
 */
static void test_document_collectives_say_for_whom_that_one_waited(void)
{
	struct call calls[2 * N];
	struct collective c[N];
	struct handmade f;

	handmade_fill(&f);
	fill_collectives(&f, calls, c);
	f.trace.ranks[1].first_call = N;
	CU_ASSERT_EQUAL(document_awaited(&f.analysis, 1, 0), 1);
	CU_ASSERT_EQUAL(document_awaited(&f.analysis, 1, 10000), 1);
	CU_ASSERT_EQUAL(document_awaited(&f.analysis, 1, 50000), 0);
	CU_ASSERT_EQUAL(document_awaited(&f.analysis, 0, -50000), 0);
	CU_ASSERT_EQUAL(document_awaited(&f.analysis, N, -50000), 1);
	slices_release(&f.attribution.call);
	handmade_release(&f);
}

/* Of three ranks two never came to the first: the one that did waited for nobody in particular. */
static void test_document_collectives_says_how_many_never_came(void)
{
	struct comm three = {.size = 3, .members = members};
	struct call calls[2 * N];
	struct collective c[N];
	struct handmade f;
	const json_t *row;
	json_t *section;

	handmade_fill(&f);
	fill_collectives(&f, calls, c);
	f.trace.comms = &three;
	for (uint32_t k = 0; k < N; k++)
		c[k].members = k ? 3 : 1;
	c[0].is_short = 1;
	section = document_collectives(&f.analysis);
	CU_ASSERT_PTR_NOT_NULL_FATAL(section);
	row = row_of(section, "MPI_Allreduce");
	CU_ASSERT_EQUAL(handmade_number(row, "missing.ranks"), 2);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(row, "missing.share"), 0.6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(row, "awaited.share"), 0.2, 1e-12);
	CU_ASSERT(json_is_null(json_object_get(row_of(section, "MPI_Bcast"), "missing")));
	json_decref(section);
	slices_release(&f.attribution.call);
	handmade_release(&f);
}

/* What allreduces that took so long each are said to take on an idle machine, of latency 10 us. */
static void ask_of_idle(int64_t took_ns, double *idle_s, char why_not[200])
{
	struct plogp_point point = {.bytes = 0, .g_s = 1e-6};
	struct call calls[2 * N];
	struct collective c[N];
	struct handmade f;
	const json_t *row, *idle;
	json_t *section;

	handmade_fill(&f);
	fill_collectives(&f, calls, c);
	for (int k = 0; k < LOCALITY_COUNT; k++)
		f.machine.classes[k] =
			(struct machine_class){.L_s = 10e-6, .n = 1, .points = &point};
	for (uint32_t k = 0; k < N; k++) {
		c[k].bytes = 16;
		c[k].last_leave_ns = c[k].last_enter_ns + took_ns;
	}
	section = document_collectives(&f.analysis);
	CU_ASSERT_PTR_NOT_NULL_FATAL(section);
	row = row_of(section, "MPI_Allreduce");
	idle = json_object_get(row, "idle");
	*idle_s = handmade_number(idle, "s");
	snprintf(why_not, 200, "%s",
		 json_is_string(json_object_get(idle, "why_not"))
			 ? json_string_value(json_object_get(idle, "why_not"))
			 : "");
	CU_ASSERT_EQUAL(*idle_s > 0, json_is_string(json_object_get(idle, "algorithm")));
	json_decref(section);
	slices_release(&f.attribution.call);
	handmade_release(&f);
}

/* An idle machine does not take longer than this one did. */
static void test_document_collectives_contradict_the_machine(void)
{
	double idle_s;
	char why_not[200];

	ask_of_idle(100000, &idle_s, why_not);
	CU_ASSERT(idle_s > 10e-6 && idle_s < 50e-6);
	CU_ASSERT_STRING_EQUAL(why_not, "");
	ask_of_idle(5000, &idle_s, why_not);
	CU_ASSERT(isnan(idle_s));
	CU_ASSERT_PTR_NOT_NULL(strstr(why_not, "they take less than the estimate"));
}

/* Rank 1 gets most of the bytes in most of the all-reduces: as if they had counts. */
static void test_document_collectives_says_who_has_the_bytes(void)
{
	struct count_load uneven = {.region = ALLREDUCE,
				    .ranks = 2,
				    .count = 3,
				    .load[COUNT_GOT] = {.bytes = 400,
							.most = 300,
							.rank = 1,
							.rank_bytes = 240,
							.rank_share = 0.75,
							.ranks = 2}};
	struct call calls[2 * N];
	struct collective c[N];
	struct handmade f;
	const json_t *row;
	json_t *section;

	handmade_fill(&f);
	fill_collectives(&f, calls, c);
	f.attribution.counts = (struct count_loads){&uneven, 1};
	section = document_collectives(&f.analysis);
	CU_ASSERT_PTR_NOT_NULL_FATAL(section);
	row = json_object_get(row_of(section, "MPI_Allreduce"), "counts");
	CU_ASSERT(json_is_null(json_object_get(row, "sent")));
	CU_ASSERT_EQUAL(handmade_number(row, "received.bytes"), 400);
	CU_ASSERT_EQUAL(handmade_number(row, "received.heaviest_share"), 0.75);
	CU_ASSERT_EQUAL(handmade_number(row, "received.heaviest_ranks"), 2);
	CU_ASSERT_EQUAL(handmade_number(row, "received.rank"), 1);
	CU_ASSERT_EQUAL(handmade_number(row, "received.rank_share"), 0.6);
	CU_ASSERT_EQUAL(handmade_number(row, "received.excess_share"), 0.75);
	CU_ASSERT(json_is_null(json_object_get(row_of(section, "MPI_Bcast"), "counts")));
	json_decref(section);
	slices_release(&f.attribution.call);
	handmade_release(&f);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_document_collectives_says_who_is_awaited),
		SUITE_CASE(test_document_collectives_says_who_kept_a_member),
		SUITE_CASE(test_document_collectives_say_for_whom_that_one_waited),
		SUITE_CASE(test_document_collectives_says_how_many_never_came),
		SUITE_CASE(test_document_collectives_contradict_the_machine),
		SUITE_CASE(test_document_collectives_says_who_has_the_bytes),
		CU_TEST_INFO_NULL,
	};

	return suite_run("document_collectives", tests);
}
