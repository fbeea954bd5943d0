/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/rendered.h"

/* What a model says of this quantity of phase 1, as text; caller frees. */
static char *opinion_of(const char *quantity)
{
	return rendered(300, text_models,
			json_pack("{s:[{s:s, s:i, s:b, s:{s:f}, s:{s:f}}]}", "models", "name", "M",
				  "phase", 1, "valid", 1, "predicted", quantity, 1e-6, "measured",
				  quantity, 3e-6));
}

/* A message's time is not that of WHERE TIME GOES, and says so; a cycle's is all of it. */
static void test_says_what_a_messages_time_leaves_out(void)
{
	static const char note[] = "leaves out \"late partner\" and \"arrived, not yet";
	char *message = opinion_of("message_s"), *cycle = opinion_of("R_s");

	CU_ASSERT_PTR_NOT_NULL(strstr(message, "a message takes 3.00 us, by the model 1.00 us"));
	CU_ASSERT_PTR_NOT_NULL(strstr(message, note));
	CU_ASSERT_PTR_NOT_NULL(strstr(cycle, "a cycle of work, request and reply takes 3.00 us"));
	CU_ASSERT_PTR_NULL(strstr(cycle, note));
	free(message);
	free(cycle);
}

/* What LogGP says of messages of 9 ms, 6 of them left out, as text; caller frees. */
static char *loggp_of(double predicted_s, double slowdown, json_t *idle_too_slow)
{
	return rendered(300, text_models,
			json_pack("{s:[{s:s, s:i, s:b, s:{s:f}, s:{s:f, s:f, s:f, s:o*}}]}",
				  "models", "name", "LogGP", "phase", 1, "valid", 1, "predicted",
				  "message_s", predicted_s, "measured", "message_s", 9e-3,
				  "left_out_s", 6e-3, "slowdown", slowdown, "idle_too_slow",
				  idle_too_slow));
}

static void test_says_what_an_idle_machine_is_compared_with(void)
{
	char *slow = loggp_of(2e-3, 1.5, NULL);
	char *short_of = loggp_of(20e-3, 0.45, json_integer(1));

	CU_ASSERT_PTR_NOT_NULL(strstr(slow, "a message takes 3.00 ms, without inattention and what "
					    "is not identifiable (6.00 ms), by the model 2.00 ms: "
					    "1.50 times"));
	CU_ASSERT_PTR_NOT_NULL(strstr(short_of,
				      "a message takes 9.00 ms, but would take 20.0 ms by "
				      "the estimate of an idle machine: the estimate is "
				      "too slow"));
	CU_ASSERT_PTR_NULL(strstr(short_of, "times"));
	free(slow);
	free(short_of);
}

/* Of messages of 2 us by the model, as text; caller frees. */
static char *not_compared(const char *machine)
{
	return rendered(300, text_models,
			json_pack("{s:{s:s}, s:[{s:s, s:i, s:b, s:s, s:{s:f}, s:{s:f}}]}",
				  "machine", "source", machine, "models", "name", "LogGP", "phase",
				  2, "valid", 1, "not_compared", "clocks differ", "predicted",
				  "message_s", 2e-6, "measured", "message_s", 9e-3));
}

/* A known machine's prediction that nothing stands beside is said, and why. */
static void test_says_why_nothing_is_compared(void)
{
	char *text = not_compared("file"), *estimated = not_compared("self-calibrated");

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "LogGP      phase 2: a message takes 2.00 us by the "
					    "model; not compared: clocks differ\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "9.00 ms"));
	CU_ASSERT_PTR_NULL(strstr(text, "leaves out"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(estimated, "LogGP      phase 2: not compared: clocks differ\n"));
	CU_ASSERT_PTR_NULL(strstr(estimated, " us"));
	free(estimated);
	free(text);
}

/* What a sweep takes and would with another number of blocks; beside a long name there is room. */
static void test_says_how_many_blocks_are_best(void)
{
	char *text =
		rendered(300, text_models,
			 json_pack("{s:[{s:s, s:i, s:b, s:{s:f}, s:{s:f, s:f, s:f}, s:{s:f}}]}",
				   "models", "name", "Diamond DAG", "phase", 1, "valid", 1,
				   "inputs", "b", 8.0, "predicted", "makespan_s", 5e-3, "b_best",
				   61.0, "makespan_best_s", 3e-3, "measured", "makespan_s", 6e-3));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Diamond DAG  phase 1: a sweep over all its ranks "
					    "takes 6.00 ms, by the model 5.00 ms: 1.20 times; it "
					    "has 8 blocks; with 61, by the model, 3.00 ms\n"));
	free(text);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_says_what_a_messages_time_leaves_out),
		SUITE_CASE(test_says_what_an_idle_machine_is_compared_with),
		SUITE_CASE(test_says_why_nothing_is_compared),
		SUITE_CASE(test_says_how_many_blocks_are_best),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_models", cases);
}
