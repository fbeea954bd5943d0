/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which ranks communicate with which when many do at once. */
#include "calibrate/partners.h"

#include "tests/fixtures/suite.h"

enum { MOST = 9 };

/* A rank on each of the hosts, one letter a host. Returns how many. */
static int places_of(const char *hosts, struct place places[MOST])
{
	int n;

	for (n = 0; hosts[n]; n++)
		places[n] = (struct place){.host = {hosts[n]}};
	return n;
}

static void expect(const int found[], int n, const char *digits)
{
	int i;

	for (i = 0; i < n && digits[i]; i++)
		CU_ASSERT_EQUAL(found[i], digits[i] - '0');
	CU_ASSERT_EQUAL(digits[i], 0);
	CU_ASSERT_EQUAL(i, n);
}

static void test_partners_pairs_cross_to_the_fullest_host(void)
{
	struct place places[MOST];
	int pairs[MOST], n = places_of("abcabbca", places);

	n = partners_pairs(places, n, pairs);
	CU_ASSERT_EQUAL(n, 3); /* a: 0 3 7, b: 1 4 5, c: 2 6 */
	expect(pairs, 2 * n, "013475");
}

static void test_partners_pairs_within_the_only_host(void)
{
	struct place places[MOST];
	int pairs[MOST], n = places_of("aaaaa", places);

	n = partners_pairs(places, n, pairs);
	CU_ASSERT_EQUAL(n, 2);
	expect(pairs, 2 * n, "0213");
}

static void test_partners_fan_goes_to_other_hosts_first_of_each(void)
{
	struct place places[MOST];
	int others[MOST], n = places_of("aabbccb", places);

	n = partners_fan(places, n, others);
	expect(others, n, "24356");
}

static void test_partners_fan_within_the_only_host(void)
{
	struct place places[MOST];
	int others[MOST], n = places_of("aaaa", places);

	n = partners_fan(places, n, others);
	expect(others, n, "123");
}

static void test_partners_firsts(void)
{
	struct place places[MOST];
	int firsts[MOST], n = places_of("aababcc", places);

	n = partners_firsts(places, n, firsts);
	expect(firsts, n, "025");
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_partners_pairs_cross_to_the_fullest_host),
	SUITE_CASE(test_partners_pairs_within_the_only_host),
	SUITE_CASE(test_partners_fan_goes_to_other_hosts_first_of_each),
	SUITE_CASE(test_partners_fan_within_the_only_host),
	SUITE_CASE(test_partners_firsts),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("partners", tests);
}
