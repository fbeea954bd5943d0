/* SPDX-License-Identifier: GPL-3.0-or-later */
/* K(m) as machine files have it. */
#include "analyze/machine/machine_credit.h"

#include "analyze/machine/machine.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>

#include <jansson.h>

static struct machine_class class_of(const char *text)
{
	struct machine_class c = {0};
	json_t *class = json_loads(text, 0, NULL);
	struct err err;

	CU_ASSERT_PTR_NOT_NULL_FATAL(class);
	CU_ASSERT_EQUAL_FATAL(machine_credits_take(class, "toy", &c, &err), 0);
	json_decref(class);
	return c;
}

static int is_at(const struct machine_class *c, uint64_t bytes, uint32_t least, uint32_t most)
{
	struct machine_credit k = machine_credit_at(c, bytes);

	return k.least == least && k.most == most;
}

/* A depth, from one to another, and at least. */
static void test_machine_credit_is_what_the_file_says(void)
{
	struct machine_class c = class_of("{\"there\": {\"credits\": ["
					  "{\"bytes\": 0, \"messages\": 127, \"at_least\": true, "
					  "\"least\": null, \"most\": 127},"
					  "{\"bytes\": 64, \"messages\": null, \"at_least\": "
					  "false, \"least\": 33, \"most\": 64},"
					  "{\"bytes\": 4096, \"messages\": 1, \"at_least\": false, "
					  "\"least\": 1, \"most\": 1}]}}");

	CU_ASSERT(is_at(&c, 0, 127, CREDIT_UNKNOWN));
	CU_ASSERT(is_at(&c, 64, 33, 64));
	CU_ASSERT(is_at(&c, 4096, 1, 1));
	free(c.credits);
}

/* Larger ones have no more room; above the largest nothing is sure to fit. */
static void test_machine_credit_between_sizes_and_beyond(void)
{
	struct machine_class c = class_of("{\"there\": {\"credits\": ["
					  "{\"bytes\": 64, \"messages\": null, \"at_least\": "
					  "false, \"least\": 33, \"most\": 64},"
					  "{\"bytes\": 4096, \"messages\": 8, \"at_least\": false, "
					  "\"least\": 8, \"most\": 8}]}}");

	CU_ASSERT(is_at(&c, 8, 33, CREDIT_UNKNOWN));
	CU_ASSERT(is_at(&c, 1000, 8, 64));
	CU_ASSERT(is_at(&c, 5000, 0, 8));
	free(c.credits);
}

/* The two ways of a pair: what both say. */
static void test_machine_credit_of_both_ways(void)
{
	struct machine_class c =
		class_of("{\"there\": {\"credits\": ["
			 "{\"bytes\": 64, \"messages\": 42, \"at_least\": false}]}, \"back\": "
			 "{\"credits\": ["
			 "{\"bytes\": 64, \"messages\": 43, \"at_least\": false}]}}");
	struct machine_class none = class_of("{\"there\": {}}");

	CU_ASSERT(is_at(&c, 64, 42, 43));
	CU_ASSERT(is_at(&none, 64, 0, CREDIT_UNKNOWN));
	free(c.credits);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_credit_is_what_the_file_says),
		SUITE_CASE(test_machine_credit_between_sizes_and_beyond),
		SUITE_CASE(test_machine_credit_of_both_ways),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine_credit", tests);
}
