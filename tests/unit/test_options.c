/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/options.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

static struct err err;

static void test_options_text_prefers_environment_to_default(void)
{
	unsetenv("CONTEND_DEPTH");
	CU_ASSERT_STRING_EQUAL(option_text(OPTION_DEPTH), "16");
	setenv("CONTEND_DEPTH", "", 1);
	CU_ASSERT_STRING_EQUAL(option_text(OPTION_DEPTH), "16");
	setenv("CONTEND_DEPTH", "3", 1);
	CU_ASSERT_STRING_EQUAL(option_text(OPTION_DEPTH), "3");
	unsetenv("CONTEND_OUTPUT");
	CU_ASSERT_PTR_NULL(option_text(OPTION_OUTPUT));
}

static void test_options_origin_tells_flag_from_environment(void)
{
	unsetenv("CONTEND_ORIGINS");
	unsetenv("CONTEND_DEPTH");
	setenv("CONTEND_MPI", "mpich", 1);
	CU_ASSERT_EQUAL(option_origin(OPTION_DEPTH), ORIGIN_DEFAULT);
	CU_ASSERT_EQUAL(option_origin(OPTION_MPI), ORIGIN_ENVIRONMENT);
	CU_ASSERT_EQUAL(option_set(OPTION_DEPTH, "4", &err), 0);
	CU_ASSERT_EQUAL(option_set(OPTION_MPI, "openmpi", &err), 0);
	CU_ASSERT_EQUAL(option_set(OPTION_MPI, "openmpi", &err), 0);
	CU_ASSERT_EQUAL(option_origin(OPTION_DEPTH), ORIGIN_FLAG);
	CU_ASSERT_EQUAL(option_origin(OPTION_MPI), ORIGIN_FLAG);
	CU_ASSERT_STRING_EQUAL(getenv("CONTEND_ORIGINS"), "depth,mpi");
	CU_ASSERT_STRING_EQUAL(option_origin_name(ORIGIN_FLAG), "flag");
}

static void test_options_switch_words(void)
{
	static const char *const off[] = {"", "0", "no", "OFF", "never"};
	size_t i;

	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		setenv("CONTEND_DISABLE", off[i], 1);
		CU_ASSERT_EQUAL(option_is_on(OPTION_DISABLE), 0);
	}
	setenv("CONTEND_DISABLE", "1", 1);
	CU_ASSERT_EQUAL(option_is_on(OPTION_DISABLE), 1);
	setenv("CONTEND_DISABLE", "yes", 1);
	CU_ASSERT_EQUAL(option_is_on(OPTION_DISABLE), 1);
	unsetenv("CONTEND_DISABLE");
	CU_ASSERT_EQUAL(option_is_on(OPTION_DISABLE), 0);
}

static void test_options_number_names_what_the_user_wrote(void)
{
	long n = 7;

	unsetenv("CONTEND_ORIGINS");
	setenv("CONTEND_DEPTH", "12", 1);
	CU_ASSERT_EQUAL(option_number(OPTION_DEPTH, 0, 64, &n, &err), 0);
	CU_ASSERT_EQUAL(n, 12);
	setenv("CONTEND_DEPTH", "12x", 1);
	CU_ASSERT_EQUAL(option_number(OPTION_DEPTH, 0, 64, &n, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "CONTEND_DEPTH=12x: expected a whole number from 0 to 64");
	CU_ASSERT_EQUAL(option_set(OPTION_DEPTH, "65", &err), 0);
	CU_ASSERT_EQUAL(option_number(OPTION_DEPTH, 0, 64, &n, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "--depth=65: expected a whole number from 0 to 64");
	CU_ASSERT_EQUAL(n, 12);
	unsetenv("CONTEND_WIDTH");
	CU_ASSERT_EQUAL(option_number(OPTION_WIDTH, 40, 400, &n, &err), 0);
	CU_ASSERT_EQUAL(n, 12);
}

static int bytes_of(const char *text, uint64_t *out)
{
	setenv("CONTEND_OUTPUT", text, 1);
	return option_bytes(OPTION_OUTPUT, out, &err);
}

static void test_options_bytes_units(void)
{
	uint64_t n = 1;

	CU_ASSERT_EQUAL(bytes_of("4096", &n), 0);
	CU_ASSERT_EQUAL(n, 4096);
	CU_ASSERT_EQUAL(bytes_of("64k", &n), 0);
	CU_ASSERT_EQUAL(n, 65536);
	CU_ASSERT_EQUAL(bytes_of("1.5M", &n), 0);
	CU_ASSERT_EQUAL(n, 1572864);
	CU_ASSERT_EQUAL(bytes_of("-1", &n), -1);
	CU_ASSERT_EQUAL(bytes_of("3q", &n), -1);
	CU_ASSERT_EQUAL(bytes_of("3kk", &n), -1);
	CU_ASSERT_EQUAL(bytes_of("nan", &n), -1);
	CU_ASSERT_EQUAL(n, 1572864);
	unsetenv("CONTEND_OUTPUT");
}

static void test_options_words_and_percent(void)
{
	static const char *const words[] = {"always", "never", "auto"};
	double percent = 0.0;
	size_t i = 9;

	setenv("CONTEND_COLOUR", "Never", 1);
	CU_ASSERT_EQUAL(option_word(OPTION_COLOUR, 3, words, &i, &err), 0);
	CU_ASSERT_EQUAL(i, 1);
	setenv("CONTEND_COLOUR", "blue", 1);
	CU_ASSERT_EQUAL(option_word(OPTION_COLOUR, 3, words, &i, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "CONTEND_COLOUR=blue: expected always, never or auto");
	setenv("CONTEND_NOISE", "7.5%", 1);
	CU_ASSERT_EQUAL(option_percent(OPTION_NOISE, &percent, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(percent, 7.5, 1e-12);
	setenv("CONTEND_NOISE", "-1", 1);
	CU_ASSERT_EQUAL(option_percent(OPTION_NOISE, &percent, &err), -1);
}

static void test_options_job_rank_of_any_launcher(void)
{
	unsetenv("OMPI_COMM_WORLD_RANK");
	unsetenv("PMIX_RANK");
	unsetenv("PMI_RANK");
	unsetenv("SLURM_PROCID");
	CU_ASSERT_EQUAL(option_job_rank(), -1);
	setenv("PMI_RANK", "3", 1);
	CU_ASSERT_EQUAL(option_job_rank(), 3);
	setenv("OMPI_COMM_WORLD_RANK", "0", 1);
	CU_ASSERT_EQUAL(option_job_rank(), 0);
}

static void test_options_rows_are_unique(void)
{
	int i;
	int j;

	for (i = 0; i < OPTION_COUNT; i++)
		for (j = 0; j < i; j++) {
			CU_ASSERT_STRING_NOT_EQUAL(option_rows[i].variable,
						   option_rows[j].variable);
			if (!(option_rows[i].verbs & option_rows[j].verbs))
				continue; /* no verb has both */
			CU_ASSERT_STRING_NOT_EQUAL(option_rows[i].flag, option_rows[j].flag);
			CU_ASSERT(!option_rows[i].key || option_rows[i].key != option_rows[j].key);
		}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_options_text_prefers_environment_to_default),
	SUITE_CASE(test_options_origin_tells_flag_from_environment),
	SUITE_CASE(test_options_switch_words),
	SUITE_CASE(test_options_number_names_what_the_user_wrote),
	SUITE_CASE(test_options_bytes_units),
	SUITE_CASE(test_options_words_and_percent),
	SUITE_CASE(test_options_job_rank_of_any_launcher),
	SUITE_CASE(test_options_rows_are_unique),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("options", tests);
}
