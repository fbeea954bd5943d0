/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every unit test's main() is. */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <CUnit/Basic.h>

/* A case of a module; its function says what it shows. */
// clang-format off
#define SUITE_CASE(function) {#function, function}
// clang-format on

/*
 * Run a module's cases, which end with CU_TEST_INFO_NULL, between before() and after(), which
 * return 0; either may be NULL. Returns the exit status.
 */
static inline int suite_run_between(const char *module, CU_InitializeFunc before,
				    CU_CleanupFunc after, CU_TestInfo *tests)
{
	CU_SuiteInfo suites[] = {{module, before, after, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
	unsigned failures;

	if (CU_initialize_registry() || CU_register_suites(suites))
		return 1;
	CU_basic_run_tests();
	failures = CU_get_number_of_failures();
	CU_cleanup_registry();
	return failures > 0;
}

static inline int suite_run(const char *module, CU_TestInfo *tests)
{
	return suite_run_between(module, NULL, NULL, tests);
}

#endif
