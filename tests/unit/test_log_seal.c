/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interpose/log/log_seal.h"

#include "tests/fixtures/suite.h"

/* When its process ended is believed as it was noted, in this log, and not with a byte changed. */
static void test_log_seal_of_the_end(void)
{
	struct log_header h = {.rank = 3, .end = LOG_KILLED, .end_at = {5000, 7000}}, other;
	const size_t from = offsetof(struct log_header, end_at);
	size_t i;

	h.seal = log_seal_header(&h);
	CU_ASSERT_PTR_NULL(log_sealed_end(&h)); /* it was ended before it had sealed that */
	h.end_seal = log_seal_end(&h);
	CU_ASSERT_PTR_EQUAL(log_sealed_end(&h), &h.end_at);
	for (i = 0; i < sizeof(h.end_at) + sizeof(h.end_seal); i++) {
		other = h;
		((unsigned char *)&other)[from + i] ^= (unsigned char)(1u << i % 8);
		CU_ASSERT_PTR_NULL(log_sealed_end(&other));
	}
	other = h;
	other.end = LOG_LEFT;
	CU_ASSERT_PTR_NULL(log_sealed_end(&other));
	other = h;
	other.rank = 4;
	other.seal = log_seal_header(&other);
	CU_ASSERT_PTR_NULL(log_sealed_end(&other));
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_log_seal_of_the_end),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("log_seal", tests);
}
