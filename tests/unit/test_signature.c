/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/signature.h"
#include "tests/fixtures/suite.h"

#include <math.h>

/* Steffenel 2006, section 8.2: Gigabit Ethernet, with a link of 50 us and 8.5 ns a byte. */
static const struct signature gigabit = {{50e-6, 8.5e-9}, 4.3628, 4.93e-3, 8192};
static struct err err;

static double time_of(double n, double bytes)
{
	double t = -1;

	CU_ASSERT_EQUAL(signature_time(&gigabit, n, bytes, &t, &err), 0);
	return t;
}

static void test_signature_pays_delta_for_each_communication_from_M_on(void)
{
	CU_ASSERT_DOUBLE_EQUAL(time_of(40, 8191), 39 * (50e-6 + 8191 * 8.5e-9) * 4.3628, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(time_of(40, 8192), 39 * ((50e-6 + 8192 * 8.5e-9) * 4.3628 + 4.93e-3),
			       1e-12);
	CU_ASSERT_DOUBLE_EQUAL(time_of(40, 65536), 0.295560, 1e-6);
}

static void test_signature_grows(void)
{
	for (double n = 2; n < 100; n += 7)
		for (double m = 1; m < 1e7; m *= 3) {
			CU_ASSERT(time_of(n + 1, m) > time_of(n, m));
			CU_ASSERT(time_of(n, m * 2) > time_of(n, m));
		}
}

static void test_signature_refuses_what_it_cannot_take(void)
{
	const struct signature bad[] = {{{-1, 1}, 1, 0, 0},  {{1, -1}, 1, 0, 0},
					{{1, 1}, 0, 0, 0},   {{1, 1}, 1, -1, 0},
					{{1, 1}, 1, 0, -1},  {{1, 1}, NAN, 0, 0},
					{{1, 1}, 1, NAN, 0}, {{NAN, 1}, 1, 0, 0}};
	double t = 42;

	for (int i = 0; i < 8; i++)
		CU_ASSERT_EQUAL(signature_time(&bad[i], 2, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(signature_time(&gigabit, 1, 1, &t, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "n is 1, must be at least 2");
	CU_ASSERT_EQUAL(signature_time(&gigabit, 2.5, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(signature_time(&gigabit, 2, -1, &t, &err), -1);
	CU_ASSERT_EQUAL(signature_time(&gigabit, NAN, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(t, 42);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_signature_pays_delta_for_each_communication_from_M_on),
		SUITE_CASE(test_signature_grows),
		SUITE_CASE(test_signature_refuses_what_it_cannot_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("signature", tests);
}
