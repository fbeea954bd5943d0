/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All ranges of a signature are drawn, where they hold, beside what was measured. */
#include "report/signature_page.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

static json_t *range(int from, int to, int n_low)
{
	return json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:i}", "from_bytes", from,
			 "to_bytes", to, "gamma", 2.0, "half_gamma", 0.1, "delta_s", 1e-5,
			 "half_delta_s", 1e-6, "M_bytes", from * 2, "M_above_bytes", from, "n_low",
			 n_low, "n_high", 8);
}

static json_t *time_of(int ranks, int bytes)
{
	return json_pack("{s:i, s:i, s:{s:f, s:f, s:f}}", "ranks", ranks, "bytes", bytes, "time",
			 "value", 1e-4, "low", 0.9e-4, "high", 1.2e-4);
}

/* The page's text of a signature of 8 ranks, also measured on 4; takes regimes. Caller: free. */
static char *page_of(json_t *regimes)
{
	json_t *s =
		json_pack("{s:s, s:i, s:f, s:f, s:o, s:[o, o, o]}", "algorithm", "MPI_Alltoall",
			  "ranks", 8, "alpha_s", 1e-6, "beta_s_per_byte", 1e-9, "regimes", regimes,
			  "times", time_of(8, 1024), time_of(8, 65536), time_of(4, 65536));
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	signature_page(s, out);
	fclose(out);
	json_decref(s);
	return text;
}

/* How often is it in the text? */
static int count(const char *text, const char *what)
{
	int n = 0;

	while ((text = strstr(text, what)) && text++)
		n++;
	return n;
}

static void test_all_ranges_are_drawn(void)
{
	char *text = page_of(json_pack("[o, o, o]", range(512, 65536, 8), range(512, 4096, 4),
				       range(8192, 65536, 8)));
	char *legend = strstr(text, "<p class=\"key\">");

	CU_ASSERT_PTR_NOT_NULL_FATAL(legend);
	CU_ASSERT_EQUAL(count(legend, "<tr>"), 4); /* a head, and that of all sizes last */
	CU_ASSERT_PTR_NOT_NULL(strstr(legend, "<td class=\"words\">512 B to 4.00 KiB</td>"
					      "<td>2 &plusmn; 0.1</td>"));
	/* Else a window of the usual width has no room for the last column. */
	CU_ASSERT_PTR_NOT_NULL(strstr(legend, "<td class=\"words\">1.00 KiB, above "));
	CU_ASSERT_PTR_NOT_NULL(strstr(legend, "<td>4 to 8 ranks</td>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(legend, "predicted for fewer ranks"));
	*legend = '\0';
	CU_ASSERT_EQUAL(count(text, "<circle "), 3);
	CU_ASSERT_EQUAL(count(text, "stroke-width=\"1.5\"/>"), 2); /* as fitted */
	CU_ASSERT_EQUAL(count(text, "stroke-dasharray"), 3); /* on 4 ranks, all sizes, the bound */
	free(text);
}

/* Only sizes that were measured are on the axis, and all of the bound is on the scale. */
static void test_the_bound_is_on_the_scale(void)
{
	char *text = page_of(json_array()), *bound = strstr(text, "<path d=\"M");

	CU_ASSERT_PTR_NULL(strstr(text, ">0</text>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ">1.00 KiB</text>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ">10.0 us</text>"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(bound);
	CU_ASSERT_EQUAL(strncmp(bound, "<path d=\"M90.0 ", 15), 0);
	free(text);
}

static void test_one_range_is_of_all_sizes(void)
{
	char *text = page_of(json_pack("[o]", range(512, 65536, 8)));
	char *legend = strstr(text, "<p class=\"key\">");

	CU_ASSERT_PTR_NULL(strstr(legend, "all sizes"));
	CU_ASSERT_PTR_NULL(strstr(legend, "predicted"));
	*legend = '\0';
	CU_ASSERT_EQUAL(count(text, "stroke-width=\"1.5\"/>"), 1);
	CU_ASSERT_EQUAL(count(text, "stroke-dasharray"), 1);
	free(text);
}

static void test_no_signature_is_no_line(void)
{
	char *text = page_of(json_array()), *legend = strstr(text, "<p class=\"key\">");

	CU_ASSERT_PTR_NULL(strstr(legend, "<table"));
	*legend = '\0';
	CU_ASSERT_EQUAL(count(text, "stroke-width=\"1.5\"/>"), 0);
	CU_ASSERT_EQUAL(count(text, "<circle "), 3);
	free(text);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_all_ranges_are_drawn),
	SUITE_CASE(test_the_bound_is_on_the_scale),
	SUITE_CASE(test_one_range_is_of_all_sizes),
	SUITE_CASE(test_no_signature_is_no_line),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("signature_page", tests);
}
