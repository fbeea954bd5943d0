/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the document says that its numbers can be trusted. */
#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"

#include <math.h>
#include <string.h>

static const char *confidence_of(const json_t *document)
{
	return json_string_value(
		json_object_get(json_object_get(document, "quality"), "confidence"));
}

static void test_conditions_doubts_lower_confidence(void)
{
	struct handmade f;
	json_t *document;
	const json_t *quality;

	handmade_fill(&f);
	document = handmade_document(&f);
	quality = json_object_get(document, "quality");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(quality, "confidence")), "high");
	CU_ASSERT_EQUAL(json_array_size(json_object_get(quality, "conditions")), 0);
	json_decref(document);
	f.machine.source = MACHINE_SELF_CALIBRATED;
	f.messages.unmatched_sends = 1;
	document = handmade_document(&f);
	quality = json_object_get(document, "quality");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(quality, "confidence")), "low");
	CU_ASSERT_EQUAL(json_array_size(json_object_get(quality, "conditions")), 2);
	json_decref(document);
	handmade_release(&f);
}

static void test_conditions_says_that_posts_are_not_known(void)
{
	struct handmade f;
	json_t *document;

	for (int known = 0; known < 2; known++) {
		handmade_fill(&f);
		f.messages.m[0].recv_call = known ? f.messages.m[0].recv_done : TRACE_NONE;
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(has_condition(document, "of 1 message only the call that waited "
							"is recorded"),
				!known);
		json_decref(document);
		handmade_release(&f);
	}
}

static void test_conditions_say_what_was_rebuilt(void)
{
	for (uint32_t rebuilt = 0; rebuilt < 2; rebuilt++) {
		struct handmade f;
		struct site kept;
		json_t *document;

		handmade_fill(&f);
		kept = f.trace.sites[0];
		f.trace.sites[0].path = "libc.so:ab+0x10;/bin/app:cd+0x20";
		f.trace.sites[0].rebuilt = rebuilt ? 17 : 0;
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(has_condition(document,
					      "1 of 2 call sites are told by address, or by a "
					      "caller: /bin/app is another build now"),
				rebuilt);
		json_decref(document);
		f.trace.sites[0] = kept;
		handmade_release(&f);
	}
}

/* Of what there is none no word. */
static void test_conditions_count_what_has_no_partner(void)
{
	static const struct {
		uint32_t sends, receives;
		const char *words;
	} rows[] = {{0, 4, "4 receives have no partner in the trace and are left out"},
		    {0, 1, "1 receive has no partner in the trace and is left out"},
		    {1, 2, "1 send and 2 receives have no partner in the trace and are left out"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct handmade f;
		json_t *document;

		handmade_fill(&f);
		f.messages.unmatched_sends = rows[i].sends;
		f.messages.unmatched_recvs = rows[i].receives;
		document = handmade_document(&f);
		CU_ASSERT(has_condition(document, rows[i].words));
		CU_ASSERT(!has_condition(document, "0 sends"));
		json_decref(document);
		handmade_release(&f);
	}
}

static void test_conditions_say_where_partners_are_missing(void)
{
	static struct loose rows[] = {{.rank = 0, .peer = 1, .tag = 3, .n = 2, .is_send = 1},
				      {.rank = 0, .peer = 1, .tag = 7, .n = 5, .is_send = 1},
				      {.rank = 1, .peer = 0, .tag = 8, .n = 4}};
	static const char *const words[] = {
		"12 sends have no partner in the trace and are left out",
		"left out: above all 5 sends of rank 0 to rank 1 with tag 7 (MPI_",
		"left out: above all 6 receives of rank 1 from any rank with any tag (MPI_"};

	for (int way = 0; way < 3; way++) {
		struct handmade f;
		json_t *document;

		handmade_fill(&f);
		f.messages.unmatched_sends = 12;
		f.messages.loose = (struct loose_ends){.row = rows, .n = way ? 3 : 0};
		if (way == 2)
			rows[2] = (struct loose){.rank = 1, .peer = TRACE_NONE, .tag = -1, .n = 6};
		document = handmade_document(&f);
		CU_ASSERT(has_condition(document, words[way]));
		CU_ASSERT_EQUAL(has_condition(document, "above all"), way > 0);
		json_decref(document);
		f.messages.loose = (struct loose_ends){0};
		handmade_release(&f);
	}
}

/* What bends all the time drifts; what changes between two messages was set. */
static void test_conditions_tell_jumps_from_drift(void)
{
	for (int jumped = 0; jumped < 2; jumped++) {
		struct handmade f;
		json_t *document;

		handmade_fill(&f);
		f.clock = (struct clock_quality){.drift_ns = 400000,
						 .violations = 7,
						 .moved_nodes = 2,
						 .windows = 8,
						 .jumped = jumped};
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(has_condition(document, "drift"), !jumped);
		CU_ASSERT_EQUAL(has_condition(document,
					      "the clocks of 2 nodes were shifted, one of "
					      "which jumped"),
				jumped);
		CU_ASSERT_EQUAL(has_condition(document, "two nodes come apart by 400 us"), jumped);
		json_decref(document);
		handmade_release(&f);
	}
}

/* Known by clocks that are no better than the times, or with the way back in it. */
static void test_conditions_say_what_the_estimate_leaves_open(void)
{
	struct handmade f;
	json_t *document;

	handmade_fill(&f);
	document = handmade_document(&f);
	CU_ASSERT(!has_condition(document, "one way") && !has_condition(document, "any factor"));
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].vague = 1;
	f.machine.classes[LOCALITY_NETWORK].slow = 1;
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "between nodes takes one way on the idle machine"));
	CU_ASSERT(has_condition(document, "fastest messages between nodes took longer than any"));
	CU_ASSERT(has_condition(document, "faster by any factor"));
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].without_core = 1;
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "a core at times: it may be faster by any factor"));
	CU_ASSERT(!has_condition(document, "fastest messages between nodes"));
	json_decref(document);
	handmade_release(&f);
}

#define MANY(x) x x x x x x x x

static void test_conditions_says_that_none_was_alone(void)
{
	struct handmade f;
	json_t *document;

	handmade_fill(&f);
	document = handmade_document(&f);
	CU_ASSERT(!has_condition(document, "alone"));
	CU_ASSERT(!has_condition(document, "conditions:"));
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].crowding = 0.5;
	f.machine.path = "m.json";
	f.machine.caveats = MANY(MANY("more ranks than cores; ")) "measure again";
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "no message between nodes was seen alone"));
	CU_ASSERT(has_condition(document, "up to 1.5 times"));
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].crowding = 0.02;
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "up to 1.02 times")); /* not 1.0 */
	CU_ASSERT(has_condition(document,
				"m.json was measured under conditions: more ranks than cores"));
	CU_ASSERT(has_condition(document, "; measure again")); /* no condition is cut */
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].crowding = 16799;
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "up to 16800 times"));
	json_decref(document);
	f.machine.classes[LOCALITY_NETWORK].crowding = 0;
	document = handmade_document(&f);
	CU_ASSERT_STRING_EQUAL(confidence_of(document), "medium");
	json_decref(document);
	f.machine.busy = 1;
	document = handmade_document(&f);
	CU_ASSERT_STRING_EQUAL(confidence_of(document), "low");
	json_decref(document);
	handmade_release(&f);
}

/* What is longer than the other sizes say is not left open in silence. */
static void test_conditions_says_what_is_beyond_the_line(void)
{
	for (int beyond = 0; beyond < 2; beyond++) {
		struct handmade f;
		struct part *parts = f.attribution.budget.parts;
		json_t *document;

		handmade_fill(&f);
		parts[COST_network_contention] = f.attribution.budget.contention = exactly(0);
		parts[COST_not_identifiable] = exactly(600000);
		f.machine.classes[LOCALITY_NETWORK].beyond = beyond * 1.5;
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(has_condition(document, "messages between nodes of some sizes took "
							"up to 2.5 times what the line through the "
							"other sizes' times says"),
				beyond);
		CU_ASSERT_EQUAL(!strcmp(confidence_of(document), "low"), beyond);
		CU_ASSERT_EQUAL(isnan(handmade_number(document, "machine.classes.network.beyond")),
				!beyond);
		json_decref(document);
		CU_ASSERT_EQUAL(is_verdict(&f, "contention that never lets up: a machine file"),
				beyond);
		f.trace.ranks[0].crowd = 2; /* then it may be anything */
		CU_ASSERT_FALSE(is_verdict(&f, "contention that never lets up"));
		handmade_release(&f);
	}
}

/* What a machine file could not tell from 0 is not 0 in silence. */
static void test_conditions_says_what_counts_as_0(void)
{
	struct handmade f;
	struct machine_class *c;
	json_t *document, *joint;

	handmade_fill(&f);
	c = &f.machine.classes[LOCALITY_NETWORK];
	f.machine.path = "m.json";
	document = handmade_document(&f);
	CU_ASSERT(!has_condition(document, "counted as 0"));
	CU_ASSERT(!has_condition(document, "as a sum"));
	json_decref(document);
	c->zeros = (struct machine_zeros){.o_s = 1};
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "and counted as 0: between nodes o_s of 1 of "));
	CU_ASSERT(has_condition(document, " sizes (m.json)"));
	CU_ASSERT_STRING_EQUAL(confidence_of(document), "high");
	json_decref(document);
	c->zeros = (struct machine_zeros){.L = 1};
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "counted as 0: between nodes L (m.json)"));
	CU_ASSERT_STRING_EQUAL(confidence_of(document), "medium");
	json_decref(document);
	c->zeros = (struct machine_zeros){0};
	c->joint = MACHINE_JOINT_SUM;
	document = handmade_document(&f);
	CU_ASSERT(has_condition(document, "tell latency and gap between nodes as a sum only"));
	CU_ASSERT_EQUAL(json_unpack(document, "{s:{s:{s:{s:o}}}}", "machine", "classes", "network",
				    "joint", &joint),
			0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(joint, 0)), "L_g");
	json_decref(document);
	handmade_release(&f);
}

/* A part that may be nothing or most of it is no fact, neither in the verdict nor in a number. */
static void test_conditions_says_what_is_not_identifiable(void)
{
	for (int wide = 0; wide < 2; wide++) {
		struct handmade f;
		struct part *budget = f.attribution.budget.parts;
		struct part *blame = f.attribution.blame.parts;
		json_t *document;

		handmade_fill(&f);
		budget[COST_network_contention] = exactly(0);
		f.attribution.budget.contention = exactly(0);
		budget[COST_wire] = exactly(600000);
		budget[COST_wire].low_ns = wide ? 0 : 590000;
		blame[COST_wire].low_ns = wide ? 0 : blame[COST_wire].ns;
		blame[COST_wire].high_ns =
			wide ? f.attribution.blame.total_ns : blame[COST_wire].ns;
		document = handmade_document(&f);
		CU_ASSERT(has_condition(document, "are not identifiable") == wide);
		CU_ASSERT(has_condition(document, "one reading: wire (L, G) 0 to 100 %") == wide);
		json_decref(document);
		f.machine.source = MACHINE_SELF_CALIBRATED;
		document = handmade_document(&f);
		CU_ASSERT(has_condition(document, "is one reading (a machine file of contend "
						  "calibrate tells more): wire") == wide);
		json_decref(document);
		CU_ASSERT(is_verdict(&f, "part of it, at most 30 % of rank time, is perhaps the "
					 "wire itself") == wide);
		CU_ASSERT(is_verdict(&f, "of rank time, is the wire itself") == !wide);
		handmade_release(&f);
	}
}

/* Thousands of percent say nothing that "hardly" does not. */
static void test_conditions_says_how_far_the_machine_is_known(void)
{
	static const double widths[] = {0.1, 0.4, 0.99, 1.04, 1.06, 1.5, 147.75};
	static const char *const words[] = {
		"machine parameters",
		"between nodes are known to +-40 % only",
		"between nodes are hardly known: they may be off by as much as they are taken for",
		"between nodes are hardly known: they may be off by as much as they are taken for",
		"between nodes are hardly known: they may be off by 1.1 times what they",
		"between nodes are hardly known: they may be off by 1.5 times what they",
		"between nodes are hardly known: they may be off by 148 times what they"};

	for (size_t k = 0; k < sizeof(widths) / sizeof(*widths); k++) {
		struct handmade f;
		json_t *document;

		handmade_fill(&f);
		f.machine.classes[LOCALITY_NETWORK].uncertainty = widths[k];
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(has_condition(document, words[k]), k > 0);
		json_decref(document);
		handmade_release(&f);
	}
}

/* Of messages that may have waited for a receive, or not. */
static void test_conditions_says_how_many_are_open(void)
{
	static const char *const words[] = {
		"waited for a receive to be posted",
		"nothing shows whether 1 message between nodes waited for a receive",
		"nothing shows whether 2 messages between nodes waited for a receive"};

	for (uint32_t open = 0; open < 3; open++) {
		struct handmade f;
		json_t *document;

		handmade_fill(&f);
		f.attribution.census[LOCALITY_NETWORK].open_late = open;
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(has_condition(document, words[open]), open > 0);
		json_decref(document);
		handmade_release(&f);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_conditions_doubts_lower_confidence),
		SUITE_CASE(test_conditions_say_what_was_rebuilt),
		SUITE_CASE(test_conditions_count_what_has_no_partner),
		SUITE_CASE(test_conditions_say_where_partners_are_missing),
		SUITE_CASE(test_conditions_says_that_posts_are_not_known),
		SUITE_CASE(test_conditions_tell_jumps_from_drift),
		SUITE_CASE(test_conditions_say_what_the_estimate_leaves_open),
		SUITE_CASE(test_conditions_says_that_none_was_alone),
		SUITE_CASE(test_conditions_says_what_is_beyond_the_line),
		SUITE_CASE(test_conditions_says_what_counts_as_0),
		SUITE_CASE(test_conditions_says_what_is_not_identifiable),
		SUITE_CASE(test_conditions_says_how_far_the_machine_is_known),
		SUITE_CASE(test_conditions_says_how_many_are_open),
		CU_TEST_INFO_NULL,
	};

	return suite_run("conditions", tests);
}
