/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/machine_fit.h"
#include "analyze/machine/machine_ranges.h"
#include "tests/fixtures/machine_texts.h"
#include "tests/fixtures/suite.h"

static void test_machine_load_reads_a_class(void)
{
	struct err err = {""};
	struct machine m = load(HEAD "\"L_s\":1e-5,\"uncertainty\":0.1,\"eager_bytes\":4096,"
				     "\"samples\":50,\"points\":[" POINT(0) "," POINT(64) "]" TAIL,
				0, &err);

	CU_ASSERT_STRING_EQUAL(m.name, "toy");
	CU_ASSERT_EQUAL(m.source, MACHINE_FILE);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].n, 2);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].n, 0);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NODE].L_s, 1e-5, 0);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NODE].points[1].g_s, 3e-6, 0);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].eager_bytes, 4096);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].samples, 50);
	machine_release(&m);
}

static void test_machine_load_tells_handshake_and_bytes_from_latency(void)
{
	struct err err = {""};
	struct machine m = load(HEAD "\"L_s\":1e-5,\"L_s_per_byte\":1e-8,\"handshake_s\":0,"
				     "\"eager_bytes\":0,\"points\":[" POINT(0) "]" TAIL,
				0, &err);
	const struct machine_class *c = &m.classes[LOCALITY_NODE];

	CU_ASSERT_DOUBLE_EQUAL(machine_latency_s(c, 1000), 2e-5, 1e-12);
	CU_ASSERT_EQUAL(c->has_handshake, 1);
	CU_ASSERT_EQUAL(c->handshake_s, 0);
	machine_release(&m);
	m = load(HEAD "\"L_s\":1e-5,\"eager_bytes\":0,\"points\":[" POINT(0) "]" TAIL, 0, &err);
	CU_ASSERT_DOUBLE_EQUAL(machine_latency_s(c, 1000), 1e-5, 0);
	CU_ASSERT_EQUAL(c->has_handshake, 0);
	machine_release(&m);
	load(HEAD "\"L_s\":0,\"handshake_s\":-1,\"eager_bytes\":1,\"points\":[" POINT(0) "]" TAIL,
	     -1, &err);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "\"handshake_s\" is -1"));
}

/* What is null counts as 0 and is counted; without L a message's time is the points' L + g. */
static void test_machine_load_counts_what_is_null(void)
{
	struct err err = {""};
	struct machine m = load(HEAD "\"L_s\":null,\"eager_bytes\":0,\"points\":["
				     "{\"bytes\":0,\"o_s_s\":null,\"o_r_s\":1e-6,\"g_s\":null},"
				     "{\"bytes\":8,\"o_s_s\":null,\"o_r_s\":null,\"g_s\":14e-6,"
				     "\"L_g_s\":12e-6}]" TAIL,
				0, &err);
	const struct machine_class *c = &m.classes[LOCALITY_NODE];

	CU_ASSERT_EQUAL(c->zeros.L, 1);
	CU_ASSERT_EQUAL(c->zeros.o_s, 2);
	CU_ASSERT_EQUAL(c->zeros.o_r, 1);
	CU_ASSERT_EQUAL(c->zeros.g, 1);
	CU_ASSERT_EQUAL(c->joint, 0);
	CU_ASSERT_DOUBLE_EQUAL(c->points[1].g_s, 14e-6, 0); /* all points or none */
	machine_release(&m);
	m = load(HEAD
		 "\"L_s\":null,\"eager_bytes\":0,\"points\":["
		 "{\"bytes\":0,\"o_s_s\":1e-6,\"o_r_s\":1e-6,\"g_s\":14e-6,\"L_g_s\":11e-6},"
		 "{\"bytes\":8,\"o_s_s\":1e-6,\"o_r_s\":1e-6,\"g_s\":null,\"L_g_s\":12e-6}]" TAIL,
		 0, &err);
	CU_ASSERT_EQUAL(c->zeros.L, 0);
	CU_ASSERT_EQUAL(c->zeros.g, 0);
	CU_ASSERT_EQUAL(c->joint, MACHINE_JOINT_SUM);
	CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 11e-6, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[1].g_s, 12e-6, 1e-15);
	machine_release(&m);
	m = load(HEAD
		 "\"L_s\":5e-6,\"eager_bytes\":0,\"points\":["
		 "{\"bytes\":0,\"o_s_s\":1e-6,\"o_r_s\":1e-6,\"g_s\":3e-6,\"L_g_s\":8e-6}]" TAIL,
		 0, &err);
	CU_ASSERT_EQUAL(c->joint, 0); /* with L the two are told apart */
	CU_ASSERT_DOUBLE_EQUAL(c->points[0].g_s, 3e-6, 0);
	CU_ASSERT_EQUAL(c->zeros.L + c->zeros.o_s + c->zeros.o_r + c->zeros.g, 0);
	machine_release(&m);
}

#define ESTIMATE(what, value, low, high)                                       \
	"\"" #what "\":{\"value\":" #value ",\"low\":" #low ",\"high\":" #high \
	",\"n\":9,\"identifiable\":true}"

/* Each size has its own intervals; what is below 0 may be as much as its interval's end. */
static void test_machine_load_knows_each_size_as_well_as_it_is(void)
{
	struct err err = {""};
	struct machine m = load(
		HEAD "\"L_s\":2e-6,\"eager_bytes\":0,\"uncertainty\":0.5,\"points\":["
		     "{\"bytes\":0,\"o_s_s\":null,\"o_r_s\":1e-6,\"g_s\":2e-6,"
		// clang-format off
		     ESTIMATE(o_s, -1e-7, -4e-7, 3e-7) "," ESTIMATE(o_r, 1e-6, 8e-7, 3e-6) ","
		     ESTIMATE(g, 2e-6, 1e-6, 3e-6) "," ESTIMATE(L_g, 4e-6, 3e-6, 8e-6) "},"
		     "{\"bytes\":1000,\"o_s_s\":2e-6,\"o_r_s\":1e-6,\"g_s\":98e-6,"
		     ESTIMATE(o_s, 2e-6, 1e-6, 3e-6) "," ESTIMATE(o_r, 1e-6, 1e-6, 1e-6) ","
		     ESTIMATE(g, 98e-6, 98e-6, 98e-6) "," ESTIMATE(L_g, 100e-6, 99e-6, 101e-6)
		     "}]" TAIL,
		// clang-format on
		0, &err);
	const struct machine_class *c = &m.classes[LOCALITY_NODE];
	struct machine_ranges empty = machine_ranges_at(c, 0), half = machine_ranges_at(c, 500);
	struct machine_ranges last = machine_ranges_at(c, 1000), more = machine_ranges_at(c, 2000);

	CU_ASSERT_DOUBLE_EQUAL(empty.time.least, 0.75, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(empty.time.most, 2, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(empty.g.least, 0.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(empty.g.most, 1.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(empty.L.least, 1, 1e-12); /* 3 - 1 */
	CU_ASSERT_DOUBLE_EQUAL(empty.L.most, 2.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(empty.o_s_s.least, 0, 0);
	CU_ASSERT_DOUBLE_EQUAL(empty.o_s_s.most, 3e-7, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(empty.o_r_s.most, 3e-6, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(last.time.least, 0.99, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(last.time.most, 1.01, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(last.o_s_s.least, 1e-6, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(half.time.least, (3 + 99) / 104.0, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(half.time.most, (8 + 101) / 104.0, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(more.time.least, 0.5, 1e-12); /* nobody measured that */
	CU_ASSERT_DOUBLE_EQUAL(more.time.most, 1.5, 1e-12);
	machine_release(&m);
}

/* A file without intervals: its uncertainty, at every size. */
static void test_machine_load_knows_all_sizes_alike(void)
{
	struct err err = {""};
	struct machine m = load(HEAD "\"L_s\":1e-5,\"uncertainty\":0.1,\"eager_bytes\":4096,"
				     "\"points\":[" POINT(0) "," POINT(64) "]" TAIL,
				0, &err);
	struct machine_ranges r = machine_ranges_at(&m.classes[LOCALITY_NODE], 32);

	CU_ASSERT_DOUBLE_EQUAL(r.time.least, 0.9, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(r.time.most, 1.1, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(r.o_s_s.least, 0.9e-6, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(r.o_r_s.most, 2.2e-6, 1e-15);
	machine_release(&m);
}

/* Either way's core is enough to call it busy; a file that does not say is not. */
static void test_machine_load_knows_a_busy_file(void)
{
	static const struct {
		const char *ways;
		int busy;
	} files[] = {{"", 0},
		     {"\"there\":{\"core_share\":0.97},\"back\":{\"core_share\":0.95},", 0},
		     {"\"there\":{\"core_share\":0.35},\"back\":{\"core_share\":0.95},", 1},
		     {"\"there\":{\"core_share\":0.97},\"back\":{\"core_share\":0.35},", 1}};
	char text[512];
	struct err err;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(text, sizeof(text),
			 "{\"schema\":\"contend-machine/1\",\"classes\":{\"node\":{%s\"L_s\":1e-5,"
			 "\"eager_bytes\":4096,\"points\":[" POINT(0) "]}}}",
			 files[i].ways);
		struct machine m = load(text, 0, &err);

		CU_ASSERT_EQUAL(m.busy, files[i].busy);
		machine_release(&m);
	}
}

static void test_machine_load_reads_its_conditions(void)
{
	static const char start[] = "{\"schema\":\"contend-machine/1\",\"conditions\":";
	static const char rest[] = ",\"classes\":{\"node\":{\"L_s\":1e-5,\"eager_bytes\":4096,"
				   "\"points\":[" POINT(0) "]}}}";
	char text[512];
	struct err err = {""};
	struct machine m;

	snprintf(text, sizeof(text), "%s[\"more ranks than cores\",\"on a Sunday\"]%s", start,
		 rest);
	m = load(text, 0, &err);
	CU_ASSERT_STRING_EQUAL(m.caveats, "more ranks than cores; on a Sunday");
	machine_release(&m);
	snprintf(text, sizeof(text), "%s[]%s", start, rest);
	m = load(text, 0, &err);
	CU_ASSERT_PTR_NULL(m.caveats);
	machine_release(&m);
	snprintf(text, sizeof(text), "%s[7]%s", start, rest);
	m = load(text, -1, &err);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "a condition is not a text"));
	snprintf(text, sizeof(text), "%s\"more ranks than cores\"%s", start, rest);
	m = load(text, -1, &err);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "\"conditions\" is not a list"));
}

/* A file with some of its bytes changed, doubled or cut off is read or refused in words. */
static void test_machine_load_survives_damage(void)
{
	static const char whole[] = HEAD
		"\"L_s\":1e-5,\"uncertainty\":0.1,\"eager_bytes\":4096,\"samples\":50,"
		"\"points\":[" POINT(0) "," POINT(64) "," POINT(
			4096) "]}},"
			      "\"conditions\":[\"crowded\"],\"contention\":{\"signature\":{"
			      "\"alpha_s\":1e-5,\"beta_s_per_byte\":1e-8,\"regimes\":[{\"from_"
			      "bytes\":1,"
			      "\"to_bytes\":9,\"gamma\":1,\"delta_s\":0,\"M_bytes\":0,\"n_low\":4,"
			      "\"n_high\":8}]}}}";
	static const char bytes[] = "{}[]\",:-0179e.ntx\\";
	uint64_t seed = 2000;
	int round, read = 0, refused = 0;

	for (round = 0; round < 2000; round++) {
		char text[sizeof(whole)];
		struct err err = {""};
		struct machine m;
		int changes;

		memcpy(text, whole, sizeof(text));
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		if (seed >> 62 == 0)
			text[(seed >> 20) % (sizeof(text) - 1)] = '\0';
		for (changes = 1 + (int)(seed >> 63); changes > 0; changes--) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[(seed >> 20) % (sizeof(text) - 1)] =
				bytes[(seed >> 50) % (sizeof(bytes) - 1)];
		}
		m = try_load(text, &err);
		if (m.name) {
			read++;
			machine_release(&m);
		} else {
			refused++;
			CU_ASSERT_PTR_NOT_NULL(strchr(err.text, ':'));
			CU_ASSERT_PTR_NULL(m.path);
		}
	}
	CU_ASSERT(read > 20);
	CU_ASSERT(refused > 1000);
}

static void test_machine_load_says_what_is_wrong(void)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"", ": line 1: "},
		{HEAD, ": not a whole machine file"},
		{"[1]", "\"schema\" is missing"},
		{"{\"schema\":\"x/2\"}", "\"schema\" is x/2, need \"contend-machine/1\""},
		{"{\"schema\":\"contend-machine/1\"}", "neither \"node\" nor \"network\""},
		{"{\"schema\":\"contend-machine/1\",\"model\":{\"P\":2}}",
		 "has inputs for contend model, and no machine"},
		{START "\"mpi\":4.1}", "\"mpi\" is not a text"},
		{START "\"host_list\":\"alpha\"}", "\"host_list\" is not a list"},
		{START "\"host_list\":null}", "\"host_list\" is not a list"},
		{START "\"host_list\":[{\"name\":\"alpha\"},{}]}", "\"name\" of host 1 is missing"},
		{START "\"host_list\":[{\"name\":7}]}", "\"name\" of host 0 is not a name"},
		{HEAD "\"eager_bytes\":1,\"points\":[]" TAIL, "node: \"L_s\" is missing"},
		{HEAD "\"L_s\":-1,\"eager_bytes\":1,\"points\":[" POINT(0) "]" TAIL,
		 "\"L_s\" is -1, must not be negative"},
		{HEAD "\"L_s\":\"x\",\"eager_bytes\":1" TAIL, "\"L_s\" is not a number"},
		{HEAD "\"L_s\":0,\"eager_bytes\":1" TAIL, "\"points\" has no point"},
		{HEAD "\"L_s\":0,\"eager_bytes\":1,\"points\":[7]" TAIL, "\"bytes\" is missing"},
		{HEAD "\"L_s\":0,\"eager_bytes\":1,\"points\":[" POINT(8) "," POINT(8) "]" TAIL,
		 "point 1 (8 bytes) is not above the one before"},
	};
	struct machine m;
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.text[0] = '\0';
		m = load(bad[i].text, -1, &err);
		CU_ASSERT_PTR_NOT_NULL(strstr(err.text, bad[i].says));
		if (!strstr(err.text, bad[i].says))
			printf("case %zu: %s\n", i, err.text);
		CU_ASSERT_PTR_NULL(m.name);
	}
	CU_ASSERT_EQUAL(machine_load("/nowhere/machine.json", &m, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text,
			       "cannot read /nowhere/machine.json: No such file or directory");
	CU_ASSERT_EQUAL(machine_load("/", &m, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text,
			       "/ is a folder, not a machine file, which mpirun -n 2 contend "
			       "calibrate writes; name a file");
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_load_reads_a_class),
		SUITE_CASE(test_machine_load_tells_handshake_and_bytes_from_latency),
		SUITE_CASE(test_machine_load_counts_what_is_null),
		SUITE_CASE(test_machine_load_knows_each_size_as_well_as_it_is),
		SUITE_CASE(test_machine_load_knows_all_sizes_alike),
		SUITE_CASE(test_machine_load_knows_a_busy_file),
		SUITE_CASE(test_machine_load_reads_its_conditions),
		SUITE_CASE(test_machine_load_survives_damage),
		SUITE_CASE(test_machine_load_says_what_is_wrong),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine", tests);
}
