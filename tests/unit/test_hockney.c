/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/hockney.h"
#include "tests/fixtures/suite.h"

#include <math.h>

static const struct hockney link = {50e-6, 8.5e-9};

static double time_of(enum hockney_form form, double bytes)
{
	struct err err;
	double t = -1;

	CU_ASSERT_EQUAL(hockney_time(link, form, bytes, &t, &err), 0);
	return t;
}

static void test_hockney_time_of_each_form(void)
{
	CU_ASSERT_DOUBLE_EQUAL(time_of(HOCKNEY_AFFINE, 1e6), 8.55e-3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(time_of(HOCKNEY_LINEAR, 1e6), 8.5e-3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(time_of(HOCKNEY_FIXED, 1e6), 50e-6, 0);
	CU_ASSERT_DOUBLE_EQUAL(time_of(HOCKNEY_AFFINE, 0), 50e-6, 0);
}

static void test_hockney_half_size_has_half_of_the_bandwidth(void)
{
	struct err err;
	double half = 0;

	CU_ASSERT_EQUAL(hockney_half_size(link, &half, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(half / time_of(HOCKNEY_AFFINE, half), 0.5 / 8.5e-9, 1);
}

static void test_hockney_refuses_what_it_cannot_take(void)
{
	const struct hockney bad[] = {{-1, 1}, {1, -1}, {NAN, 1}, {1, INFINITY}};
	struct err err;
	double t = 42;

	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(hockney_time(bad[i], HOCKNEY_AFFINE, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(hockney_time(link, HOCKNEY_AFFINE, -8, &t, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "m is -8, must not be negative");
	CU_ASSERT_EQUAL(hockney_time(link, HOCKNEY_AFFINE, NAN, &t, &err), -1);
	CU_ASSERT_EQUAL(hockney_half_size((struct hockney){1, 0}, &t, &err), -1);
	CU_ASSERT_EQUAL(t, 42);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_hockney_time_of_each_form),
		SUITE_CASE(test_hockney_half_size_has_half_of_the_bandwidth),
		SUITE_CASE(test_hockney_refuses_what_it_cannot_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("hockney", tests);
}
