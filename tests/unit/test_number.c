/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number.h"

#include "tests/fixtures/suite.h"

static void test_number_as_people_read_it(void)
{
	CU_ASSERT_STRING_EQUAL(number_seconds(12.4).text, "12.4 s");
	CU_ASSERT_STRING_EQUAL(number_seconds(0.99999).text, "1.00 s");
	CU_ASSERT_STRING_EQUAL(number_seconds(4e-7).text, "400 ns");
	CU_ASSERT_STRING_EQUAL(number_seconds(-0.0032).text, "-3.20 ms");
	CU_ASSERT_STRING_EQUAL(number_seconds(123456.0).text, "123456 s");
	CU_ASSERT_STRING_EQUAL(number_share(0.0001).text, "<0.1 %");
	CU_ASSERT_STRING_EQUAL(number_share(-0.0001).text, "0.0 %");
	CU_ASSERT_STRING_EQUAL(number_share(-0.0006).text, "-0.1 %");
	CU_ASSERT_STRING_EQUAL(number_bounds(-0.02, -0.0001).text, "-2.0 to 0.0");
	CU_ASSERT_STRING_EQUAL(number_bounds(0.05, 0.05001).text, "");
	CU_ASSERT_STRING_EQUAL(number_bounds(-0.475, -0.188).text, "-47.5 to -18.8");
	CU_ASSERT_STRING_EQUAL(number_count(99999).text, "100 k");
	CU_ASSERT_STRING_EQUAL(number_bytes(1023.0).text, "1023 B");
	CU_ASSERT_STRING_EQUAL(number_bytes(4096.0).text, "4.00 KiB");
	CU_ASSERT_STRING_EQUAL(number_room(61e9).text, "61.0 GB");
	CU_ASSERT_STRING_EQUAL(number_room(999.6e6).text, "1.00 GB");
	CU_ASSERT_STRING_EQUAL(number_room(999.4e6).text, "999 MB");
	CU_ASSERT_STRING_EQUAL(number_room(4.19e6).text, "4.19 MB");
	CU_ASSERT_STRING_EQUAL(number_room(4321).text, "4.32 kB");
	CU_ASSERT_STRING_EQUAL(number_room(999.4).text, "999 B");
	CU_ASSERT_STRING_EQUAL(number_room(0).text, "0 B");
	CU_ASSERT_STRING_EQUAL(number_rate(1.35e9).text, "1.35 GB/s");
	CU_ASSERT_STRING_EQUAL(number_rate(482.4e6).text, "482 MB/s");
	CU_ASSERT_STRING_EQUAL(number_rate(80e3).text, "80.0 kB/s");
	CU_ASSERT_STRING_EQUAL(number_rate(4.2).text, "4 B/s");
	CU_ASSERT_STRING_EQUAL(number_change(-0.121).text, "-12 %");
	CU_ASSERT_STRING_EQUAL(number_change(-0.0004).text, "<0.1 %");
	CU_ASSERT_STRING_EQUAL(number_change(0.0).text, "0 %");
	CU_ASSERT_STRING_EQUAL(number_change(-0.0006).text, "-0.1 %");
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_number_as_people_read_it),
		CU_TEST_INFO_NULL,
	};

	return suite_run("number", cases);
}
