/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The document's parts. "test_document print" writes one, for the check against the schema. */
#include "analyze/clock/clock.h"
#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"

#include <string.h>

static double sum_of_parts(const json_t *parts, const char *field)
{
	const char *name;
	json_t *part;
	double sum = 0.0;

	json_object_foreach((json_t *)parts, name, part)
		sum += handmade_number(part, field);
	return sum;
}

static void test_document_has_every_part_and_they_sum(void)
{
	static const char *const views[] = {"budget", "blame"};
	struct handmade f;
	json_t *document;
	size_t i;

	handmade_fill(&f);
	document = handmade_document(&f);
	for (i = 0; i < 2; i++) {
		const json_t *view = json_object_get(document, views[i]);
		const json_t *parts = json_object_get(view, "parts");

		CU_ASSERT_EQUAL(json_object_size(parts), COST_COUNT);
		CU_ASSERT_DOUBLE_EQUAL(sum_of_parts(parts, "s"), handmade_number(view, "total_s"),
				       1e-12);
		CU_ASSERT_DOUBLE_EQUAL(sum_of_parts(parts, "share"), 1.0, 1e-12);
	}
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(document, "budget.parts.network_contention.low_s"),
			       3e-4, 1e-15);
	json_decref(document);
	handmade_release(&f);
}

/* The clocks of each two nodes, the worst first; without messages between them none. */
static void test_document_has_the_pairs_of_clocks(void)
{
	int64_t errors_ns[9] = {0, 500, 0, clock_moved_ns(600), 0, 700, 0, 0, 0};
	struct handmade f;
	json_t *document, *pairs;

	handmade_fill(&f);
	document = handmade_document(&f);
	pairs = json_object_get(json_object_get(document, "quality"), "clock_pairs");
	CU_ASSERT_TRUE(json_is_array(pairs));
	CU_ASSERT_EQUAL(json_array_size(pairs), 0);
	json_decref(document);
	f.trace.clocks = 3;
	f.trace.pair_error_ns = errors_ns;
	f.ranks[1].clock = 1;
	document = handmade_document(&f);
	pairs = json_object_get(json_object_get(document, "quality"), "clock_pairs");
	CU_ASSERT_EQUAL_FATAL(json_array_size(pairs), 3);
	for (size_t k = 0; k < 3; k++) {
		const json_t *pair = json_array_get(pairs, k);
		static const double errors_s[] = {700e-9, 600e-9, 500e-9};

		CU_ASSERT_DOUBLE_EQUAL(handmade_number(pair, "error_s"), errors_s[k], 1e-15);
		CU_ASSERT_EQUAL(json_is_true(json_object_get(pair, "shifted")), k == 1);
		CU_ASSERT_EQUAL(!strcmp(json_string_value(json_object_get(pair, "from")), "alpha"),
				k == 2);
	}
	json_decref(document);
	f.trace.pair_error_ns = NULL;
	handmade_release(&f);
}

/*
 * A flood is one record of many calls: the archive's calls are those that its functions add up to.
 */
static void test_inventory_counts_calls_and_records(void)
{
	static struct flood flood = {.polls = 500};
	struct handmade f;
	struct err err;
	json_t *document;
	const json_t *region;
	double sum = 0;
	size_t i;

	handmade_fill(&f);
	f.trace.floods = &flood;
	f.trace.n_floods = 1;
	f.calls[1].part = 0;
	f.calls[1].is_flood = 1;
	document = document_inventory(
		&(struct inventory){&f.run, &f.trace, &f.messages, &f.collectives}, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(document);
	json_array_foreach(json_object_get(document, "regions"), i, region)
		sum += json_number_value(json_object_get(region, "calls"));
	region = json_object_get(document, "archive");
	CU_ASSERT_EQUAL(sum, 501);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(region, "calls")), 501);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(region, "call_records")), 2);
	json_decref(document);
	handmade_release(&f);
}

static void test_document_callsites_largest_first(void)
{
	struct handmade f;
	json_t *document;
	const json_t *rows;
	const json_t *place;

	handmade_fill(&f);
	document = handmade_document(&f);
	rows = json_object_get(document, "callsites");
	CU_ASSERT_EQUAL(json_array_size(rows), 2);
	place = json_object_get(json_array_get(rows, 0), "callsite");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(place, "mpi")), "MPI_Recv");
	CU_ASSERT(json_is_null(json_object_get(place, "file")));
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(place, "address")),
			       "/bin/app:ab+0x30");
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(json_array_get(rows, 0), "share"), 0.25, 1e-12);
	json_decref(document);
	handmade_release(&f);
}

/* Of a flood of polls what is between them is the program's own: no time of that place. */
static void test_document_callsites_without_what_is_between_polls(void)
{
	struct flood flood = {.polls = 100, .inside_ns = 400000};
	struct handmade f;
	union slice *parts;
	json_t *document;
	const json_t *row;

	handmade_fill(&f);
	f.regions[1].kind = REGION_TEST;
	f.calls[1].part = 0;
	f.calls[1].is_flood = 1;
	f.trace.floods = &flood;
	f.trace.n_floods = 1;
	parts = f.attribution.call.block[0];
	parts[2].part = COST_compute; /* 0.1 of 0.5 ms */
	document = handmade_document(&f);
	parts[2].part = COST_wire;
	row = json_array_get(json_object_get(document, "callsites"), 0);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(row, "s"), 0.4e-3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(row, "share"), 0.2, 1e-12);
	CU_ASSERT_PTR_NULL(json_object_get(json_object_get(row, "parts"), "compute"));
	CU_ASSERT_EQUAL(handmade_number(row, "calls"), 100);
	json_decref(document);
	f.trace.floods = NULL;
	f.trace.n_floods = 0;
	handmade_release(&f);
}

static void test_document_counts_messages_to_self(void)
{
	for (uint32_t n = 0; n < 2; n++) {
		struct handmade f;
		json_t *document;

		handmade_fill(&f);
		CU_ASSERT_FATAL(f.messages.n > 0);
		if (n)
			f.messages.m[0].dst = f.messages.m[0].src;
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(handmade_number(json_object_get(document, "messages"), "to_self"),
				n);
		json_decref(document);
		handmade_release(&f);
	}
}

static void test_document_survives_odd_input(void)
{
	struct handmade f;
	json_t *document;
	const json_t *rank;

	handmade_fill(&f);
	f.analysis.run = NULL;
	document = handmade_document(&f);
	rank = json_array_get(json_object_get(document, "ranks"), 1);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(rank, "host")), "b?ta");
	json_decref(document);
	handmade_release(&f);
}

static void test_document_names_patterns(void)
{
	struct handmade f;
	json_t *document;
	const json_t *first;

	handmade_fill(&f);
	document = handmade_document(&f);
	first = json_array_get(json_object_get(document, "patterns"), 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(first, "name")),
			       "hypercube 8, ranks permuted");
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(first, "residual"), 0.25, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(first, "share"), 0.25, 1e-12);
	CU_ASSERT(json_is_null(json_object_get(first, "runner_up")));
	CU_ASSERT(json_is_true(json_object_get(first, "confident")));
	CU_ASSERT_EQUAL(json_array_size(json_object_get(first, "equivalent")), 1);
	first = json_array_get(json_object_get(document, "phases"), 0);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(first, "spent_s"), 5e-4, 1e-12);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(first, "ended_by")), "MPI_Recv");
	json_decref(document);
	handmade_release(&f);
}

/* Most of a short run is MPI_Init, which is said at once and hides nothing of the rest. */
static void test_document_says_what_starting_took(void)
{
	struct handmade f;
	struct view *v = &f.attribution.budget;
	json_t *document;

	handmade_fill(&f);
	v->total_ns += 98 * v->total_ns;
	v->parts[COST_start_end] = exactly(v->total_ns / 99 * 98);
	document = handmade_document(&f);
	CU_ASSERT_TRUE(handmade_says(document, "summary", "verdict",
				     "99 % of rank time is starting and ending MPI"));
	CU_ASSERT_FALSE(handmade_says(document, "summary", "verdict", "little to gain"));
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(json_object_get(json_object_get(document, "summary"),
							       "communication"),
					       "s"),
			       6e-4, 1e-12);
	json_decref(document);
	v->parts[COST_compute].ns += v->parts[COST_start_end].ns;
	v->parts[COST_start_end] = exactly(0);
	document = handmade_document(&f);
	CU_ASSERT_FALSE(handmade_says(document, "summary", "verdict", "starting and ending"));
	CU_ASSERT_TRUE(handmade_says(document, "summary", "verdict", "little to gain"));
	json_decref(document);
	handmade_release(&f);
}

/* Nobody shall have to guess why a recording is empty. */
static void test_document_says_who_never_began(void)
{
	struct op pauses[] = {{.kind = OP_PAUSE, .time_ns = 0}, {.kind = OP_PAUSE, .time_ns = 0}};
	static const struct {
		const char *option, *value;
		int is_told;
	} given[] = {{"start-off", "1", 1}, {"start-off", "0", 0}, {"ranks", "7", 0}};
	struct handmade f;
	json_t *document;
	size_t i;

	for (i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		handmade_fill(&f);
		f.messages.n = 0;
		f.trace.n_calls = 0;
		f.trace.ops = pauses;
		f.trace.n_ops = 2;
		f.ranks[0].calls = f.ranks[1].calls = 0;
		f.ranks[0].ops = f.ranks[1].ops = f.ranks[1].first_op = 1;
		json_object_set_new(f.run.meta, "options",
				    json_pack("{s:{s:s}}", given[i].option, "value",
					      given[i].value));
		document = handmade_document(&f);
		CU_ASSERT_TRUE(handmade_says(document, "summary", "verdict",
					     "Nothing was recorded of the 2 ranks"));
		CU_ASSERT_EQUAL(handmade_says(document, "summary", "verdict",
					      "MPI_Pcontrol(1) was never called"),
				given[i].is_told);
		CU_ASSERT_EQUAL(handmade_says(document, "quality", "conditions",
					      "MPI_Pcontrol(1) was never called"),
				given[i].is_told);
		json_decref(document);
		handmade_release(&f);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_document_names_patterns),
	SUITE_CASE(test_document_has_every_part_and_they_sum),
	SUITE_CASE(test_document_has_the_pairs_of_clocks),
	SUITE_CASE(test_inventory_counts_calls_and_records),
	SUITE_CASE(test_document_callsites_largest_first),
	SUITE_CASE(test_document_callsites_without_what_is_between_polls),
	SUITE_CASE(test_document_survives_odd_input),
	SUITE_CASE(test_document_counts_messages_to_self),
	SUITE_CASE(test_document_says_what_starting_took),
	SUITE_CASE(test_document_says_who_never_began),
	CU_TEST_INFO_NULL,
};

static int print_document(void)
{
	struct handmade f;
	struct err err = {""};
	json_t *document;
	int failed;

	handmade_fill(&f);
	document = document_build(&f.analysis, &err);
	failed = !document || json_dumpf(document, stdout, JSON_INDENT(1));
	json_decref(document);
	handmade_release(&f);
	return failed;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "print"))
		return print_document();
	return suite_run("document", tests);
}
