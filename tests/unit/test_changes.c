/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/pipelines.h"
#include "tests/fixtures/suite.h"

#define US    1000
#define SITE  3 /* of an exchange's sends */
#define RANKS 8 /* on two nodes, that swap */

static struct machine machine(void)
{
	return tables_machine(10e-6, 1e-6, 1e-9, 65536);
}

static struct changes ask(const struct tables *x, const struct changes_asked *asked)
{
	struct changes found;
	struct err err = {""};

	CU_ASSERT_EQUAL_FATAL(findings_changes(x, machine(), asked, &found, &err), 0);
	return found;
}

static double wall_s(const struct exchange *e)
{
	struct tables x;
	double s;

	exchange_make(&x, e);
	s = (double)x.trace.wall_ns * 1e-9;
	tables_release(&x);
	return s;
}

/* What is said of an exchange saves as much as its other form takes less; likely within a share. */
static void check(const struct exchange *now, const struct exchange *then,
		  const struct changes_asked *asked, double within)
{
	double saved_s = wall_s(now) - wall_s(then);
	struct changes found;
	struct tables x;

	exchange_make(&x, now);
	found = ask(&x, asked);
	CU_ASSERT_EQUAL_FATAL(found.n, 1);
	CU_ASSERT_EQUAL(found.row->site, SITE);
	CU_ASSERT_STRING_EQUAL(found.row->why_not, "");
	if (getenv("VERBOSE"))
		printf("saves %g, said [%g, %g, %g]\n", saved_s, found.row->saving.least_s,
		       found.row->saving.likely_s, found.row->saving.most_s);
	CU_ASSERT_DOUBLE_EQUAL(found.row->saving.likely_s, saved_s, within * fabs(saved_s) + 1e-5);
	CU_ASSERT(found.row->saving.least_s <= saved_s + 1e-5);
	CU_ASSERT(found.row->saving.least_s <= found.row->saving.likely_s);
	CU_ASSERT(found.row->saving.likely_s <= found.row->saving.most_s);
	CU_ASSERT(saved_s <= 1.1 * found.row->saving.most_s + 1e-5);
	changes_release(&found);
	tables_release(&x);
}

static void test_changes_of_order(void)
{
	static const struct changes_asked stagger = {.has_order = 1, .order = ORDER_STAGGER_ONLY},
					  shuffle = {.has_order = 1, .order = ORDER_SHUFFLE_ONLY};
	const struct exchange usual = exchange_usual(EXCHANGE_SAME, 7);
	struct exchange staggered = usual, shuffled = usual;

	staggered.order = EXCHANGE_STAGGERED;
	shuffled.order = EXCHANGE_RANDOM;
	check(&usual, &staggered, &stagger, 0.2);
	check(&usual, &shuffled, &shuffle, 0.2);
	check(&staggered, &staggered, &stagger, 0.2); /* which is no hotspot */
	check(&staggered, &shuffled, &shuffle, 0.6);  /* which takes longer */
}

static void test_changes_of_sends(void)
{
	static const struct changes_asked begun = {.asynchronous = 1};
	struct exchange one = exchange_usual(EXCHANGE_STAGGERED, 5), all;

	one.ranks = 12;
	one.bytes = 2000;
	one.g_ns = 4 * US;
	one.compute_ns = 100 * US;
	one.meets = 0;
	all = one;
	all.send = REGION_ISEND;
	check(&one, &all, &begun, 0.2);
}

/*
 * Those that go the same way everywhere queue behind each other, which they do not if begun
 * together; then it hardly matters in what order.
 */
static void test_changes_of_sends_that_queue(void)
{
	static const struct changes_asked begun = {.asynchronous = 1},
					  stagger = {.has_order = 1, .order = ORDER_STAGGER_ONLY};
	const struct exchange one = exchange_usual(EXCHANGE_SAME, 7);
	struct exchange all = one, staggered;

	all.send = REGION_ISEND;
	staggered = all;
	staggered.order = EXCHANGE_STAGGERED;
	check(&one, &all, &begun, 0.2);
	check(&all, &staggered, &stagger, 0.2);
}

/* What may all be waiting for cores is likely not the order's. */
static void test_changes_doubt_waits_for_cores(void)
{
	static const struct changes_asked stagger = {.has_order = 1, .order = ORDER_STAGGER_ONLY};
	const struct exchange usual = exchange_usual(EXCHANGE_SAME, 7);
	struct changes sure, unsure;
	struct tables x;

	exchange_make(&x, &usual);
	sure = ask(&x, &stagger);
	for (uint32_t r = 0; r < usual.ranks; r++) {
		x.trace.ranks[r].taken_off = 1;
		x.trace.ranks[r].core_awaited_ns = x.trace.wall_ns;
	}
	unsure = ask(&x, &stagger);
	CU_ASSERT_FATAL(sure.n == 1 && unsure.n == 1);
	CU_ASSERT(sure.row->saving.least_s > 0);
	CU_ASSERT(unsure.row->saving.likely_s < 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(unsure.row->saving.most_s, sure.row->saving.most_s, 1e-9);
	changes_release(&unsure);
	changes_release(&sure);
	tables_release(&x);
}

/* Each rank sends to the one at that distance and waits for its; ranks 0 to 3 are one node. */
static void swap(struct tables *x, uint32_t distance)
{
	int64_t now = 0;

	tables_init(x, RANKS, RANKS / 2);
	for (uint32_t round = 0; round < 10; round++) {
		int64_t took_ns = distance < RANKS / 2 ? 7 * US : 52 * US;

		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t send = tables_call(x, r, REGION_SEND, now, now + US, SITE);
			uint32_t recv = tables_call(x, r ^ distance, REGION_RECV, now + US,
						    now + took_ns, 2);

			tables_message(x, 40000, send, send, recv, recv);
		}
		now += took_ns + 20 * US;
	}
	tables_finish(x);
}

/* Between nodes a message costs 10 us and 1 ns a byte, within one a tenth. */
static struct machine two_speeds(void)
{
	struct machine m = machine();
	struct machine_class *node = &m.classes[LOCALITY_NODE];

	node->L_s = 1e-6;
	node->points[0].g_s = 2e-6;
	node->points[1].g_s = 2e-6 + 1e6 * 1e-10;
	return m;
}

static void test_changes_of_places(void)
{
	uint32_t near[RANKS] = {0, 4, 1, 5, 2, 6, 3, 7}, far[RANKS] = {0, 2, 4, 6, 1, 3, 5, 7};
	struct changes_asked map = {.map = near, .n_map = RANKS, .map_file = "map.json"};
	struct changes found;
	struct tables x, y;
	double saved_s;
	struct err err = {""};

	swap(&x, 4);
	swap(&y, 1);
	saved_s = (double)(x.trace.wall_ns - y.trace.wall_ns) * 1e-9;
	CU_ASSERT_EQUAL_FATAL(findings_changes(&x, two_speeds(), &map, &found, &err), 0);
	CU_ASSERT_EQUAL_FATAL(found.n, 1);
	CU_ASSERT_STRING_EQUAL(found.row->title,
			       "ranks at other places (between nodes 0.0 %, now 100.0 %)");
	CU_ASSERT_DOUBLE_EQUAL(found.row->saving.likely_s, saved_s, 0.15 * saved_s);
	changes_release(&found);
	map.map = far;
	CU_ASSERT_EQUAL_FATAL(findings_changes(&y, two_speeds(), &map, &found, &err), 0);
	CU_ASSERT_EQUAL_FATAL(found.n, 1); /* and the same for who is near: it takes longer */
	CU_ASSERT(found.row->saving.likely_s < -0.5 * saved_s);
	/* at least as if the four of a node were after each other in its port, 40 us each */
	CU_ASSERT(found.row->saving.least_s <= -10 * (165 + 1) * US * 1e-9);
	CU_ASSERT(found.row->saving.least_s >= -2 * 10 * 165 * US * 1e-9);
	CU_ASSERT(found.row->saving.most_s >= found.row->saving.likely_s);
	changes_release(&found);
	map.map = near;
	map.n_map = 4;
	CU_ASSERT_EQUAL(findings_changes(&x, two_speeds(), &map, &found, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "--map: map.json: it names 4 ranks, and the run has 8");
	map.n_map = RANKS;
	near[3] = 4;
	CU_ASSERT_EQUAL(findings_changes(&x, two_speeds(), &map, &found, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "--map: map.json: rank 4 is in it twice");
	near[3] = 9;
	CU_ASSERT_EQUAL(findings_changes(&x, two_speeds(), &map, &found, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "--map: map.json: there is no rank 9, only 0 to 7");
	tables_release(&y);
	tables_release(&x);
}

/* With all where it is nothing is saved, also of messages without bytes. */
static void test_changes_of_no_places(void)
{
	uint32_t same[RANKS];
	struct changes_asked map = {.map = same, .n_map = RANKS, .map_file = "map.json"};
	struct changes found;
	struct tables x;
	struct err err = {""};

	swap(&x, 4);
	for (uint32_t i = 0; i < x.messages.n; i++)
		x.messages.m[i].bytes = 0;
	for (uint32_t r = 0; r < RANKS; r++)
		same[r] = r;
	CU_ASSERT_EQUAL_FATAL(findings_changes(&x, two_speeds(), &map, &found, &err), 0);
	CU_ASSERT_EQUAL_FATAL(found.n, 1);
	CU_ASSERT_EQUAL(found.row->saving.likely_s, 0);
	CU_ASSERT_EQUAL(found.row->saving.most_s, 0);
	changes_release(&found);
	tables_release(&x);
}

/* One row each that says why nothing is known: nobody serves or has a choice, all is begun. */
static void test_changes_say_what_is_not_there(void)
{
	uint32_t same[RANKS];
	struct changes_asked all = {.has_order = 1,
				    .order = ORDER_STAGGER_ONLY,
				    .servers = 2,
				    .map = same,
				    .n_map = RANKS,
				    .map_file = "map.json",
				    .asynchronous = 1};
	struct changes found;
	struct tables x;
	int64_t now = 0;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t round = 0; round < 10; round++, now += 50 * US)
		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t to = (r + 1) % RANKS;
			uint32_t send = tables_call(&x, r, REGION_ISEND, now, now + US, SITE);
			uint32_t wait = tables_call(&x, r, REGION_WAIT, now + US, now + 2 * US, 4);
			uint32_t recv =
				tables_call(&x, to, REGION_RECV, now + 2 * US, now + 30 * US, 2);

			tables_message(&x, 40000, send, wait, recv, recv);
		}
	tables_finish(&x);
	for (uint32_t r = 0; r < RANKS; r++)
		same[r] = r;
	found = ask(&x, &all);
	CU_ASSERT_EQUAL(found.n, 4);
	for (uint32_t k = 0; k < found.n; k++)
		CU_ASSERT(*found.row[k].why_not && *found.row[k].title);
	changes_release(&found);
	found = ask(&x, &(struct changes_asked){0});
	CU_ASSERT_EQUAL(found.n, 0);
	changes_release(&found);
	tables_release(&x);
}

/*
 * Ten steps of 1 ms of work, of rank 0 0.2 ms more, with a message each to the next rank, or to one
 * that all send to, and a collective of all that takes 100 us when the last is there.
 */
static void meet(struct tables *x, int is_hub)
{
	tables_init(x, RANKS, 1);
	for (int step = 0; step < 10; step++) {
		int64_t begin = (step * 2 + 1) * 1000 * US, enter[RANKS];

		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t to = is_hub ? (r ? 0 : 1) : (r + 1) % RANKS;
			uint32_t send = tables_call(x, r, REGION_SEND, begin + r * US,
						    begin + r * US + 500, SITE);
			uint32_t recv = tables_call(x, to, REGION_RECV, begin + (20 + r) * US,
						    begin + (20 + r) * US + 500, SITE);

			tables_message(x, 8, send, send, recv, recv);
			enter[r] = begin + (r ? 1000 : 1200) * US;
		}
		tables_collective(x, enter, begin + 1300 * US, SITE);
	}
	tables_finish(x);
}

static struct change ask_ranks(uint32_t ranks, int is_hub)
{
	struct changes_asked asked = {.ranks = ranks};
	struct changes found;
	struct change row;
	struct tables x;

	meet(&x, is_hub);
	found = ask(&x, &asked);
	CU_ASSERT_EQUAL_FATAL(found.n, 1);
	row = *found.row;
	changes_release(&found);
	tables_release(&x);
	return row;
}

/* Ten collectives of 100 us among 64 instead of 8 have twice the steps; rank 0 is late in all. */
static void test_changes_of_ranks(void)
{
	struct change x = ask_ranks(64, 0);

	CU_ASSERT_STRING_EQUAL(x.title, "64 ranks that do as much each as 8 do now");
	CU_ASSERT_DOUBLE_EQUAL(x.saving.likely_s, -1e-3, 1e-6);
	CU_ASSERT(x.saving.least_s < -9e-3); /* nine times as long, and a margin */
	CU_ASSERT(x.saving.least_s > -12e-3);
	CU_ASSERT_EQUAL(x.saving.most_s, 0);
	x = ask_ranks(2, 0);
	CU_ASSERT_DOUBLE_EQUAL(x.saving.likely_s, 1e-3 * 2 / 3, 1e-6);
	CU_ASSERT_EQUAL(x.saving.least_s, 0);
	CU_ASSERT(x.saving.most_s > 2e-3); /* and rank 0 not late */
	x = ask_ranks(RANKS, 0);
	CU_ASSERT_EQUAL(x.saving.likely_s, 0);
	CU_ASSERT_EQUAL(x.saving.least_s, 0);
	CU_ASSERT_EQUAL(x.saving.most_s, 0);
	x = ask_ranks(1, 0);
	CU_ASSERT_STRING_EQUAL(x.title, "1 rank that does as much as each of 8 now");
	x = ask_ranks(64, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(x.why_not, "with most others"));
}

/* A pipeline beside copies of itself is none of more ranks. */
static void test_changes_ranks_of_a_pipeline(void)
{
	const struct pipeline line = {
		.ranks = 4, .sweeps = 5, .blocks = 10, .bytes = 1000, .work_ns = 300000};
	struct changes_asked asked = {.ranks = 8};
	struct err err = {""};
	struct changes out;
	struct tables x;

	pipeline_make(&x, &line);
	CU_ASSERT_FATAL(!findings_changes(&x, pipeline_machine(), &asked, &out, &err));
	CU_ASSERT_EQUAL_FATAL(out.n, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(out.row[0].why_not, "pass work on in a line"));
	changes_release(&out);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_changes_of_order),
		SUITE_CASE(test_changes_of_sends),
		SUITE_CASE(test_changes_of_sends_that_queue),
		SUITE_CASE(test_changes_doubt_waits_for_cores),
		SUITE_CASE(test_changes_of_places),
		SUITE_CASE(test_changes_of_no_places),
		SUITE_CASE(test_changes_say_what_is_not_there),
		SUITE_CASE(test_changes_of_ranks),
		SUITE_CASE(test_changes_ranks_of_a_pipeline),
		CU_TEST_INFO_NULL,
	};

	return suite_run("changes", tests);
}
