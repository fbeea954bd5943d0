/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counters beside the MPI calls are said to mean. */
#include "analyze/document/document_parts.h"
#include "analyze/run/run_cores.h"
#include "analyze/run/run_queues.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct rank ranks[8];
static struct core_groups core_groups; /* none at first */
static uint32_t nodes;
static int64_t awaited_ns;   /* of 1000: contention that may be waiting for cores, */
static int64_t searched_ns;  /* network contention that may be searching */
static int64_t network_ns;   /* of 1000 of the messages': network contention, */
static struct resent resent; /* and what counters say of it */
static struct message message = {.src = 0, .dst = 4};

/* The sentences about a run of 10 s with this evidence. */
static json_t *sentences_of(const char *evidence)
{
	struct run run = {.meta = json_pack("{s:f, s:o}", "wall_s", 10.0, "evidence",
					    json_loads(evidence, JSON_DECODE_ANY, NULL))};
	struct trace trace = {
		.ranks = ranks, .n_ranks = 8, .nodes = nodes, .core_groups = core_groups};
	struct attribution attribution = {.awaited_ns = awaited_ns,
					  .searched_ns = searched_ns,
					  .resent = resent,
					  .budget.total_ns = 1000,
					  .blame.total_ns = 1000};
	struct messages messages = {.m = &message, .n = 1};
	struct analysis a = {
		.run = &run, .trace = &trace, .messages = &messages, .attribution = &attribution};
	json_t *sentences;

	ranks[4].home = 1;
	attribution.blame.parts[COST_network_contention].ns = network_ns;
	sentences = document_evidence_sentences(&a);

	json_decref(run.meta);
	return sentences;
}

static int one_sentence_with(const char *evidence, const char *words)
{
	json_t *sentences = sentences_of(evidence);
	const char *text = json_string_value(json_array_get(sentences, 0));
	int yes = json_array_size(sentences) == 1 && text && strstr(text, words);

	if (!yes && text)
		fprintf(stderr, "%s\n", text);
	json_decref(sentences);
	return yes;
}

static int silent(const char *evidence)
{
	json_t *sentences = sentences_of(evidence);
	int yes = json_array_size(sentences) == 0;

	json_decref(sentences);
	return yes;
}

static void test_evidence_names_lost_packets(void)
{
	CU_ASSERT(one_sentence_with(
		"{\"nodes\": [{\"host\": \"a\", \"tcp_segments_sent\": 1000, "
		"\"tcp_retransmits\": 5, \"tcp_timeouts\": 1}, {\"host\": \"b\", "
		"\"tcp_segments_sent\": 1000, \"tcp_retransmits\": 15}]}",
		"20 segments again (1.0 % of all; 1 after a time-out), most on b"));
	CU_ASSERT(silent("{\"nodes\": [{\"host\": \"a\", \"tcp_segments_sent\": 1000, "
			 "\"tcp_retransmits\": 0}]}"));
}

static const char lost[] = "{\"nodes\": [{\"host\": \"a\", \"tcp_segments_sent\": 1000, "
			   "\"tcp_retransmits\": 5, \"tcp_timeouts\": 2}, {\"host\": \"b\", "
			   "\"tcp_segments_sent\": 1000, \"tcp_retransmits\": 0, "
			   "\"tcp_timeouts\": 0}]}";

/* What the messages' waits have to do with it; without readings, how to learn that. */
static void test_evidence_says_which_waits_were_for_lost_packets(void)
{
	nodes = 2;
	CU_ASSERT(one_sentence_with(lost, "; --counters when recording tells"));
	resent = (struct resent){.seen_ns = 2000000000, .beside_ns = 1500000000, .chance_ns = 5e8};
	CU_ASSERT(one_sentence_with(lost, "; of 2.00 s that messages waited in the network 1.50 s "
					  "lie between two readings in which their sender's node "
					  "did so, 500 ms would by chance"));
	CU_ASSERT_FALSE(one_sentence_with(lost, "for certain"));
	resent.messages = 2;
	resent.lost_ns = 600000000;
	CU_ASSERT(one_sentence_with(
		lost, "; 2 of them waited 600 ms at least for such time-outs, if these were"));
	resent = (struct resent){0};
	nodes = 0;
}

/* Only if there are waits that it could explain, and TCP that carried the messages. */
static void test_evidence_says_that_nothing_was_lost(void)
{
	static const char whole[] = "{\"nodes\": [{\"host\": \"a\", \"tcp_segments_sent\": 1000, "
				    "\"tcp_retransmits\": 0}, {\"host\": \"b\", "
				    "\"tcp_segments_sent\": 2000, \"tcp_retransmits\": 0}]}";
	static const char half[] = "{\"nodes\": [{\"host\": \"a\", \"tcp_segments_sent\": 1000, "
				   "\"tcp_retransmits\": 0}, {\"host\": \"b\", "
				   "\"tcp_segments_sent\": 2000}]}";

	nodes = 2;
	CU_ASSERT(silent(whole));
	network_ns = 10;
	message.bytes = 3000 * 9000;
	CU_ASSERT(one_sentence_with(whole, "no segment again on any of the 2 nodes"));
	CU_ASSERT_FALSE(one_sentence_with(half, "no segment again"));
	message.bytes++;
	CU_ASSERT(silent(whole));
	network_ns = 0;
	nodes = 0;
}

/* A node counts what all its programs send. */
static void test_evidence_blames_no_run_within_a_node(void)
{
	nodes = 1;
	CU_ASSERT(one_sentence_with(lost, "of another program's: all ranks of this run are on"));
	nodes = 0;
}

/* What one node or rank tells says nothing of another that does not. */
static void test_evidence_names_who_was_not_counted(void)
{
	static const char some[] =
		"{\"nodes\": [{\"host\": \"a\", \"tcp_retransmits\": 0}], \"processes\": ["
		"{\"rank\": 0, \"core_awaited_ns\": 1}, {\"rank\": 1, \"voluntary_switches\": 1}], "
		"\"missing\": {\"ib_port_xmit_wait\": \"none\"}}";
	static const char mixed[] = "{\"processes\": [{\"rank\": 0, \"core_awaited_ns\": 1e6}, "
				    "{\"rank\": 1, \"involuntary_switches\": 1000}]}";
	json_t *sentences;

	nodes = 2;
	CU_ASSERT(one_sentence_with(some, "tcp_retransmits (of 1 of 2 nodes it is not known); "
					  "core_awaited_ns (of 1 of 2 ranks it is not known)"));
	nodes = 0;
	sentences = sentences_of(mixed);
	CU_ASSERT_EQUAL(json_array_size(sentences), 2);
	CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(json_array_get(sentences, 0)),
				      "rank 1 was taken off its core"));
	json_decref(sentences);
}

static void test_evidence_names_ports_that_waited(void)
{
	CU_ASSERT(one_sentence_with("{\"nodes\": [{\"host\": \"a\", \"ib_port_xmit_wait\": 12}]}",
				    "most on a"));
}

static void test_evidence_names_a_rank_without_a_core(void)
{
	static const char one[] = "{\"processes\": [{\"rank\": 0, \"involuntary_switches\": 3}, "
				  "{\"rank\": 6, \"involuntary_switches\": 1000}]}";
	uint32_t two[] = {5, 6}, other[] = {7};
	struct core_group shared[] = {{.by = CORE_GROUP_SET,
				       .n = 2,
				       .ranks = two,
				       .cores = 1,
				       .which = (char[]){"3"},
				       .is_alike = 1,
				       .open = 7,
				       .node_ranks = 8,
				       .of_node = 8},
				      {.by = CORE_GROUP_SET,
				       .n = 1,
				       .ranks = other,
				       .cores = 2,
				       .which = (char[]){"4-5"},
				       .is_alike = 1,
				       .open = 7,
				       .node_ranks = 8,
				       .of_node = 8}};

	core_groups = (struct core_groups){shared, 2};
	CU_ASSERT(one_sentence_with(
		one, "rank 6 was taken off its core, or yielded it while MPI waited, 100 times "
		     "a second: ranks 5 and 6 were bound to the same core, and"));
	CU_ASSERT(one_sentence_with(
		"{\"processes\": [{\"rank\": 7, \"involuntary_switches\": 1000}]}",
		"no other rank has to share the cores that it may use (4-5), but other processes "
		"want them too (another job that is bound there?), and"));
	core_groups = (struct core_groups){NULL, 0};
	CU_ASSERT(one_sentence_with(
		"{\"processes\": [{\"rank\": 7, \"involuntary_switches\": 1000}]}",
		"100 times a second: there are cores for all ranks, but other processes want them "
		"too or ranks are bound to the same, and"));
	CU_ASSERT(silent("{\"processes\": [{\"rank\": 7, \"involuntary_switches\": 100}]}"));
}

/* What the kernel says of waits for a core is better than the switches. */
static void test_evidence_says_how_long_cores_were_awaited(void)
{
	static const char some[] =
		"{\"processes\": [{\"rank\": 6, \"involuntary_switches\": 1000, "
		"\"core_used_ns\": 8e9, \"core_awaited_ns\": 2e9}, {\"rank\": 7, "
		"\"involuntary_switches\": 3, \"core_used_ns\": 10e9, \"core_awaited_ns\": 1e6}]}";
	static const char none[] = "{\"processes\": [{\"rank\": 7, \"involuntary_switches\": 1000, "
				   "\"core_used_ns\": 10e9, \"core_awaited_ns\": 1e8}]}";

	ranks[6].crowd = 0;
	awaited_ns = 0;
	CU_ASSERT(one_sentence_with(
		some, "rank 6 waited for a core for 2.00 s, 20.0 % of the run: there are cores"));
	CU_ASSERT(silent(none));
	awaited_ns = 30;
	CU_ASSERT(one_sentence_with(some, "; up to 3.0 % of rank time that is contention may be"));
	CU_ASSERT(one_sentence_with(none, "; up to 3.0 % of rank time that is contention may be"));
	awaited_ns = 0;
}

/* The kernel counts a rank's threads together. */
static void test_evidence_of_threads_without_a_core(void)
{
	static const char evidence[] = "{\"processes\": [{\"rank\": 6, \"core_used_ns\": 8e9, "
				       "\"core_awaited_ns\": 12e9}]}";

	ranks[6].is_threaded = 1;
	CU_ASSERT(one_sentence_with(evidence,
				    "rank 6's threads, all together, waited for a core for 12.0 s, "
				    "120.0 % of the run: there are cores for all ranks, but "
				    "perhaps not for all their threads, or"));
	ranks[6].is_threaded = 0;
}

/* It is in the document, too: what is counted of such a rank is not one thread's. */
static void test_evidence_says_who_has_several_threads(void)
{
	struct run run = {.meta = json_pack("{s:{s:[{s:i}, {s:i}]}}", "evidence", "processes",
					    "rank", 6, "rank", 7)};
	struct trace trace = {.ranks = ranks, .n_ranks = 8};
	json_t *evidence, *processes;

	ranks[6].is_threaded = 1;
	evidence = document_evidence(&(struct analysis){.run = &run, .trace = &trace});
	processes = json_object_get(evidence, "processes");
	for (size_t k = 0; k < 2; k++)
		CU_ASSERT_EQUAL(json_is_true(json_object_get(json_array_get(processes, k),
							     "several_threads")),
				k == 0);
	ranks[6].is_threaded = 0;
	json_decref(evidence);
	json_decref(run.meta);
}

static void test_evidence_names_unexpected_messages(void)
{
	CU_ASSERT(one_sentence_with(
		"{\"queues\": [{\"rank\": 3, \"queue\": \"unexpected_messages\", \"looks\": 9, "
		"\"mean\": 12.5, \"most\": 40}]}",
		"12.5 messages on average (at most 40) lay unexpected in rank 3's queue"));
	CU_ASSERT(silent("{\"queues\": [{\"rank\": 3, \"queue\": \"posted_receives\", "
			 "\"looks\": 9, \"mean\": 12.5, \"most\": 40}]}"));
}

static void test_evidence_says_how_long_queues_were_searched(void)
{
	static const char little[] = "{\"processes\": [{\"rank\": 2, \"match_time_ns\": 2e7}]}";

	CU_ASSERT(one_sentence_with(
		"{\"processes\": [{\"rank\": 2, \"match_time_ns\": 2e7}, "
		"{\"rank\": 5, \"match_time_ns\": 5e8}]}",
		"MPI searched its queues for 500 ms in rank 5, 5.0 % of the run"));
	CU_ASSERT(silent(little));
	searched_ns = 20;
	CU_ASSERT(one_sentence_with(little, "; up to 2.0 % of rank time that seems network"));
	searched_ns = 0;
}

/* Also what is no time, or of no rank. */
static void test_evidence_marks_ranks_by_their_queues(void)
{
	struct run run = {
		.meta = json_loads("{\"evidence\": {\"processes\": ["
				   "{\"rank\": 1, \"match_time_ns\": 123456}, "
				   "{\"rank\": 2, \"match_time_ns\": -4}, "
				   "{\"rank\": 3, \"match_time_ns\": \"much\"}, "
				   "{\"rank\": 8, \"match_time_ns\": 5}, 6], \"queues\": [6, "
				   "{\"rank\": 2, \"queue\": \"unexpected_messages\", "
				   "\"looks\": 9, \"mean\": 1.5, \"most\": 4}, "
				   "{\"rank\": 3, \"queue\": \"posted_receives\", "
				   "\"looks\": 9, \"mean\": 1.5, \"most\": 4}, "
				   "{\"rank\": 4, \"queue\": \"unexpected_messages\", "
				   "\"looks\": 9, \"mean\": 5, \"most\": 4}]}}",
				   0, NULL)};
	struct run foreign = {.meta = NULL};
	struct rank marked[8] = {{0}};
	struct trace trace = {.ranks = marked, .n_ranks = 8, .nodes = 1};

	run_queues_mark(&foreign, &trace);
	run_queues_mark(&run, &trace);
	for (uint32_t r = 0; r < 8; r++)
		CU_ASSERT_EQUAL(marked[r].searched_ns, r == 1 ? 123456 : 0);
	for (uint32_t r = 0; r < 8; r++)
		CU_ASSERT_EQUAL(marked[r].unexpected.looks, r == 2 ? 9 : 0);
	CU_ASSERT(marked[2].unexpected.mean == 1.5 && marked[2].unexpected.most == 4);
	json_decref(run.meta);
}

static void test_evidence_of_another_shape_says_nothing(void)
{
	CU_ASSERT(silent("[1, 2]"));
	CU_ASSERT(silent("{\"nodes\": \"none\", \"processes\": {\"a\": 1}, \"queues\": [3]}"));
	CU_ASSERT(silent("{\"processes\": [{\"rank\": -1}, {\"rank\": 1e300}]}"));
}

/* Each row is looked at once: as many ranks as large machines have take no more than a copy. */
static void test_evidence_of_many_ranks_takes_little(void)
{
	json_t *rows = json_array(), *copy, *evidence = json_pack("{s:o}", "processes", rows);
	clock_t begun, copied;
	char *text;

	for (int i = 0; i < 4000; i++)
		json_array_append_new(rows, json_pack("{s:i, s:i}", "rank", i % 8,
						      "involuntary_switches", 1));
	text = json_dumps(evidence, 0);
	begun = clock();
	copy = json_loads(text, 0, NULL);
	copied = clock();
	json_decref(sentences_of(text));
	CU_ASSERT(clock() - copied < 20 * (copied - begun));
	json_decref(copy);
	json_decref(evidence);
	free(text);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_evidence_names_lost_packets),
	SUITE_CASE(test_evidence_says_which_waits_were_for_lost_packets),
	SUITE_CASE(test_evidence_says_that_nothing_was_lost),
	SUITE_CASE(test_evidence_blames_no_run_within_a_node),
	SUITE_CASE(test_evidence_names_who_was_not_counted),
	SUITE_CASE(test_evidence_names_ports_that_waited),
	SUITE_CASE(test_evidence_names_a_rank_without_a_core),
	SUITE_CASE(test_evidence_says_how_long_cores_were_awaited),
	SUITE_CASE(test_evidence_of_threads_without_a_core),
	SUITE_CASE(test_evidence_says_who_has_several_threads),
	SUITE_CASE(test_evidence_names_unexpected_messages),
	SUITE_CASE(test_evidence_says_how_long_queues_were_searched),
	SUITE_CASE(test_evidence_marks_ranks_by_their_queues),
	SUITE_CASE(test_evidence_of_many_ranks_takes_little),
	SUITE_CASE(test_evidence_of_another_shape_says_nothing),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("evidence", tests);
}
