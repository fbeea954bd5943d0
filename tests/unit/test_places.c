/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How near two ranks are, and whether those of a host have cores enough, on machines by
 * description.
 */
#include "calibrate/places.h"

#include "tests/fixtures/suite.h"

#include <hwloc.h>
#include <stdio.h>

enum { MOST = 6 };

/* Two sockets of two caches each, of two cores each, of two processors each: 16. */
#define TWO_SOCKETS "pack:2 l3:2 l2:2 core:1 pu:2"
#define LAPTOP      "pack:1 l3:1 l2:2 core:1 pu:1"
#define NO_L3       "pack:1 l2:2 core:2 pu:1"
#define TWO_NODES   "pack:2 core:2 pu:1" /* no cache is shared, or known */

/* A rank that may use the processors of a list on a host. */
static struct place on(const char *machine, const char *host, const char *cpus)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct place p = {.cache = -1, .socket = -1};
	hwloc_topology_t t;

	snprintf(p.host, sizeof(p.host), "%s", host);
	CU_ASSERT_FATAL(!hwloc_topology_init(&t));
	CU_ASSERT_FATAL(!hwloc_topology_set_synthetic(t, machine));
	CU_ASSERT_FATAL(!hwloc_topology_set_all_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL));
	CU_ASSERT_FATAL(!hwloc_topology_load(t));
	CU_ASSERT_FATAL(!hwloc_bitmap_list_sscanf(set, cpus));
	place_within(&p, t, set);
	hwloc_topology_destroy(t);
	hwloc_bitmap_free(set);
	return p;
}

static enum nearness between(const char *machine, const char *cpus, const char *others)
{
	struct place a = on(machine, "a", cpus), b = on(machine, "a", others);

	CU_ASSERT_EQUAL(place_nearness(&a, &b), place_nearness(&b, &a));
	return place_nearness(&a, &b);
}

/* Are ranks that may use these processors of one host crowded? "" ends them. */
static int crowded(const char *machine, const char *const cpus[])
{
	struct place places[MOST + 1];
	int n;

	for (n = 0; n < MOST && *cpus[n]; n++)
		places[n] = on(machine, "a", cpus[n]);
	places[n] = on(machine, "b", "0"); /* another host's does not count */
	CU_ASSERT_EQUAL(places_are_crowded(places, n + 1, n), 0);
	return places_are_crowded(places, n + 1, 0);
}

static struct place with_kernel(const char *host, const char *kernel)
{
	struct place p = {.cache = -1, .socket = -1};

	snprintf(p.host, sizeof(p.host), "%s", host);
	snprintf(p.kernel, sizeof(p.kernel), "%s", kernel);
	return p;
}

/* Hosts by other names with one kernel are one machine; of unknown kernels each is its own. */
static void test_places_machines_of_hosts(void)
{
	const struct place places[] = {with_kernel("a", "1"), with_kernel("b", "1"),
				       with_kernel("a", "1"), with_kernel("c", "2"),
				       with_kernel("d", ""),  with_kernel("e", "")};

	CU_ASSERT_EQUAL(places_machines(places, 1), 1);
	CU_ASSERT_EQUAL(places_machines(places, 3), 1);
	CU_ASSERT_EQUAL(places_machines(places, 4), 2);
	CU_ASSERT_EQUAL(places_machines(places, 6), 4);
}

static void test_places_nearness_of_ranks_on_single_cores(void)
{
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-1", "2-3"), NEAR_CACHE);
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0", "2"), NEAR_CACHE);
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-1", "4-5"), NEAR_SOCKET);
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-1", "8-9"), NEAR_NODE);
	CU_ASSERT_EQUAL(between(NO_L3, "0", "1"), NEAR_CACHE);
	CU_ASSERT_EQUAL(between(NO_L3, "0", "2"), NEAR_SOCKET);
	CU_ASSERT_EQUAL(between(TWO_NODES, "0", "1"), NEAR_SOCKET);
	CU_ASSERT_EQUAL(between(TWO_NODES, "0", "2"), NEAR_NODE);
}

static void test_places_nearness_is_what_covers_ranks_that_move(void)
{
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-7", "0-7"), NEAR_SOCKET); /* bound to the socket */
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-7", "8-15"), NEAR_NODE);
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-3", "0-3"), NEAR_CACHE); /* ... to a cache */
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-3", "4-7"), NEAR_SOCKET);
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-1", "0-7"), NEAR_SOCKET); /* may be with or not */
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-15", "0-15"), NEAR_NODE); /* not bound */
	CU_ASSERT_EQUAL(between(TWO_SOCKETS, "0-1", "0-15"), NEAR_NODE);
	CU_ASSERT_EQUAL(between(LAPTOP, "0-1", "0-1"), NEAR_CACHE);
}

static void test_places_nearness_between_hosts_is_the_network(void)
{
	struct place a = on(LAPTOP, "a", "0"), b = on(LAPTOP, "b", "0");

	CU_ASSERT_EQUAL(place_nearness(&a, &b), NEAR_NETWORK);
}

/* Nothing is known of where it runs, as without a topology. */
static void test_places_nearness_of_the_unknown_is_the_node(void)
{
	struct place a = {.host = "a", .cache = -1, .socket = -1}, b = a;
	const struct place both[] = {a, b};

	CU_ASSERT_EQUAL(place_nearness(&a, &b), NEAR_NODE);
	CU_ASSERT_EQUAL(places_are_crowded(both, 2, 0), 0);
}

static void test_places_are_crowded_on_one_core(void)
{
	CU_ASSERT_EQUAL(crowded(LAPTOP, (const char *const[]){"0", "0", ""}), 1);
	CU_ASSERT_EQUAL(crowded(LAPTOP, (const char *const[]){"0", "1", ""}), 0);
	CU_ASSERT_EQUAL(crowded(TWO_SOCKETS, (const char *const[]){"0", "1", ""}), 1);
	CU_ASSERT_EQUAL(crowded(TWO_SOCKETS, (const char *const[]){"0-1", "2-3", ""}), 0);
}

/* All ranks of the host against the cores of all of them, not against those of one. */
static void test_places_are_not_crowded_when_bound_to_sockets(void)
{
	const char *const five[] = {"0-7", "8-15", "0-7", "8-15", "0-7", ""};
	const char *const one_socket[] = {"0-7", "0-7", "0-7", "0-7", "0-7", ""};

	CU_ASSERT_EQUAL(crowded(TWO_SOCKETS, five), 0);
	CU_ASSERT_EQUAL(crowded(TWO_SOCKETS, one_socket), 1);
}

static void test_places_are_crowded_when_not_bound(void)
{
	CU_ASSERT_EQUAL(crowded(LAPTOP, (const char *const[]){"0-1", "0-1", "0-1", ""}), 1);
	CU_ASSERT_EQUAL(crowded(LAPTOP, (const char *const[]){"0-1", "0-1", ""}), 0);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_places_machines_of_hosts),
	SUITE_CASE(test_places_nearness_of_ranks_on_single_cores),
	SUITE_CASE(test_places_nearness_is_what_covers_ranks_that_move),
	SUITE_CASE(test_places_nearness_between_hosts_is_the_network),
	SUITE_CASE(test_places_nearness_of_the_unknown_is_the_node),
	SUITE_CASE(test_places_are_crowded_on_one_core),
	SUITE_CASE(test_places_are_not_crowded_when_bound_to_sockets),
	SUITE_CASE(test_places_are_crowded_when_not_bound),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("places", tests);
}
