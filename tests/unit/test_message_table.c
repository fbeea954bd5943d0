/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of analyze/message_table: what is in a row. */
#include "analyze/document/message_table.h"

#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>

static struct err err;

static void call(struct mktrace *m, uint32_t rank, int64_t ns, struct mkop op)
{
	mktrace_call(m, rank, (struct mkspan){ns, ns + 5}, rank ? "MPI_Recv" : "MPI_Send", NULL, 1,
		     &op);
}

/* The table of a trace; its columns up to the first of times. Caller frees. */
static char *table_of(struct mktrace *m, char *dir)
{
	struct attribution a = {0};
	struct messages messages = {0};
	struct trace t = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	t.dated = 1; /* as ours are: in others' archives a message that was cut is none */
	CU_ASSERT_EQUAL_FATAL(messages_match(&t, &messages, &err), 0);
	CU_ASSERT_EQUAL_FATAL(slices_init(&a.message, messages.n, COST_COUNT, &err), 0);
	CU_ASSERT_EQUAL(message_table_write(&t, &messages, &a, out), 0);
	fclose(out);
	slices_release(&a.message);
	messages_release(&messages);
	trace_release(&t);
	scratch_free(dir);
	return text;
}

static void expect_row(const char *text, const char *begin, const char *end)
{
	const char *row = strstr(text, begin);
	size_t n = row ? strcspn(row, "\n") : 0;
	char line[1000];

	CU_ASSERT_FATAL(row && n < sizeof(line));
	snprintf(line, sizeof(line), "%.*s", (int)n, row);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, end));
}

/* What came is what was sent, unless the receive was too small; more than that nobody believes. */
static void test_bytes_received(void)
{
	static const uint64_t received[] = {100, 60, 0, 101};
	char *dir = scratch_new(), *text;
	struct mktrace *m = mktrace_new(dir, 2, &err);
	int i;

	for (i = 0; i < 4; i++) {
		call(m, 0, 10 * i,
		     (struct mkop){.kind = OP_SEND, .peer = 1, .tag = i, .bytes = 100});
		call(m, 1, 10 * i,
		     (struct mkop){.kind = OP_RECV, .peer = 0, .tag = i, .bytes = received[i]});
	}
	text = table_of(m, dir);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, ",receive,receive_place,bytes_received,communicator_id,compute_ns,"));
	expect_row(text, ",0,100,0,", ",MPI_Recv,,100,0,");
	expect_row(text, ",1,100,10,", ",MPI_Recv,,60,0,");
	expect_row(text, ",2,100,20,", ",MPI_Recv,,0,0,");
	expect_row(text, ",3,100,30,", ",MPI_Recv,,,0,");
	free(text);
}

/* Two communicators may have one name. */
static void test_communicator_id(void)
{
	static const uint32_t both[] = {0, 1};
	char *dir = scratch_new(), *text;
	struct mktrace *m = mktrace_new(dir, 2, &err);
	uint32_t comm[2];
	int i;

	for (i = 0; i < 2; i++)
		comm[i] = mktrace_comm(m, "halo", 2, both);
	for (i = 0; i < 2; i++) {
		call(m, 0, 10 * i,
		     (struct mkop){
			     .kind = OP_SEND, .comm = comm[i], .peer = 1, .tag = 7, .bytes = 100});
		call(m, 1, 10 * i,
		     (struct mkop){
			     .kind = OP_RECV, .comm = comm[i], .peer = 0, .tag = 7, .bytes = 100});
	}
	text = table_of(m, dir);
	expect_row(text, "0,1,\"halo\",7,100,0,", ",MPI_Recv,,100,1,");
	expect_row(text, "0,1,\"halo\",7,100,10,", ",MPI_Recv,,100,2,");
	free(text);
}

int main(void)
{
	CU_TestInfo tests[] = {SUITE_CASE(test_bytes_received), SUITE_CASE(test_communicator_id),
			       CU_TEST_INFO_NULL};

	return suite_run("message_table", tests);
}
