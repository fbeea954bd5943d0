/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/rendered.h"

static void put_table(struct layout *l, const json_t *document)
{
	struct err err = {""};

	CU_ASSERT_EQUAL(text_collectives_table(l, document, &err), 0);
}

/* The table of one place's broadcasts, predicted or not, with such a machine; caller frees. */
static char *table_of(const char *source, double idle_s)
{
	return rendered(
		80, put_table,
		json_pack("{s:{s:s}, s:{s:[{s:{s:s}, s:f, s:f, s:f, s:i, s:f, s:{s:f, s:f}}]}}",
			  "machine", "source", source, "collectives", "operations", "callsite",
			  "mpi", "MPI_Bcast", "share", 0.5, "wait_s", 1.0, "moving_s", 2e-4,
			  "count", 1, "took_s", 1e-4, "idle", "s", idle_s, "took_s", 1e-4));
}

/* What rests on the trace's own fastest messages is not as sure as a machine file's. */
static void test_says_what_idle_rests_on(void)
{
	static const struct {
		const char *source;
		double idle_s;
		int is_said;
	} rows[] = {{"self-calibrated", 1e-7, 1}, {"self-calibrated", 0, 0}, {"file", 1e-7, 0}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		char *text = table_of(rows[k].source, rows[k].idle_s);

		CU_ASSERT_PTR_NOT_NULL(strstr(text, "MPI_Bcast"));
		CU_ASSERT_EQUAL(!!strstr(text, "1000  MPI_Bcast"), rows[k].idle_s > 0);
		CU_ASSERT_EQUAL(!!strstr(text, "(confidence: low)"), rows[k].is_said);
		free(text);
	}
}

/* Whom the others wait for, where that is most of the waiting, and the waiting is worth it. */
static void test_says_who_is_awaited(void)
{
	static const struct {
		double wait_s, share;
		int ranks;
		const char *said;
	} rows[] = {{1.0, 0.96, 3, "  waits for  rank 7\n"},
		    {1.0, 0.8, 3, "  waits for  rank 7, 80.0 % of it\n"},
		    {1.0, 0.3, 12, "  waits for  12 ranks in turn\n"},
		    {1.0, 0.3, 1, "  waits for  rank 7, 30.0 % of it\n"},
		    {0.001, 1.0, 1, NULL}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *row = json_pack("{s:{s:s}, s:f, s:f, s:f, s:i, s:{s:i, s:i, s:f}}",
					"callsite", "mpi", "MPI_Bcast", "share", 0.5, "wait_s",
					rows[k].wait_s, "moving_s", 1.0, "count", 1, "awaited",
					"ranks", rows[k].ranks, "rank", 7, "share", rows[k].share);
		char *text = rendered(80, put_table,
				      json_pack("{s:{s:[o]}}", "collectives", "operations", row));

		CU_ASSERT_EQUAL(strstr(text, "waits for") != NULL, rows[k].said != NULL);
		CU_ASSERT(!rows[k].said || strstr(text, rows[k].said));
		free(text);
	}
}

/* And what non-blocking ones may have waited for then, where that is worth it. */
static void test_says_who_computed_meanwhile(void)
{
	for (int worth = 0; worth < 2; worth++) {
		char *text = rendered(80, put_table,
				      json_pack("{s:{s:[{s:{s:s}, s:f, s:f, s:f, s:i}]}}",
						"collectives", "operations", "callsite", "mpi",
						"MPI_Ibarrier", "share", 0.5, "wait_s", 1.0,
						"unattended_s", worth ? 0.25 : 0.001, "count", 1));

		CU_ASSERT_EQUAL(strstr(text, "  perhaps for ranks  outside MPI, 250 ms\n") != NULL,
				worth);
		free(text);
	}
}

/* Of a job that hung it is not one rank that they wait for. */
static void test_says_how_many_never_came(void)
{
	static const struct {
		int ranks;
		double share;
		const char *said;
	} rows[] = {{3, 1.0, "  waits for  3 missing ranks\n"},
		    {1, 0.0, "  waits for  rank 7\n"},
		    {2, 0.1, "  waits for  rank 7\n"}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		char *text = rendered(80, put_table,
				      json_pack("{s:{s:[{s:{s:s}, s:f, s:f, s:i, s:{s:i, s:i, "
						"s:f}, s:{s:i, s:f}}]}}",
						"collectives", "operations", "callsite", "mpi",
						"MPI_Bcast", "share", 0.5, "wait_s", 1.0, "count",
						1, "awaited", "ranks", 1, "rank", 7, "share",
						1.0 - rows[k].share / 2, "missing", "ranks",
						rows[k].ranks, "share", rows[k].share));

		CU_ASSERT_PTR_NOT_NULL(strstr(text, rows[k].said));
		free(text);
	}
}

/* A collective's row, not predicted for that; NULL: predicted. */
static json_t *refused(const char *function, const char *why)
{
	return json_pack("{s:{s:s, s:s, s:i}, s:f, s:f, s:i, s:{s:f, s:s?}}", "callsite", "mpi",
			 function, "file", "a.c", "line", 9, "share", 0.1, "wait_s", 1.0, "count",
			 1, "idle", "s", why ? 0.0 : 1e-7, "why_not", why);
}

/* Which row the reason is of, each reason once. */
static void test_says_what_is_not_predicted(void)
{
	json_t *list = json_array();
	char *text;

	json_array_append_new(list, refused("MPI_Barrier", NULL));
	json_array_append_new(list, refused("MPI_Scan", "no formula"));
	json_array_append_new(list, refused("MPI_Barrier", "not all came"));
	json_array_append_new(list, refused("MPI_Exscan", "no formula"));
	text = rendered(80, put_table, json_pack("{s:{s:o}}", "collectives", "operations", list));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "  no \"x idle\" for MPI_Scan at a.c:9 and 1 more: no formula\n"
			     "  no \"x idle\" for MPI_Barrier at a.c:9: not all came\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "MPI_Exscan at"));
	free(text);
}

/* Who has far more of the bytes than others: of several, none, and always the same one. */
static void test_says_who_has_most_of_the_bytes(void)
{
	static const struct {
		int heaviest;
		double excess;
		const char *said;
	} rows[] = {{5, 0.2,
		     "one rank, another of 5 each time, gets 50.0 % of the bytes, 4.0 times"},
		    {1, 1.0, "rank 3 gets 40.0 % of the bytes, 3.2 times"},
		    {0, 0.0, NULL}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *row = json_pack("{s:{s:s}, s:f, s:f, s:f, s:i, s:i, "
					"s:{s:n, s:{s:f, s:i, s:f, s:f, s:i}}}",
					"callsite", "mpi", "MPI_Alltoallv", "share", 0.5, "wait_s",
					0.1, "moving_s", 1.0, "count", 1, "ranks", 8, "counts",
					"sent", "received", "heaviest_share", 0.5, "heaviest_ranks",
					rows[k].heaviest, "excess_share", rows[k].excess,
					"rank_share", 0.4, "rank", 3);
		char *text = rendered(200, put_table,
				      json_pack("{s:{s:[o]}}", "collectives", "operations", row));

		CU_ASSERT_EQUAL(strstr(text, "of the bytes") != NULL, rows[k].said != NULL);
		CU_ASSERT(!rows[k].said || strstr(text, rows[k].said));
		free(text);
	}
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_says_what_idle_rests_on),
		SUITE_CASE(test_says_who_is_awaited),
		SUITE_CASE(test_says_who_computed_meanwhile),
		SUITE_CASE(test_says_how_many_never_came),
		SUITE_CASE(test_says_what_is_not_predicted),
		SUITE_CASE(test_says_who_has_most_of_the_bytes),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_collectives", cases);
}
