/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/rendered.h"

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
	static const char note[] = "leaves out late partner and arrived, not yet collected";
	char *message = opinion_of("message_s"), *cycle = opinion_of("R_s");

	CU_ASSERT_PTR_NOT_NULL(strstr(message, "a message takes 3.00 us, by the model 1.00 us"));
	CU_ASSERT_PTR_NOT_NULL(strstr(message, note));
	CU_ASSERT_PTR_NOT_NULL(strstr(cycle, "a cycle of work, request and reply takes 3.00 us"));
	CU_ASSERT_PTR_NULL(strstr(cycle, note));
	free(message);
	free(cycle);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_says_what_a_messages_time_leaves_out),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_models", cases);
}
