/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the document says in words first: the verdict. */
#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"

#include <string.h>

static void test_verdict_says_the_verdict_in_words(void)
{
	struct handmade f;
	json_t *document;
	const json_t *verdict;

	handmade_fill(&f);
	document = handmade_document(&f);
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(verdict, 0)),
			       "Communication is 30 % of rank time; 20 % could be saved without "
			       "contention.");
	json_decref(document);
	handmade_release(&f);
}

/* Contention that does not matter is said with its bounds, and none of it without. */
static void test_verdict_says_how_little_contention_there_is(void)
{
	struct handmade f;

	handmade_fill(&f);
	f.attribution.budget.contention = (struct part){f.attribution.budget.total_ns / 250, 0,
							f.attribution.budget.total_ns / 50};
	CU_ASSERT_TRUE(is_verdict(&f, "Communication is 30 % of rank time; too little of it is "
				      "contention to matter (0.4 % of rank time, at most 2.0 %)."));
	f.attribution.budget.contention.ns = f.attribution.budget.total_ns / 10000;
	CU_ASSERT_TRUE(is_verdict(&f, "contention to matter (under 0.1 % of rank time, at most "
				      "2.0 %)."));
	f.attribution.budget.contention.ns = 0;
	CU_ASSERT_TRUE(is_verdict(&f, "contention to matter (at most 2.0 % of rank time)."));
	f.attribution.budget.contention = exactly(0);
	CU_ASSERT_TRUE(is_verdict(&f, "Communication is 30 % of rank time; next to none of it is "
				      "contention."));
	CU_ASSERT_TRUE(is_verdict(&f, "Messages are in contention for 80 % of their own time, but "
				      "ranks lose next to none of theirs by it."));
	f.attribution.blame.contention.low_ns = 0;
	CU_ASSERT_TRUE(is_verdict(&f, "Messages are in contention for at most 90 % of their own "
				      "time, but ranks lose next to none of theirs by it."));
	f.attribution.budget.contention.high_ns = f.attribution.budget.total_ns / 4;
	CU_ASSERT_TRUE(is_verdict(&f, "there may be contention in it (up to 25 %)"));
	CU_ASSERT_FALSE(is_verdict(&f, "ranks lose next to none"));
	handmade_release(&f);
}

/* Of collectives at work only a machine file tells what part is contention: they are left out. */
static void test_verdict_leaves_out_collectives_that_nobody_knows_of(void)
{
	static const char but[] =
		"Communication is 30 % of rank time; of the 10 % in which "
		"collectives were at work it is not known how much is contention; ";
	struct handmade f;
	char text[240];

	handmade_fill(&f);
	f.attribution.budget.parts[COST_collective_transfer] =
		exactly(f.attribution.budget.total_ns / 10);
	f.attribution.budget.parts[COST_late_partner] = exactly(0);
	f.attribution.budget.contention = exactly(f.attribution.budget.total_ns / 5);
	snprintf(text, sizeof(text), "%s20 %% could be saved without contention in the rest.", but);
	CU_ASSERT_TRUE(is_verdict(&f, text));
	f.attribution.budget.contention.low_ns = 0;
	snprintf(text, sizeof(text), "%sthere may be contention in the rest (up to 20 %%), but",
		 but);
	CU_ASSERT_TRUE(is_verdict(&f, text));
	f.attribution.budget.contention = (struct part){f.attribution.budget.total_ns / 250, 0,
							f.attribution.budget.total_ns / 50};
	snprintf(text, sizeof(text), "%stoo little of the rest is contention to matter (0.4 %%",
		 but);
	CU_ASSERT_TRUE(is_verdict(&f, text));
	f.attribution.budget.contention = exactly(0);
	snprintf(text, sizeof(text), "%snext to none of the rest is contention.", but);
	CU_ASSERT_TRUE(is_verdict(&f, text));
	handmade_release(&f);
}

/* Who waits in line for a server waits for a late partner, in rank time: it is said first. */
static void test_verdict_begins_with_who_waits_in_line(void)
{
	static const char line[] = "Requests of 7 ranks queue for the message handler of rank 3 "
				   "for 25 % of rank time: contention that is counted as "
				   "late partner.";
	struct handmade f;
	struct opinion o = {.name = "LoPC", .phase = 1};
	struct opinions all = {&o, 1};
	json_t *document;
	const json_t *summary;
	int64_t total;

	handmade_fill(&f);
	total = f.attribution.budget.total_ns;
	f.attribution.budget.contention = exactly(0);
	f.attribution.budget.parts[COST_late_partner] = exactly(total / 4);
	f.analysis.opinions = &all;
	CU_ASSERT_TRUE(is_verdict(&f, "next to none of it is contention."));
	CU_ASSERT_TRUE(is_verdict(&f, "is waiting for partners that came late"));
	o.inputs = (struct opinion_values){2, {{"P", 8}, {"P_s", 1}}};
	o.measured = (struct opinion_values){2, {{"queue_s", total * 0.25e-9}, {"busiest", 3}}};
	document = handmade_document(&f);
	summary = json_object_get(document, "summary");
	CU_ASSERT_STRING_EQUAL(
		json_string_value(json_array_get(json_object_get(summary, "verdict"), 0)), line);
	CU_ASSERT_EQUAL(
		json_integer_value(json_object_get(json_object_get(summary, "queue"), "clients")),
		7);
	json_decref(document);
	CU_ASSERT_FALSE(is_verdict(&f, "next to none"));
	CU_ASSERT_FALSE(is_verdict(&f, "partners that came late"));
	f.attribution.budget.contention = (struct part){total / 10, 0, total / 5};
	CU_ASSERT_TRUE(is_verdict(&f, "there may be other contention in it (up to 20 %)"));
	o.inputs.v[1].value = 2;
	CU_ASSERT_TRUE(is_verdict(&f, "Requests of 6 ranks queue for the message handlers of 2 "
				      "servers for 25 % of rank time"));
	o.measured.v[0].value *= 2; /* no more of it is counted as late partner */
	CU_ASSERT_TRUE(is_verdict(&f, "servers for 25 % of rank time"));
	f.trace.ranks[1].taken_off = 1; /* who asks may wait for the server's core */
	CU_ASSERT_FALSE(is_verdict(&f, "queue for the message handler"));
	handmade_release(&f);
}

/* Ends without their other ends are no acquittal. */
static void test_verdict_says_when_most_messages_are_torn(void)
{
	static const char words[] = "The other ends of 9 of the sends and receives are not in "
				    "the trace: what those waited for is not known.";
	struct handmade f;

	handmade_fill(&f);
	f.attribution.budget.contention = exactly(0);
	f.messages.unmatched_sends = 5;
	f.messages.unmatched_recvs = 4;
	CU_ASSERT_TRUE(is_verdict(&f, words));
	CU_ASSERT_FALSE(is_verdict(&f, "none of it is contention"));
	f.messages.n = 0;
	CU_ASSERT_TRUE(is_verdict(&f, "Communication is 30 % of rank time."));
	CU_ASSERT_TRUE(is_verdict(&f, words));
	CU_ASSERT_FALSE(is_verdict(&f, "no messages"));
	handmade_release(&f);
}

/*
 * Nor are receives that an archive of another tool never sees complete: their sends are all there.
 */
static void test_verdict_says_when_receives_are_never_complete(void)
{
	static const char other[] = "The other ends of 9 of the sends and receives are not in";
	static const char open[] = "Of 5 receives the trace does not say when they were complete: "
				   "what those and their sends waited for is not known.";
	struct recv recvs[6];
	struct handmade f;

	handmade_fill(&f);
	for (size_t i = 0; i < 6; i++)
		recvs[i] = (struct recv){.src = TRACE_NONE, .done = TRACE_NONE};
	recvs[2].is_void = 1;
	f.messages.unmatched_sends = 4;
	f.messages.unmatched_recvs = 5;
	f.trace.ends.recvs = recvs;
	f.trace.ends.n_recvs = 6;
	CU_ASSERT_TRUE(is_verdict(&f, open));
	CU_ASSERT_FALSE(is_verdict(&f, other));
	f.trace.ends.n_recvs = 5; /* that is one fewer than could be the cause */
	CU_ASSERT_TRUE(is_verdict(&f, other));
	f.trace.ends.n_recvs = 6;
	f.trace.dated = 1; /* of ours: they never were */
	CU_ASSERT_TRUE(is_verdict(&f, other));
	f.trace.ends = (struct endpoints){0};
	handmade_release(&f);
}

/* A rank without the recorder is no node, and its ends of messages are not missed. */
static void test_verdict_leaves_out_who_was_not_recorded(void)
{
	struct handmade f;
	json_t *document, *run, *verdict, *rows;

	handmade_fill(&f);
	f.messages.n = 0;
	f.messages.one_ended = 3;
	f.ranks[0].absent = 1;
	f.attribution.budget.contention = exactly(0);
	json_object_set_new(f.run.meta, "evidence",
			    json_pack("{s:[{s:i, s:i}, {s:i, s:i}]}", "processes", "rank", 0,
				      "involuntary_switches", 9, "rank", 1, "involuntary_switches",
				      7));
	document = handmade_document(&f);
	rows = json_object_get(json_object_get(document, "evidence"), "processes");
	CU_ASSERT_EQUAL(json_array_size(rows), 1);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(json_array_get(rows, 0), "rank"), 1.0, 0.0);
	run = json_object_get(document, "run");
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(run, "left_out_ranks"), 1.0, 0.0);
	CU_ASSERT_DOUBLE_EQUAL(handmade_number(run, "recorded_share"), 1.0, 0.0);
	CU_ASSERT_TRUE(has_condition(document, "rank 0 was not recorded: "));
	CU_ASSERT_TRUE(has_condition(document, "3 of the sends and receives have their other end "
					       "at a rank that was not recorded and are"));
	CU_ASSERT_FALSE(has_condition(document, "of rank time was recorded"));
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(verdict, 0)),
			       "Communication is 30 % of rank time.");
	json_decref(document);
	handmade_release(&f);
}

/* Events that end half way: the first words say how much of the rest was in MPI. */
static void test_verdict_says_what_was_counted_after_the_events(void)
{
	struct op ends[] = {{.kind = OP_PAUSE, .time_ns = 500000},
			    {.kind = OP_PAUSE, .time_ns = 500000}};
	struct handmade f;
	json_t *document, *verdict;

	handmade_fill(&f);
	json_object_set_new(f.run.meta, "events_end",
			    json_pack("{s:f, s:f, s:i, s:{s:i, s:f}}", "first_s", 5e-4, "last_s",
				      5e-4, "ranks", 2, "after", "calls", 70, "s", 4e-4));
	f.messages.one_ended = 3;
	f.trace.ops = ends;
	f.trace.n_ops = 2;
	f.ranks[0].ops = f.ranks[1].ops = f.ranks[1].first_op = 1;
	document = handmade_document(&f);
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(verdict, 0)),
			       "Only 50 % of rank time was recorded: all that follows is about "
			       "that; of the rest 40 % was in MPI (70 calls, 0.0004 s).");
	CU_ASSERT_TRUE(has_condition(document, "other end after the end of the events and are"));
	json_decref(document);
	handmade_release(&f);
}

static void test_verdict_nothing_to_wait_for(void)
{
	struct handmade f;
	json_t *document;
	const json_t *verdict;

	handmade_fill(&f);
	f.messages.n = 0;
	f.trace.n_ranks = 1;
	document = handmade_document(&f);
	verdict = json_object_get(json_object_get(document, "summary"), "verdict");
	CU_ASSERT_EQUAL(json_array_size(verdict), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(verdict, 0)), "nobody"));
	json_decref(document);
	handmade_release(&f);
}

/* Whoever was ended in the first receive of all waited, though no message came. */
static void test_verdict_does_not_acquit_who_was_ended_in_a_call(void)
{
	struct handmade f;

	handmade_fill(&f);
	f.messages.n = 0;
	f.trace.dated = 1;
	f.attribution.budget.parts[COST_collective_wait] = exactly(0);
	CU_ASSERT_TRUE(is_verdict(&f, "no collectives: there is nothing to wait for."));
	f.attribution.budget.parts[COST_collective_wait] = exactly(5);
	CU_ASSERT_TRUE(is_verdict(&f, "to wait for but the last of them in MPI_Finalize."));
	f.attribution.budget.parts[COST_collective_wait] = exactly(0);
	json_object_set_new(f.run.meta, "unfinished",
			    json_pack("[{s:i, s:s}]", "rank", 1, "ended", "killed"));
	CU_ASSERT_TRUE(is_verdict(&f, "no collectives: there is nothing to wait for."));
	json_object_set_new(f.run.meta, "unfinished",
			    json_pack("[{s:i, s:s, s:s}]", "rank", 1, "ended", "killed", "inside",
				      "MPI_Recv"));
	CU_ASSERT_FALSE(is_verdict(&f, "nothing to wait for"));
	CU_ASSERT_TRUE(is_verdict(&f, "No message and no collective was completed."));
	f.trace.n_ranks = f.trace.n_calls = 1;
	CU_ASSERT_FALSE(is_verdict(&f, "nobody to wait for"));
	handmade_release(&f);
}

/* Where it is told that ranks stood still for most of the run, no part of it explains more. */
static void test_verdict_explains_no_standstill_twice(void)
{
	struct handmade f;
	struct part *parts = f.attribution.budget.parts;

	handmade_fill(&f);
	f.trace.wall_ns = 4000000000;
	parts[COST_not_identifiable] = exactly(1500000);
	parts[COST_start_end] = exactly(400000);
	f.calls[0].leave_ns = 2500000000;
	json_object_set_new(f.run.meta, "unfinished",
			    json_pack("[{s:i, s:s, s:s, s:s}]", "rank", 1, "ended", "killed",
				      "signal", "SIGTERM", "inside", "MPI_Recv"));
	CU_ASSERT_TRUE(is_verdict(&f, "or returned for 1.50 s (38 % of the run)"));
	CU_ASSERT_TRUE(is_verdict(&f, "is time that the trace cannot explain."));
	CU_ASSERT_TRUE(is_verdict(&f, "a longer run says more"));
	f.calls[0].leave_ns = 1500000000;
	CU_ASSERT_TRUE(is_verdict(&f, "or returned for 2.50 s (62 % of the run)"));
	CU_ASSERT_TRUE(is_verdict(&f, "Communication is "));
	CU_ASSERT_FALSE(is_verdict(&f, "cannot explain"));
	CU_ASSERT_FALSE(is_verdict(&f, "a longer run says more"));
	handmade_release(&f);
}

/* Put and File_write are no messages, and yet something may wait there. */
static void test_verdict_does_not_acquit_what_it_cannot_read(void)
{
	static char *const names[][2] = {{"MPI_Put", "of their one-sided communication only"},
					 {"MPI_File_open", "of their collective file access only"}};

	for (int k = 0; k < 2; k++) {
		struct handmade f;

		handmade_fill(&f);
		f.messages.n = 0;
		f.trace.dated = 1; /* its other calls would have their records */
		f.regions[0].name = names[k][0];
		f.regions[0].kind = k == 1 ? REGION_COLLECTIVE : REGION_MPI_LOCAL;
		f.regions[0].is_of_files = k == 1;
		CU_ASSERT_TRUE(is_verdict(&f, names[k][1]));
		handmade_release(&f);
	}
}

static void test_verdict_advises_balance_where_work_differs(void)
{
	struct handmade f;
	struct part *parts = f.attribution.budget.parts;

	handmade_fill(&f);
	parts[COST_late_partner] = exactly(400000);
	parts[COST_network_contention] = exactly(0);
	f.attribution.budget.contention = exactly(0);
	CU_ASSERT(is_verdict(&f, "partners that came late."));
	f.hotspot.kind = "imbalance";
	CU_ASSERT(is_verdict(&f, "partners that came late: balance the work first."));
	f.ranks[1].taken_off = 1;
	CU_ASSERT(is_verdict(&f, "partners that came late."));
	parts[COST_late_partner] = exactly(0);
	parts[COST_send_overhead] = exactly(500000);
	CU_ASSERT(is_verdict(&f, "fewer and larger messages"));
	parts[COST_send_overhead].low_ns = 10000;
	CU_ASSERT(is_verdict(&f, "their processes may have waited for a core"));
	handmade_release(&f);
}

/* Larger messages would not make polls fewer. */
static void test_verdict_says_that_calls_are_polls(void)
{
	struct handmade f;

	handmade_fill(&f);
	f.attribution.budget.parts[COST_network_contention] = exactly(0);
	f.attribution.budget.parts[COST_send_overhead] = exactly(150000);
	CU_ASSERT(is_verdict(&f, "fewer and larger messages"));
	f.regions[f.calls[0].region].kind = REGION_IPROBE; /* 100 us */
	CU_ASSERT_FALSE(is_verdict(&f, "fewer and larger messages"));
	CU_ASSERT(is_verdict(&f, "MPI_Test, MPI_Iprobe and the like that found nothing"));
	handmade_release(&f);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_verdict_says_the_verdict_in_words),
		SUITE_CASE(test_verdict_says_how_little_contention_there_is),
		SUITE_CASE(test_verdict_leaves_out_collectives_that_nobody_knows_of),
		SUITE_CASE(test_verdict_begins_with_who_waits_in_line),
		SUITE_CASE(test_verdict_says_when_most_messages_are_torn),
		SUITE_CASE(test_verdict_says_when_receives_are_never_complete),
		SUITE_CASE(test_verdict_leaves_out_who_was_not_recorded),
		SUITE_CASE(test_verdict_says_what_was_counted_after_the_events),
		SUITE_CASE(test_verdict_nothing_to_wait_for),
		SUITE_CASE(test_verdict_does_not_acquit_who_was_ended_in_a_call),
		SUITE_CASE(test_verdict_explains_no_standstill_twice),
		SUITE_CASE(test_verdict_does_not_acquit_what_it_cannot_read),
		SUITE_CASE(test_verdict_advises_balance_where_work_differs),
		SUITE_CASE(test_verdict_says_that_calls_are_polls),
		CU_TEST_INFO_NULL,
	};

	return suite_run("verdict", tests);
}
