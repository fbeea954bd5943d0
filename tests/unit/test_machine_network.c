/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine file says of many ranks at once, and of the network's shape. */
#include <stdio.h>
#include <string.h>

#include "analyze/machine/machine_fit.h"
#include "tests/fixtures/machine_texts.h"
#include "tests/fixtures/suite.h"

/* Times below 0 have no number; what many do at once is there for who wants it. */
static void test_machine_reads_contention(void)
{
	struct err err;
	struct machine m = load(
		"{\"schema\":\"contend-machine/1\",\"name\":\"toy\",\"contention\":{\"signature\":{"
		"\"alpha_s\":1e-5,\"beta_s_per_byte\":1e-8,\"regimes\":["
		"{\"from_bytes\":1,\"to_bytes\":1e6,\"gamma\":1.5,\"delta_s\":0,\"M_bytes\":1},"
		"{\"from_bytes\":1,\"to_bytes\":4096,\"gamma\":1.1,\"delta_s\":2e-6,\"M_bytes\":9,"
		"\"n_low\":4,\"n_high\":8}]},\"rates\":{\"off_node\":true,\"max_rate\":{"
		"\"alpha_s\":3e-5,\"R_N\":1e9,\"R_C\":4e8,\"R_i\":3e8}}},"
		"\"classes\":{\"node\":{\"L_s\":null,\"there\":{\"asynchronous_progress\":null},"
		"\"back\":{\"asynchronous_progress\":0.9},"
		"\"eager_bytes\":null,\"points\":[" POINT(0) "]" TAIL,
		0, &err);

	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].L_s, 0);
	CU_ASSERT(m.classes[LOCALITY_NODE].eager_assumed);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].eager_bytes, machine_eager_default(LOCALITY_NODE));
	CU_ASSERT_EQUAL_FATAL(m.n_signatures, 2);
	CU_ASSERT_PTR_EQUAL(machine_signature(&m, 100), &m.signatures[1]);
	CU_ASSERT_PTR_EQUAL(machine_signature(&m, 1e5), &m.signatures[0]);
	CU_ASSERT_PTR_NULL(machine_signature(&m, 1e7));
	CU_ASSERT_DOUBLE_EQUAL(m.signatures[1].signature.delta, 2e-6, 0);
	CU_ASSERT_DOUBLE_EQUAL(m.signatures[1].signature.link.beta_s_per_byte, 1e-8, 0);
	CU_ASSERT_DOUBLE_EQUAL(m.signatures[1].n_high, 8, 0);
	CU_ASSERT_EQUAL(m.has_rate, 1);
	CU_ASSERT_DOUBLE_EQUAL(m.rate.R_N, 1e9, 0);
	CU_ASSERT_DOUBLE_EQUAL(m.rate.R_i, 3e8, 0);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NODE].progress.receiver, 0.9, 0);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NODE].progress.sender, 0.9, 0);
	machine_release(&m);
}

/* Ranks that wait for cores show no rate of a network. */
static void test_machine_takes_no_rate_of_crowded_hosts(void)
{
	struct err err = {""};
	struct machine m =
		load("{\"schema\":\"contend-machine/1\",\"name\":\"toy\",\"contention\":{"
		     "\"rates\":{\"off_node\":true,\"crowded\":true,\"max_rate\":{"
		     "\"alpha_s\":3e-5,\"R_N\":1e9,\"R_C\":4e8,\"R_i\":3e8}}},"
		     "\"classes\":{\"node\":{\"L_s\":1e-6,\"eager_bytes\":0,\"points\":[" POINT(
			     0) "]" TAIL,
		     0, &err);

	CU_ASSERT_EQUAL(m.has_rate, -1);
	machine_release(&m);
}

static void test_machine_reads_its_topology(void)
{
	static const char start[] =
		"{\"schema\":\"contend-machine/1\",\"classes\":{\"network\":{"
		"\"L_s\":1e-5,\"eager_bytes\":4096,\"points\":[" POINT(0) "]}},"
									  "\"topology\":";
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"{\"size\":[4]}", "\"kind\" is missing, need mesh, torus or tree"},
		{"{\"kind\":\"ring\",\"size\":[4]}", "\"kind\" is ring"},
		{"{\"kind\":\"mesh\"}", "\"size\" has 0 numbers, need 1 to 8"},
		{"{\"kind\":\"tree\",\"size\":[4,8]}", "has 2 numbers, need the tree's leaves"},
		{"{\"kind\":\"mesh\",\"size\":[4,0]}", "size 1 is not a number above 0"},
		{"{\"kind\":\"mesh\",\"size\":[2],\"hosts\":[\"a\"]}", "1 hosts for 2 nodes"},
		{"{\"kind\":\"mesh\",\"size\":[2],\"hosts\":[\"a\",7]}", "host 1 is not a text"},
		{"{\"kind\":\"mesh\",\"size\":[2],\"channel_s_per_byte\":0}",
		 "is not a number above 0"},
	};
	char text[512];
	struct err err = {""};
	struct machine m;

	snprintf(text, sizeof(text),
		 "%s{\"kind\":\"torus\",\"size\":[1,3],\"hosts\":[\"a\",\"b\",\"c\"]}}", start);
	m = load(text, 0, &err);
	CU_ASSERT_EQUAL(m.topology.shape.kind, TOPOLOGY_TORUS);
	CU_ASSERT_EQUAL(m.topology.shape.dimensions, 2);
	CU_ASSERT_EQUAL(m.topology.shape.size[0], 3); /* varies fastest */
	CU_ASSERT_EQUAL(m.topology.n_hosts, 3);
	CU_ASSERT_STRING_EQUAL(m.topology.hosts[2], "c");
	CU_ASSERT_EQUAL(m.topology.width, 1);
	machine_release(&m);
	snprintf(text, sizeof(text), "%s{\"kind\":\"tree\",\"size\":[4,8,2]}}", start);
	m = load(text, 0, &err);
	CU_ASSERT_EQUAL(m.topology.shape.kind, TOPOLOGY_FAT_TREE);
	CU_ASSERT(m.topology.shape.size[0] == 4 && m.topology.shape.size[1] == 8);
	CU_ASSERT(m.topology.shape.size[2] == 1 && m.topology.width == 2);
	machine_release(&m);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.text[0] = '\0';
		snprintf(text, sizeof(text), "%s%s}", start, bad[i].text);
		m = load(text, -1, &err);
		CU_ASSERT_PTR_NOT_NULL(strstr(err.text, bad[i].says));
		if (!strstr(err.text, bad[i].says))
			printf("case %zu: %s\n", i, err.text);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_reads_contention),
		SUITE_CASE(test_machine_takes_no_rate_of_crowded_hosts),
		SUITE_CASE(test_machine_reads_its_topology),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine_network", tests);
}
