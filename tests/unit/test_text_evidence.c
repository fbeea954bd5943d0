/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/rendered.h"

/* What is said of this evidence, which it releases; caller frees. */
static char *said_of(json_t *evidence)
{
	return rendered(120, text_evidence,
			json_pack("{s:o, s:{s:f}}", "evidence", evidence, "run", "wall_s", 1.0));
}

static void test_text_evidence_of_nodes_and_queues(void)
{
	char *text = said_of(json_pack(
		"{s:[{s:s, s:i, s:i}, {s:s, s:i, s:i}], s:[{s:i, s:i}], s:[{s:i, s:s, s:f, s:i}]}",
		"nodes", "host", "a", "tcp_segments_sent", 1000, "tcp_retransmits", 5, "host", "b",
		"tcp_segments_sent", 1000, "tcp_retransmits", 15, "processes", "rank", 1,
		"involuntary_switches", 5, "queues", "rank", 3, "queue", "unexpected_messages",
		"mean", 12.5, "most", 40));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "EVIDENCE"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "20 of 2000 segments sent again (1.0 %)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "most on b: 15"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "rank 3's: 12.5 on average"));
	CU_ASSERT_PTR_NULL(strstr(text, "switches"));
	CU_ASSERT_PTR_NULL(strstr(text, "cores"));
	free(text);
}

static void test_text_evidence_of_processes(void)
{
	char *text = said_of(json_pack("{s:[{s:i, s:f, s:i}]}", "processes", "rank", 1,
				       "core_awaited_ns", 5e8, "involuntary_switches", 1000000000));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  cores      waited for: 500 ms; most by rank 1: "));
	CU_ASSERT_PTR_NULL(strstr(text, "switches"));
	CU_ASSERT_PTR_NULL(strstr(text, "matching"));
	free(text);
	text = said_of(json_pack("{s:[{s:i, s:f}, {s:i, s:f}]}", "processes", "rank", 0,
				 "match_time_ns", 1e12, "rank", 1, "match_time_ns", 3e12));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "searched its queues for 4000 s; most in rank 1: 3000"));
	free(text);
}

/* Threads wait for cores at the same time; which ranks have several, the document says. */
static void test_text_evidence_of_threads(void)
{
	char *text = said_of(json_pack("{s:[{s:i, s:f, s:b}, {s:i, s:f}]}", "processes", "rank", 0,
				       "core_awaited_ns", 5e8, "several_threads", 1, "rank", 1,
				       "core_awaited_ns", 4e8));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "most by the threads of rank 0: 500 ms, 50"));
	free(text);
	text = said_of(
		json_pack("{s:[{s:i, s:f}]}", "processes", "rank", 1, "core_awaited_ns", 1.2e9));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "most by rank 1: 1.20 s, 120"));
	free(text);
}

static void test_text_evidence_of_nothing_is_none(void)
{
	char *text = said_of(json_object());

	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_text_evidence_of_nodes_and_queues),
		SUITE_CASE(test_text_evidence_of_processes),
		SUITE_CASE(test_text_evidence_of_threads),
		SUITE_CASE(test_text_evidence_of_nothing_is_none),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_evidence", cases);
}
