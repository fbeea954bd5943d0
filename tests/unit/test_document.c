/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The document of a hand-made run: two ranks on two nodes, one message and a call
 * each. "test_document print" writes it, for the check against the schema.
 */
#include "analyze/document.h"

#include "tests/unit/suite.h"

#include <string.h>

struct fixture {
	struct run run;
	struct trace trace;
	struct messages messages;
	struct collectives collectives;
	struct clock_quality clock;
	struct machine machine;
	struct attribution attribution;
	struct hotspots hotspots;
	struct phases phases;
	struct patterns patterns;
	struct analysis analysis;
};

static struct rank ranks[2] = {
	{.host = "alpha", .node = 0, .end_ns = 1000000, .calls = 1},
	{.host = "b\xe9ta", .node = 1, .end_ns = 1000000, .calls = 1, .first_call = 1},
};
static struct region regions[2] = {{"MPI_Send", REGION_SEND}, {"MPI_Recv", REGION_RECV}};
static struct site sites[2] = {
	{.path = "/bin/app:ab+0x10;/lib/c:-+0x20", .file = "app.c", .function = "go", .line = 7},
	{.path = "/bin/app:ab+0x30"},
};
static struct call calls[2] = {
	{.enter_ns = 100000,
	 .leave_ns = 200000,
	 .rank = 0,
	 .region = 0,
	 .site = 0,
	 .collective = TRACE_NONE,
	 .flood = TRACE_NONE},
	{.enter_ns = 100000,
	 .leave_ns = 600000,
	 .rank = 1,
	 .region = 1,
	 .site = 1,
	 .collective = TRACE_NONE,
	 .flood = TRACE_NONE},
};
static struct message message = {
	.bytes = 4096,
	.src = 0,
	.dst = 1,
	.send_call = 0,
	.send_done = 0,
	.recv_call = 1,
	.recv_done = 1,
	.done_ns = 600000,
	.send_done_ns = 1000000,
	.not_here_ns = INT64_MIN,
};
static uint32_t by_dst[3] = {0, 0, 1};
static struct plogp_point points[1] = {{4096, 1e-6, 1e-6, 2e-6}};
static struct view rank_budget[2];
static uint32_t first_slice[2] = {1, 2}, no_slice[1];
static struct slice slices[] = {
	{0},
	{.ns = 100000, .part = COST_send_overhead, .last = 1},
	{.ns = 100000, .part = COST_wire},
	{.ns = 400000, .part = COST_network_contention, .last = 1},
};
static struct slice *blocks[] = {slices};
static int64_t wait_caused_ns[2];
static struct hotspot hotspot;

static struct part exactly(int64_t ns)
{
	return (struct part){ns, ns, ns};
}

/* Rank 0 computes 0.9 ms and sends for 0.1; rank 1 computes 0.5 and waits for 0.5. */
static struct phase phase = {
	.begin_ns = 100000, .end_ns = 900000, .spent_ns = 500000, .rounds = 3, .ended_by = 1};
static struct found found;

static void fill_attribution(struct attribution *a)
{
	memset(rank_budget, 0, sizeof(rank_budget));
	rank_budget[0].total_ns = rank_budget[1].total_ns = 1000000;
	rank_budget[0].parts[COST_compute] = exactly(900000);
	rank_budget[0].parts[COST_send_overhead] = exactly(100000);
	rank_budget[1].parts[COST_compute] = exactly(500000);
	rank_budget[1].parts[COST_wire] = exactly(100000);
	rank_budget[1].parts[COST_network_contention] = (struct part){400000, 300000, 450000};
	a->budget.total_ns = 2000000;
	a->budget.parts[COST_compute] = exactly(1400000);
	a->budget.parts[COST_send_overhead] = exactly(100000);
	a->budget.parts[COST_wire] = exactly(100000);
	a->budget.parts[COST_network_contention] = (struct part){400000, 300000, 450000};
	a->budget.contention = a->budget.parts[COST_network_contention];
	a->blame.total_ns = 500000;
	a->blame.parts[COST_wire] = exactly(100000);
	a->blame.parts[COST_network_contention] = (struct part){400000, 300000, 450000};
	a->blame.contention = a->blame.parts[COST_network_contention];
	wait_caused_ns[1] = 400000;
	a->rank_budget = rank_budget;
	a->call = (struct slices){.first = first_slice, .block = blocks, .parts = COST_COUNT};
	a->message = (struct slices){.first = no_slice, .block = blocks, .parts = COST_COUNT};
	a->wait_caused_ns = wait_caused_ns;
}

static void fill(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->run.dir = "app.2.x.contend";
	f->run.meta = json_pack("{s:s, s:s}", "command", "./app", "ended", "finalize");
	f->trace = (struct trace){.anchor = "traces.otf2",
				  .wall_ns = 1000000,
				  .nodes = 2,
				  .n_ranks = 2,
				  .n_regions = 2,
				  .n_sites = 2,
				  .n_calls = 2,
				  .ranks = ranks,
				  .regions = regions,
				  .sites = sites,
				  .calls = calls};
	f->messages = (struct messages){.m = &message, .n = 1, .by_dst = by_dst};
	f->machine.classes[LOCALITY_NETWORK] = (struct machine_class){.L_s = 1e-5,
								      .n = 1,
								      .points = points,
								      .uncertainty = 0.1,
								      .eager_bytes = UINT64_MAX,
								      .samples = 3};
	fill_attribution(&f->attribution);
	hotspot = (struct hotspot){.kind = "order",
				   .severity = SEVERITY_HIGH,
				   .site = 0,
				   .region = 0,
				   .rank = TRACE_NONE,
				   .saves_low_s = 1e-4,
				   .saves_mid_s = 2e-4,
				   .saves_high_s = 4e-4,
				   .n_evidence = 2,
				   .evidence = {{"queue", 3.5}, {"undefined", 0.0 / 0.0}},
				   .title = "t",
				   .why = "w",
				   .advice = "a"};
	f->hotspots = (struct hotspots){&hotspot, 1};
	found = (struct found){
		.scope = PATTERN_PHASE,
		.phase = 1,
		.site = 0,
		.comm = TRACE_NONE,
		.active = 8,
		.messages = 40,
		.bytes = 50,
		.p = {.best = {.name = "hypercube 8", .explained = 0.75, .permuted = 1},
		      .score = 0.7,
		      .n_equivalent = 1,
		      .equivalent = {"3-D grid 2x2x2"}}};
	f->patterns = (struct patterns){.f = &found, .n = 1, .bytes = 200};
	f->phases = (struct phases){.p = &phase, .n = 1};
	f->analysis = (struct analysis){&f->run,         &f->trace,    &f->messages,
					&f->collectives, &f->clock,    &f->machine,
					&f->attribution, &f->hotspots, &f->phases,
					&f->patterns,    NULL,         NULL};
}

static json_t *build(struct fixture *f)
{
	struct err err = {""};
	json_t *document = document_build(&f->analysis, &err);

	if (!document)
		CU_FAIL_FATAL("document_build failed");
	return document;
}

/* The number at a path such as "budget.parts.wire.s"; NaN when it is not there. */
static double number_at(const json_t *value, const char *path)
{
	char key[64];
	size_t n;

	while (value && *path) {
		n = strcspn(path, ".");
		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		value = json_object_get(value, key);
		path += n + (path[n] == '.');
	}
	return json_is_number(value) ? json_number_value(value) : 0.0 / 0.0;
}

static double sum_of_parts(const json_t *parts, const char *field)
{
	const char *name;
	json_t *part;
	double sum = 0.0;

	json_object_foreach((json_t *)parts, name, part)
		sum += number_at(part, field);
	return sum;
}

static void test_document_has_every_part_and_they_sum(void)
{
	static const char *const views[] = {"budget", "blame"};
	struct fixture f;
	json_t *document;
	size_t i;

	fill(&f);
	document = build(&f);
	for (i = 0; i < 2; i++) {
		const json_t *view = json_object_get(document, views[i]);
		const json_t *parts = json_object_get(view, "parts");

		CU_ASSERT_EQUAL(json_object_size(parts), COST_COUNT);
		CU_ASSERT_DOUBLE_EQUAL(sum_of_parts(parts, "s"), number_at(view, "total_s"), 1e-12);
		CU_ASSERT_DOUBLE_EQUAL(sum_of_parts(parts, "share"), 1.0, 1e-12);
	}
	CU_ASSERT_DOUBLE_EQUAL(number_at(document, "budget.parts.network_contention.low_s"), 3e-4,
			       1e-15);
	json_decref(document);
	json_decref(f.run.meta);
}

static void test_document_says_the_verdict_in_words(void)
{
	struct fixture f;
	json_t *document;
	const json_t *verdict;

	fill(&f);
	document = build(&f);
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(verdict, 0)),
			       "Communication is 30 % of rank time; 20 % could be saved without "
			       "contention.");
	json_decref(document);
	json_decref(f.run.meta);
}

/* Is there a condition that has these words? */
static int has_condition(const json_t *document, const char *words)
{
	const json_t *text, *quality = json_object_get(document, "quality");
	size_t i;

	json_array_foreach(json_object_get(quality, "conditions"), i, text)
		if (strstr(json_string_value(text), words))
			return 1;
	return 0;
}

/* A rank without the recorder is no node, and its ends of messages are not missed. */
static void test_document_leaves_out_who_was_not_recorded(void)
{
	struct fixture f;
	json_t *document, *run, *verdict;

	fill(&f);
	f.messages.n = 0;
	f.messages.one_ended = 3;
	ranks[0].absent = 1;
	f.attribution.budget.contention = exactly(0);
	document = build(&f);
	ranks[0].absent = 0;
	run = json_object_get(document, "run");
	CU_ASSERT_DOUBLE_EQUAL(number_at(run, "left_out_ranks"), 1.0, 0.0);
	CU_ASSERT_DOUBLE_EQUAL(number_at(run, "recorded_share"), 1.0, 0.0);
	CU_ASSERT_TRUE(has_condition(document, "rank 0 was not recorded: "));
	CU_ASSERT_TRUE(has_condition(document, "3 of the sends and receives have their other end "
					       "at a rank that was not recorded and are"));
	CU_ASSERT_FALSE(has_condition(document, "of rank time was recorded"));
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(verdict, 0)),
			       "Communication is 30 % of rank time.");
	json_decref(document);
	json_decref(f.run.meta);
}

/* Events that end half way: the first words say how much of the rest was in MPI. */
static void test_document_says_what_was_counted_after_the_events(void)
{
	struct op ends[] = {{.kind = OP_PAUSE, .time_ns = 500000},
			    {.kind = OP_PAUSE, .time_ns = 500000}};
	struct fixture f;
	json_t *document, *verdict;

	fill(&f);
	json_object_set_new(f.run.meta, "events_end",
			    json_pack("{s:f, s:f, s:i, s:{s:i, s:f}}", "first_s", 5e-4, "last_s",
				      5e-4, "ranks", 2, "after", "calls", 70, "s", 4e-4));
	f.messages.one_ended = 3;
	f.trace.ops = ends;
	f.trace.n_ops = 2;
	ranks[0].ops = ranks[1].ops = ranks[1].first_op = 1;
	document = build(&f);
	ranks[0].ops = ranks[1].ops = ranks[1].first_op = 0;
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(verdict, 0)),
			       "Only 50 % of rank time was recorded: all that follows is about "
			       "that; of the rest 40 % was in MPI (70 calls, 0.0004 s).");
	CU_ASSERT_TRUE(has_condition(document, "other end after the end of the events and are"));
	json_decref(document);
	json_decref(f.run.meta);
}

static void test_document_nothing_to_wait_for(void)
{
	struct fixture f;
	json_t *document;
	const json_t *verdict;

	fill(&f);
	f.messages.n = 0;
	f.trace.n_ranks = 1;
	document = build(&f);
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_EQUAL(json_array_size(verdict), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(verdict, 0)), "nobody"));
	json_decref(document);
	json_decref(f.run.meta);
}

/* Put and File_write are no messages, and yet something may wait there. */
static void test_document_does_not_acquit_what_it_cannot_read(void)
{
	struct fixture f;
	json_t *document;
	const char *verdict;
	char *name = regions[0].name;
	enum region_kind kind = regions[0].kind;

	fill(&f);
	f.messages.n = 0;
	regions[0].name = "MPI_Put";
	regions[0].kind = REGION_MPI_LOCAL;
	document = build(&f);
	verdict = json_string_value(json_array_get(
		json_object_get(json_object_get(document, "summary"), "verdict"), 0));
	CU_ASSERT_PTR_NOT_NULL(strstr(verdict, "one-sided communication"));
	json_decref(document);
	json_decref(f.run.meta);
	regions[0].name = name;
	regions[0].kind = kind;
}

static void test_document_doubts_lower_confidence(void)
{
	struct fixture f;
	json_t *document;
	const json_t *quality;

	fill(&f);
	document = build(&f);
	quality = json_object_get(document, "quality");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(quality, "confidence")), "high");
	CU_ASSERT_EQUAL(json_array_size(json_object_get(quality, "conditions")), 0);
	json_decref(document);
	f.machine.source = MACHINE_SELF_CALIBRATED;
	f.messages.unmatched_sends = 1;
	document = build(&f);
	quality = json_object_get(document, "quality");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(quality, "confidence")), "low");
	CU_ASSERT_EQUAL(json_array_size(json_object_get(quality, "conditions")), 2);
	json_decref(document);
	json_decref(f.run.meta);
}

static const char *confidence_of(const json_t *document)
{
	return json_string_value(
		json_object_get(json_object_get(document, "quality"), "confidence"));
}

/* Is there a condition that says so? */
static int says(const json_t *document, const char *what)
{
	const json_t *list = json_object_get(json_object_get(document, "quality"), "conditions");
	const json_t *condition;
	size_t i;

	json_array_foreach((json_t *)list, i, condition)
		if (strstr(json_string_value(condition), what))
			return 1;
	return 0;
}

static void test_document_says_that_none_was_alone(void)
{
	struct fixture f;
	json_t *document;

	fill(&f);
	document = build(&f);
	CU_ASSERT(!says(document, "alone"));
	CU_ASSERT(!says(document, "conditions:"));
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].crowding = 0.5;
	f.machine.path = "m.json";
	f.machine.caveats = "more ranks than cores";
	document = build(&f);
	CU_ASSERT(says(document, "no message between nodes was seen alone"));
	CU_ASSERT(says(document, "up to 1.5 times"));
	CU_ASSERT(says(document, "m.json was measured under conditions: more ranks than cores"));
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].crowding = 0;
	document = build(&f);
	CU_ASSERT_STRING_EQUAL(confidence_of(document), "medium");
	json_decref(document);
	f.machine.busy = 1;
	document = build(&f);
	CU_ASSERT_STRING_EQUAL(confidence_of(document), "low");
	json_decref(document);
	json_decref(f.run.meta);
}

/* A flood is one record of many calls: the archive's calls are those that its functions add up to. */
static void test_inventory_counts_calls_and_records(void)
{
	static struct flood flood = {.polls = 500};
	struct fixture f;
	struct err err;
	json_t *document;
	const json_t *region;
	double sum = 0;
	size_t i;

	fill(&f);
	f.trace.floods = &flood;
	f.trace.n_floods = 1;
	calls[1].flood = 0;
	document = document_inventory(
		&(struct inventory){&f.run, &f.trace, &f.messages, &f.collectives}, &err);
	calls[1].flood = TRACE_NONE;
	CU_ASSERT_PTR_NOT_NULL_FATAL(document);
	json_array_foreach(json_object_get(document, "regions"), i, region)
		sum += json_number_value(json_object_get(region, "calls"));
	region = json_object_get(document, "archive");
	CU_ASSERT_EQUAL(sum, 501);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(region, "calls")), 501);
	CU_ASSERT_EQUAL(json_integer_value(json_object_get(region, "call_records")), 2);
	json_decref(document);
	json_decref(f.run.meta);
}

/* Does the verdict have these words? */
static int is_verdict(struct fixture *f, const char *words)
{
	json_t *document = build(f);
	const json_t *list = json_object_get(json_object_get(document, "summary"), "verdict");
	const json_t *sentence;
	int yes = 0;
	size_t i;

	json_array_foreach((json_t *)list, i, sentence)
		yes |= !!strstr(json_string_value(sentence), words);
	json_decref(document);
	return yes;
}

static void test_document_advises_balance_where_work_differs(void)
{
	struct fixture f;
	struct part *parts = f.attribution.budget.parts;

	fill(&f);
	parts[COST_late_partner] = exactly(400000);
	parts[COST_network_contention] = exactly(0);
	f.attribution.budget.contention = exactly(0);
	CU_ASSERT(is_verdict(&f, "partners that came late."));
	hotspot.kind = "imbalance";
	CU_ASSERT(is_verdict(&f, "partners that came late: balance the work first."));
	ranks[1].taken_off = 1;
	CU_ASSERT(is_verdict(&f, "partners that came late."));
	parts[COST_late_partner] = exactly(0);
	parts[COST_send_overhead] = exactly(500000);
	CU_ASSERT(is_verdict(&f, "fewer and larger messages"));
	parts[COST_send_overhead].low_ns = 10000;
	CU_ASSERT(is_verdict(&f, "their processes may have waited for a core"));
	ranks[1].taken_off = 0;
	json_decref(f.run.meta);
}

static void test_document_callsites_largest_first(void)
{
	struct fixture f;
	json_t *document;
	const json_t *rows;
	const json_t *place;

	fill(&f);
	document = build(&f);
	rows = json_object_get(document, "callsites");
	CU_ASSERT_EQUAL(json_array_size(rows), 2);
	place = json_object_get(json_array_get(rows, 0), "callsite");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(place, "mpi")), "MPI_Recv");
	CU_ASSERT(json_is_null(json_object_get(place, "file")));
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(place, "address")),
			       "/bin/app:ab+0x30");
	CU_ASSERT_DOUBLE_EQUAL(number_at(json_array_get(rows, 0), "share"), 0.25, 1e-12);
	json_decref(document);
	json_decref(f.run.meta);
}

static void test_document_survives_odd_input(void)
{
	struct fixture f;
	json_t *document;
	const json_t *rank;

	fill(&f);
	f.analysis.run = NULL;
	document = build(&f);
	rank = json_array_get(json_object_get(document, "ranks"), 1);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(rank, "host")), "b?ta");
	json_decref(document);
	json_decref(f.run.meta);
}

static void test_document_names_patterns(void)
{
	struct fixture f;
	json_t *document;
	const json_t *first;

	fill(&f);
	document = build(&f);
	first = json_array_get(json_object_get(document, "patterns"), 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(first, "name")),
			       "hypercube 8, ranks permuted");
	CU_ASSERT_DOUBLE_EQUAL(number_at(first, "residual"), 0.25, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(number_at(first, "share"), 0.25, 1e-12);
	CU_ASSERT(json_is_null(json_object_get(first, "runner_up")));
	CU_ASSERT_EQUAL(json_array_size(json_object_get(first, "equivalent")), 1);
	first = json_array_get(json_object_get(document, "phases"), 0);
	CU_ASSERT_DOUBLE_EQUAL(number_at(first, "spent_s"), 5e-4, 1e-12);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(first, "ended_by")), "MPI_Recv");
	json_decref(document);
}

static CU_TestInfo tests[] = {
	{"test_document_names_patterns", test_document_names_patterns},
	{"has every part and they sum", test_document_has_every_part_and_they_sum},
	{"says the verdict in words", test_document_says_the_verdict_in_words},
	{"leaves out who was not recorded", test_document_leaves_out_who_was_not_recorded},
	{"says what was counted after the events",
	 test_document_says_what_was_counted_after_the_events},
	{"nothing to wait for", test_document_nothing_to_wait_for},
	{"does not acquit what it cannot read", test_document_does_not_acquit_what_it_cannot_read},
	{"doubts lower confidence", test_document_doubts_lower_confidence},
	{"document says that none was alone", test_document_says_that_none_was_alone},
	{"inventory counts calls and records", test_inventory_counts_calls_and_records},
	{"document advises balance where work differs",
	 test_document_advises_balance_where_work_differs},
	{"call sites largest first", test_document_callsites_largest_first},
	{"survives odd input", test_document_survives_odd_input},
	CU_TEST_INFO_NULL,
};

static int print_document(void)
{
	struct fixture f;
	struct err err = {""};
	json_t *document;
	int failed;

	fill(&f);
	document = document_build(&f.analysis, &err);
	failed = !document || json_dumpf(document, stdout, JSON_INDENT(1));
	json_decref(document);
	json_decref(f.run.meta);
	return failed;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "print"))
		return print_document();
	return suite_run("document", tests);
}
