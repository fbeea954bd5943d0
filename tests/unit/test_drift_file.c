/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a machine file is measured again, and which files are refused. */
#include "cmd/calibrate/calibrate_drift_file.h"

#include "calibrate/launches.h"

#include "tests/fixtures/suite.h"

#include <string.h>

#define RTT(x, low, high) "{\"value\":" #x ",\"low\":" #low ",\"high\":" #high ",\"n\":9}"
#define POINT(bytes, rtt) "{\"bytes\":" #bytes ",\"rtt\":" rtt "}"
#define LAUNCHED(x)       "{\"bytes\":1,\"between_launches\":{\"share\":" #x "},\"rtt\":" GOOD "}"
#define GOOD              RTT(2, 1, 3)
#define CLASS(more, p)    "{\"classes\":{\"node\":{\"there\":{" more "\"points\":[" p "]}}}}"
#define LAST(bytes, rtt)  CLASS("", POINT(0, GOOD) "," POINT(64, GOOD) "," POINT(bytes, rtt))
#define WITH(more)        CLASS(more ",", POINT(0, GOOD) "," POINT(1, GOOD) "," POINT(2, GOOD))

static int take(const char *text, struct drift *d, struct err *err)
{
	json_t *machine = json_loads(text, 0, NULL);
	int ret;

	CU_ASSERT_PTR_NOT_NULL_FATAL(machine);
	*d = (struct drift){0};
	ret = calibrate_drift_file(machine, "m.json", d, err);
	json_decref(machine);
	return ret;
}

static void test_drift_file_takes_sizes(void)
{
	static const char text[] =
		CLASS("\"core_share\":0.5,\"core_to_core\":" RTT(5e-7, 4e-7, 6e-7) ",",
		      POINT(0, GOOD) "," POINT(1, GOOD) "," POINT(16384, RTT(4, 3, 5)) "," POINT(
			      1048576, GOOD) "," POINT(16777216, GOOD));
	struct err err = {""};
	struct drift d;
	const struct drift_class *c = &d.class[NEAR_NODE];

	CU_ASSERT_EQUAL(take(text, &d, &err), 0);
	CU_ASSERT(c->known && !d.class[NEAR_NETWORK].known);
	CU_ASSERT_EQUAL(c->n, 5);
	CU_ASSERT_EQUAL(c->size[3], 1048576);
	CU_ASSERT_EQUAL(c->trip_s[2], 4);
	CU_ASSERT_EQUAL(c->trip_s[3], 2);
	CU_ASSERT_EQUAL(c->point[0].bytes, 0);
	CU_ASSERT_EQUAL(c->point[1].bytes, 16384);
	CU_ASSERT_EQUAL(c->point[1].before.value, 4);
	CU_ASSERT_EQUAL(c->point[1].before.high, 5);
	CU_ASSERT_EQUAL(c->point[2].bytes, PAIR_BYTES_MAX);
	CU_ASSERT_EQUAL(c->cores.was_busy, 1);
	CU_ASSERT_EQUAL(c->cores.before.n, 9);
	CU_ASSERT_EQUAL(take(LAST(128, GOOD), &d, &err), 0);
	CU_ASSERT_EQUAL(d.class[NEAR_NODE].cores.was_busy, 0); /* not told */
}

/* What launches differ by is the file's, or what is assumed of its class and size. */
static void test_drift_file_takes_launches(void)
{
	struct err err = {""};
	struct drift d;
	const struct drift_point *p = d.class[NEAR_NODE].point;

	CU_ASSERT_EQUAL(take(CLASS("", POINT(0, GOOD) "," LAUNCHED(0.07) "," POINT(1024, GOOD)), &d,
			     &err),
			0);
	CU_ASSERT_EQUAL(p[0].launch_share, launches_assumed("", NEAR_NODE, 0).trip);
	CU_ASSERT_EQUAL(p[1].launch_share, 0.07);
	CU_ASSERT_EQUAL(p[2].launch_share, launches_assumed("", NEAR_NODE, 1024).trip);
	CU_ASSERT(p[0].launch_share < p[2].launch_share);
}

/* The middle one is another where launches differ too much for it to tell anything, if one is. */
static void test_drift_file_takes_a_size_that_tells(void)
{
	struct err err = {""};
	struct drift d;
	const struct drift_point *p = d.class[NEAR_NODE].point;

	CU_ASSERT_EQUAL(
		take(CLASS("", POINT(0, GOOD) "," POINT(16, GOOD) "," POINT(256, GOOD) "," POINT(
				       32768, GOOD) "," POINT(65536, GOOD)),
		     &d, &err),
		0);
	CU_ASSERT_EQUAL(p[1].bytes, 16);
	CU_ASSERT_EQUAL(p[1].launch_share, launches_assumed("", NEAR_NODE, 16).trip);
	CU_ASSERT_EQUAL(
		take(CLASS("", POINT(0, GOOD) "," POINT(256, GOOD) "," POINT(512, GOOD) "," POINT(
				       16384, GOOD) "," POINT(32768, GOOD)),
		     &d, &err),
		0);
	CU_ASSERT_EQUAL(p[1].bytes, 16384);
	CU_ASSERT_EQUAL(take(LAST(512, GOOD), &d, &err), 0);
	CU_ASSERT_EQUAL(p[1].bytes, 64);
	CU_ASSERT_EQUAL(p[2].bytes, 512); /* the last one is what it is */
}

/* Where many sizes are close together, as around a packet's, the middle is still between all. */
static void test_drift_file_takes_the_middle(void)
{
	struct err err = {""};
	struct drift d;

	CU_ASSERT_EQUAL(
		take(CLASS("", POINT(0, GOOD) "," POINT(64, GOOD) "," POINT(9000, GOOD) "," POINT(
				       10000, GOOD) "," POINT(11000, GOOD) "," POINT(16384, GOOD)),
		     &d, &err),
		0);
	CU_ASSERT_EQUAL(d.class[NEAR_NODE].point[1].bytes, 64);
}

static void test_drift_file_refuses(void)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"{}", "no round trips"},
		{CLASS("", POINT(0, GOOD) "," POINT(1, GOOD)), "no round trips"},
		{LAST(1073741824, GOOD), "1073741824, not a whole number from 0 to 16777216"},
		{LAST(4294967296, GOOD), "4294967296, not a whole number"},
		{LAST(1e300, GOOD), "1e+300, not a whole number"},
		{LAST(-5, GOOD), "-5, not a whole number"},
		{LAST(64.5, GOOD), "64.5, not a whole number"},
		{LAST(64, GOOD), "64, is not above the one before"},
		{LAST(7, GOOD), "7, is not above the one before"},
		{LAST("128", GOOD), "\"bytes\" of a point is not a number"},
		{CLASS("", POINT(0, GOOD) "," POINT(1, GOOD) ",3"), "of a point is missing"},
		{LAST(128, "4"), "\"value\" of \"rtt\" is missing"},
		{LAST(128, RTT("2", 1, 3)), "\"value\" of \"rtt\" is not a number"},
		{LAST(128, RTT(0, 0, 3)), "\"value\" of \"rtt\" is 0 s, must be above 0"},
		{LAST(128, RTT(-2, -3, 3)), "is -2 s, must be above 0"},
		{LAST(128, RTT(2, 2.5, 3)), "2 s, is not from its \"low\" to its \"high\""},
		{LAST(128, RTT(2, 1, 1.5)), "2 s, is not from its \"low\""},
		{LAST(128, RTT(2, null, 3)), "\"low\" of \"rtt\" is not a number"},
		{LAST(128, "{\"value\":2,\"low\":1,\"high\":3,\"n\":0}"), "\"n\" of \"rtt\" is 0"},
		{CLASS("", POINT(0, GOOD) "," LAUNCHED(-1) "," POINT(2, GOOD)),
		 "\"share\" of \"between_launches\" is -1, must not be below 0"},
		{WITH("\"core_share\":\"all\""), "\"core_share\" of \"there\" is not a number"},
		{WITH("\"core_share\":-1"), "-1, not a share"},
		{WITH("\"core_to_core\":4"), "\"value\" of \"core_to_core\" is missing"},
	};
	struct drift d;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct err err = {""};

		CU_ASSERT_EQUAL(take(bad[i].text, &d, &err), -1);
		CU_ASSERT_EQUAL(strncmp(err.text, "m.json: ", 8), 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(err.text, bad[i].says));
		if (!strstr(err.text, bad[i].says))
			printf("%s: \"%s\", not \"%s\"\n", bad[i].text, err.text, bad[i].says);
	}
}

/* As many as there is room for, and not one more. */
static void test_drift_file_of_many_points(void)
{
	struct drift d;
	int n, i;

	for (n = GAPS_SIZES_MAX; n <= GAPS_SIZES_MAX + 1; n++) {
		json_t *points = json_array(), *machine;
		struct err err = {""};

		for (i = 0; i < n; i++)
			json_array_append_new(points, json_pack("{s:i, s:{s:i, s:i, s:i, s:i}}",
								"bytes", i, "rtt", "value", 2,
								"low", 1, "high", 3, "n", 9));
		machine = json_pack("{s:{s:{s:{s:o}}}}", "classes", "node", "there", "points",
				    points);
		d = (struct drift){0};
		CU_ASSERT_EQUAL(calibrate_drift_file(machine, "m.json", &d, &err),
				n > GAPS_SIZES_MAX ? -1 : 0);
		if (n > GAPS_SIZES_MAX)
			CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "97 points, more than 96"));
		json_decref(machine);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_drift_file_takes_sizes),
	SUITE_CASE(test_drift_file_takes_launches),
	SUITE_CASE(test_drift_file_takes_a_size_that_tells),
	SUITE_CASE(test_drift_file_takes_the_middle),
	SUITE_CASE(test_drift_file_refuses),
	SUITE_CASE(test_drift_file_of_many_points),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("drift_file", tests);
}
