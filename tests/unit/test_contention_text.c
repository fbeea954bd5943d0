/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the summary of a machine's contention says, and of what it could not tell. */
#include "report/contention_text.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

/* The text of a machine file with this contention, which is given back. Caller: free. */
static char *text_from(json_t *contention)
{
	json_t *machine = json_pack("{s:o}", "contention", contention);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(machine);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	contention_text(machine, out);
	fclose(out);
	json_decref(machine);
	return text;
}

/* With these names of what is not identified; takes why. */
static char *text_of(json_t *why)
{
	return text_from(json_pack("{s:{s:i, s:{s:f}}, s:{s:s, s:i, s:[{s:i, s:f}]}, s:o}", "rates",
				   "bytes", 8192, "max_rate", "R_N", 1e9, "signature", "algorithm",
				   "MPI_Alltoall", "ranks", 4, "regimes", "to_bytes", 4096, "gamma",
				   1.5, "why_unidentified", why));
}

static void test_what_is_not_identified_is_named(void)
{
	char *text =
		text_of(json_pack("{s:s, s:s}", "R_i", "it is set to 0", "delta(512 B to 4 KiB)",
				  "the best one is below 0, so that it is set to 0 and gamma "
				  "is fitted alone"));
	char *line, *rest;

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  not identified:\n      R_i: it is set to 0\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "      delta(512 B to 4 KiB): the best one is below 0,"));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		CU_ASSERT(strlen(line) <= 80);
	free(text);
}

/*
 * A slope with a standard error, and one without; M that may be less, on a line that is not long.
 */
static void test_errors_that_there_are_none_of(void)
{
	char *text =
		text_from(json_pack("{s:{s:f, s:f, s:b}, s:{s:f, s:n, s:b}, s:{s:s, s:i, s:[{s:f, "
				    "s:f, s:f, s:i, s:i}]}}",
				    "fan_in", "slope_s", 12e-6, "slope_se_s", 1e-6, "identifiable",
				    1, "fan_out", "slope_s", 12e-6, "slope_se_s", "identifiable", 0,
				    "signature", "algorithm", "MPI_Alltoall", "ranks", 4, "regimes",
				    "gamma", 1.5, "delta_s", 123e-6, "half_delta_s", 123e-6,
				    "M_bytes", 512, "M_high_bytes", 131072));
	char *line, *rest;

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n    (+- 1.00 us)\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n    (no standard error), not identified\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "\n      from 512 B (or from any size up to 128 KiB)\n"));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		CU_ASSERT(strlen(line) <= 80);
	free(text);
}

/* M is the least size that was measured, and delta may be paid below it as well. */
static void test_M_that_is_a_bound(void)
{
	char *text = text_from(json_pack("{s:{s:s, s:i, s:[{s:f, s:f, s:f, s:i, s:i}]}}",
					 "signature", "algorithm", "MPI_Alltoall", "ranks", 4,
					 "regimes", "gamma", 1.5, "delta_s", 123e-6, "half_delta_s",
					 1e-6, "M_bytes", 49152, "M_high_bytes", 49152));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n      from 48.0 KiB or less\n"));
	free(text);
}

static void test_nothing_is_named_of_what_is_told(void)
{
	char *text = text_of(json_object());

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "gamma 1.5"));
	CU_ASSERT_PTR_NULL(strstr(text, "not identified"));
	free(text);
}

static void test_it_is_said_for_how_many_ranks_a_signature_holds(void)
{
	static const struct {
		double low;
		int fails_below;
		const char *text;
	} cases[] = {{4, 0, "holds for 4 to 8 ranks, within 10 % at each size\n"},
		     {8, 1, "more than 10 % off, at some size, for fewer than 8 ranks\n"},
		     {8, 0, "for 8 ranks; no fewer were measured\n"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = text_from(
			json_pack("{s:{s:s, s:i, s:[{s:i, s:i, s:f, s:f, s:f, s:b}]}}", "signature",
				  "algorithm", "MPI_Alltoall", "ranks", 8, "regimes", "from_bytes",
				  512, "to_bytes", 4096, "gamma", 1.5, "n_low", cases[i].low,
				  "n_high", 8.0, "fails_below", cases[i].fails_below));

		CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].text));
		free(text);
	}
}

/* Ranks that wait for cores show no limit of a network. */
static void test_crowded_rates_claim_no_limit(void)
{
	int crowded;

	for (crowded = 0; crowded < 2; crowded++) {
		char *text = text_from(json_pack("{s:{s:i, s:b, s:{s:f, s:b}}}", "rates", "bytes",
						 8192, "crowded", crowded, "max_rate", "R_N", 1.5e9,
						 "saturates", 1));

		CU_ASSERT_EQUAL(strstr(text, "do not get more than 1.50 GB/s") != NULL, !crowded);
		CU_ASSERT_EQUAL(strstr(text, "more ranks than cores") != NULL, crowded);
		free(text);
	}
}

/* A rate that is not known is none of 0 B/s. */
static void test_a_rate_that_is_not_known(void)
{
	char *text = text_from(json_pack("{s:{s:i, s:[{s:i, s:{s:f}}, {s:i, s:{s:f}}]}}", "rates",
					 "bytes", 8192, "steps", "pairs", 1, "bytes_per_s", "value",
					 1.5e9, "pairs", 2, "bytes_per_s", "value", 0.));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "1: 1.50 GB/s   2: not told\n"));
	free(text);
}

static void test_ranges_come_before_all_sizes(void)
{
	char *text = text_from(json_pack(
		"{s:{s:s, s:i, s:[{s:i, s:i, s:f}, {s:i, s:i, s:f, s:f, s:f, s:i, s:i, s:i}]}}",
		"signature", "algorithm", "MPI_Alltoall", "ranks", 8, "regimes", "from_bytes", 1,
		"to_bytes", 65536, "gamma", 9.5, "from_bytes", 512, "to_bytes", 4096, "gamma", 1.5,
		"delta_s", 12.3e-6, "half_delta_s", 1.5e-6, "M_bytes", 1024, "M_low_bytes", 512,
		"M_high_bytes", 2048));
	const char *range = strstr(text, "    512 B to 4.00 KiB: gamma 1.5");
	const char *all = strstr(text, "    all sizes, 1 B to 64.0 KiB: gamma 9.5");

	CU_ASSERT_PTR_NOT_NULL(range);
	CU_ASSERT_PTR_NOT_NULL(all);
	CU_ASSERT(range < all);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "delta 12.3 us (+- 1.50 us)\n      from 1.00 KiB (above 512 B, "
			     "at most 2.00 KiB)\n"));
	free(text);
	text = text_of(json_object()); /* one signature is not told from others */
	CU_ASSERT_PTR_NULL(strstr(text, "all sizes"));
	free(text);
}

static void test_reasons_for_what_is_missing(void)
{
	char *text = text_from(json_pack("{s:n, s:s}", "rates", "rates_why_not", "one pair"));
	json_t *machine = json_pack("{s:s}", "contention_why_not", "nobody asked");
	size_t size;
	FILE *out;

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  no rate of a node: one pair\n"));
	free(text);
	out = open_memstream(&text, &size);
	contention_text(machine, out);
	fclose(out);
	CU_ASSERT_STRING_EQUAL(text, "\nCONTENTION   not measured: nobody asked\n");
	free(text);
	json_decref(machine);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_a_rate_that_is_not_known),
	SUITE_CASE(test_ranges_come_before_all_sizes),
	SUITE_CASE(test_reasons_for_what_is_missing),
	SUITE_CASE(test_what_is_not_identified_is_named),
	SUITE_CASE(test_errors_that_there_are_none_of),
	SUITE_CASE(test_crowded_rates_claim_no_limit),
	SUITE_CASE(test_M_that_is_a_bound),
	SUITE_CASE(test_nothing_is_named_of_what_is_told),
	SUITE_CASE(test_it_is_said_for_how_many_ranks_a_signature_holds),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("contention_text", tests);
}
