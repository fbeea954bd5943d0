/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/demangle.h"

#include "tests/fixtures/suite.h"

#include <dlfcn.h>
#include <stdlib.h>

static void check(const char *name, const char *expected)
{
	char *text = demangle(name);

	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
}

static void test_demangle_leaves_other_names(void)
{
	check("exchange", "exchange");
	check("", "");
	check("_Z", "_Z");
	check("_Znonsense", "_Znonsense");
	check("__MOD_", "__MOD_");
	check("__m_MOD_", "__m_MOD_");
	check("m_MOD_p", "m_MOD_p");
}

static void test_demangle_knows_modules_of_fortran(void)
{
	check("__work_m_MOD_worker", "work_m::worker");
}

static void test_demangle_cuts_parameters(void)
{
	if (!dlopen("libstdc++.so.6", RTLD_LAZY))
		return;
	check("_ZN9LAMMPS_NS9CommBrick12forward_commEi", "LAMMPS_NS::CommBrick::forward_comm");
	check("_Z3addiPFivE", "add");
	check("_ZN1AclEi", "A::operator()");
	check("_ZN1A3runEv", "A::run");
	check("_ZN3gmx12_GLOBAL__N_11fEi", "gmx::(anonymous namespace)::f");
	check("_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f");
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_demangle_leaves_other_names),
		SUITE_CASE(test_demangle_knows_modules_of_fortran),
		SUITE_CASE(test_demangle_cuts_parameters),
		CU_TEST_INFO_NULL,
	};

	return suite_run("demangle", tests);
}
