/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/awaited.h"

#include "tests/fixtures/hangs.h"
#include "tests/fixtures/late.h"
#include "tests/fixtures/sums.h"

static void mark(struct job *j)
{
	awaited_mark(&j->run, &j->t, &j->m, &j->c);
	json_decref(j->run.meta);
}

/* Rank 0 waits for one of a circle, in which rank 4 is not, and that for nobody. */
static void test_awaited_knows_circles(void)
{
	struct job j;
	uint32_t r;

	make(&j, 5);
	for (r = 0; r < 4; r++)
		end_receiving(&j, r, r == 3 ? 1 : r + 1);
	end(&j, 4, "{\"ended\":\"killed\",\"signal\":\"SIGTERM\"}");
	mark(&j);
	for (r = 0; r < 5; r++) {
		uint32_t peer = r == 3 ? 1 : r + 1;

		CU_ASSERT_EQUAL(trace_awaits(&j.t, r), r < 4 ? peer : TRACE_NONE);
		CU_ASSERT_EQUAL(j.t.ranks[r].is_in_circle, r > 0 && r < 4);
	}
}

static void test_awaited_knows_who_waits_for_itself(void)
{
	struct job j;

	make(&j, 2);
	end_receiving(&j, 0, 1);
	end_receiving(&j, 1, 1);
	mark(&j);
	CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), 1);
	CU_ASSERT_FALSE(j.t.ranks[0].is_in_circle);
	CU_ASSERT_TRUE(j.t.ranks[1].is_in_circle);
}

/* Whose message may be on its way is not late, nor is it known of who is not recorded. */
static void test_awaited_is_only_who_has_sent_nothing(void)
{
	struct loose sent = {.rank = 1, .peer = 0, .tag = 7, .n = 1, .is_send = 1};
	struct job j;

	for (int way = 0; way < 4; way++) {
		make(&j, 2);
		end_receiving(&j, 0, 1);
		sent.tag = way == 1 ? 8 : 7;
		j.m.loose = (struct loose_ends){&sent, way == 0 || way == 1, 1};
		j.t.ranks[1].absent = way == 2;
		mark(&j);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), way == 1 || way == 3 ? 1 : TRACE_NONE);
	}
}

/* A send is awaited by who has posted no receive for it, nor is in one. */
static void test_awaited_is_who_receives_nothing(void)
{
	static const struct region sending = {.name = "MPI_Send", .kind = REGION_SEND};
	struct loose sent = {.rank = 0, .peer = 1, .tag = 7, .n = 1, .open = 1, .is_send = 1};
	struct region both[] = {regions[0], sending};
	struct job j;

	for (int way = 0; way < 3; way++) {
		make(&j, 2);
		j.t.regions = both;
		j.calls[0].region = 1;
		end(&j, 0,
		    "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Send\","
		    "\"peer\":1,\"tag\":7}");
		if (way == 1)
			end_receiving(&j, 1, 0);
		j.m.loose = (struct loose_ends){&sent, way != 2, 1};
		mark(&j);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), way == 0 ? 1 : TRACE_NONE);
	}
}

/*
 * Ranks 1 and 2 send to each other, rank 0 to 1, whose receive from any rank, begun before, may be
 * for that; it is not, as rank 1 is in MPI. If rank 1's message may be received, nobody knows.
 */
static void test_awaited_is_who_sends_meanwhile(void)
{
	static const struct region sending = {.name = "MPI_Send", .kind = REGION_SEND};
	static const uint32_t peer[] = {1, 2, 1};
	struct region both[] = {regions[0], sending};
	struct loose sent[] = {{.rank = 1, .peer = 2, .tag = 7, .n = 1, .open = 1, .is_send = 1},
			       {.rank = 2, .peer = 1, .tag = 7, .n = 1, .open = 1, .is_send = 1}};
	struct job j;

	for (uint32_t sends = 2; sends <= 3; sends++) {
		make(&j, 3);
		j.t.regions = both;
		for (uint32_t r = 0; r < sends; r++) {
			char how[120];

			snprintf(how, sizeof(how),
				 "{\"ended\":\"killed\",\"signal\":\"SIGTERM\","
				 "\"inside\":\"MPI_Send\",\"peer\":%u,\"tag\":7}",
				 peer[r]);
			j.calls[r].region = 1;
			end(&j, r, how);
		}
		if (sends < 3)
			end_outside(&j, 2);
		j.m.loose = (struct loose_ends){sends == 3 ? sent : NULL, sends == 3 ? 2 : 0, 2};
		mark(&j);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), sends == 3 ? 1 : TRACE_NONE);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 1), sends == 3 ? 2 : TRACE_NONE);
		CU_ASSERT_FALSE(j.t.ranks[0].is_in_circle);
	}
}

#define ANY ",\"source\":\"any\",\"tag\":7,\"comm\":0"

/* The only one that may send, or in a circle one of those that wait for it. */
static void test_awaited_of_any_rank(void)
{
	struct loose sent = {.rank = 1, .peer = 0, .tag = 7, .n = 1, .is_send = 1};
	struct job j;

	for (int way = 0; way < 4; way++) {
		make(&j, 3);
		end_in(&j, 0, IN_RECV, ANY);
		end_receiving(&j, 1, 0);
		if (way == 0)
			end_in(&j, 2, IN_FINALIZE, "");
		else
			end_outside(&j, 2);
		j.t.ranks[2].absent = way == 2;
		j.m.loose = (struct loose_ends){&sent, way == 3, 1};
		mark(&j);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), way == 0 ? 1 : way == 1 ? 2 : TRACE_NONE);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 1), 0);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 2), way == 0 ? 0 : TRACE_NONE);
		CU_ASSERT_EQUAL(j.t.ranks[0].is_in_circle, way == 0);
		CU_ASSERT_EQUAL(j.t.ranks[1].is_in_circle, way == 0);
	}
}

/* Of MPI_Sendrecv it is who sends nothing, or who does not take what is sent. */
static void test_awaited_in_a_swap(void)
{
	static const char *const froms[] = {",\"peer\":1,\"tag\":7,\"comm\":0",
					    ",\"peer\":1,\"tag\":7,\"comm\":0",
					    ",\"source\":\"nobody\"", ",\"source\":\"nobody\"", ""};
	static const uint32_t awaits[] = {1, TRACE_NONE, 2, TRACE_NONE, TRACE_NONE};
	struct send large = {.bytes = 1 << 20, .dst = 2, .tag = 5, .done = 0};
	struct job j;
	uint32_t way, r;

	for (way = 0; way < 5; way++) {
		struct loose rows[] = {
			{.rank = 0, .peer = 2, .tag = 5, .n = 1, .open = 1, .is_send = 1},
			{.rank = 1, .peer = 0, .tag = 7, .n = 1, .is_send = 1}};

		make(&j, 3);
		end_in(&j, 0, IN_SENDRECV, froms[way]);
		end_outside(&j, 1);
		if (way == 3)
			end_receiving(&j, 2, 0);
		else
			end_outside(&j, 2);
		rows[0].tag = way == 3 ? 7 : 5;
		large.tag = rows[0].tag;
		large.bytes = way == 1 ? 8 : 1 << 20;
		j.t.ends.sends = &large;
		for (r = 1; r <= 3; r++)
			j.of[r].send = 1;
		j.m.loose = (struct loose_ends){rows, way == 1 ? 2 : 1, 2};
		mark(&j);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), awaits[way]);
	}
}

/* Requests of which any would do, that all lead to one rank; or not all for certain. */
static void test_awaited_by_any_of_several_requests(void)
{
	struct region waiting[] = {regions[IN_RECV],
				   {.name = "MPI_Waitsome", .kind = REGION_WAITSOME},
				   {.name = "MPI_Irecv", .kind = REGION_IRECV}};
	struct loose rows[] = {{.rank = 0, .peer = 1, .tag = 7, .n = 1, .open = 1, .call = 3},
			       {.rank = 0, .peer = 2, .tag = 7, .n = 1, .open = 1, .call = 3}};
	struct recv given[] = {{.src = 1, .tag = 7, .call = 3, .done = TRACE_NONE, .given = 1},
			       {.src = 2, .tag = 7, .call = 3, .done = TRACE_NONE, .given = 1}};
	struct job j;
	uint32_t way, r;

	for (way = 0; way < 4; way++) {
		make(&j, 3);
		j.t.regions = waiting;
		j.calls[0].region = 1;
		j.calls[3] = (struct call){.region = 2, .part = TRACE_NONE};
		end(&j, 0,
		    "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"MPI_Waitsome\"}");
		if (way == 1)
			end_outside(&j, 1);
		else
			end_receiving(&j, 1, way == 3 ? 0 : 2);
		end_outside(&j, 2);
		j.t.ends.recvs = given;
		for (r = 1; r <= 3; r++)
			j.of[r].recv = 2;
		j.ranks[0].given = way == 2 ? 0 : 2;
		j.m.loose = (struct loose_ends){rows, 2, 2};
		mark(&j);
		CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), way == 0 || way == 3 ? 2 : TRACE_NONE);
	}
}

/* Who is in MPI_Finalize waits for who never came. */
static void test_awaited_at_the_end(void)
{
	struct job j;

	make(&j, 3);
	end_in(&j, 0, IN_FINALIZE, "");
	end_in(&j, 1, IN_FINALIZE, "");
	end_receiving(&j, 2, 1);
	mark(&j);
	CU_ASSERT_EQUAL(trace_awaits(&j.t, 0), 2);
	CU_ASSERT_EQUAL(trace_awaits(&j.t, 1), 2);
	CU_ASSERT_EQUAL(trace_awaits(&j.t, 2), 1);
	CU_ASSERT_TRUE(j.t.ranks[1].is_in_circle && j.t.ranks[2].is_in_circle);
	CU_ASSERT_FALSE(j.t.ranks[0].is_in_circle);
}

/* Rank 0 has received from 10 us on, and so waits for rank 1, until 100 us. */
static struct lateness of_two(struct tables *x, int64_t gone_ns, int is_circle)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct lateness l;
	struct err err = {""};

	tables_init(x, 2, 1);
	tables_call(x, 0, REGION_RECV, 10000, 100000, 0);
	tables_call(x, 1, REGION_RECV, 20000, is_circle ? 100000 : 30000, 1);
	tables_finish(x);
	x->trace.ranks[0].awaits = 2;
	x->trace.ranks[0].awaits_in = 0;
	x->trace.ranks[1].awaits = is_circle;
	x->trace.ranks[1].awaits_in = 1;
	x->trace.ranks[0].is_in_circle = x->trace.ranks[1].is_in_circle = is_circle != 0;
	x->trace.ranks[1].gone_ns = gone_ns;
	a = sums_attribute(x, &m);
	CU_ASSERT(gone_ns || sums_add_up(x, &a)); /* gone, it has no time */
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_late_partner].ns, 90000);
	CU_ASSERT_EQUAL_FATAL(lateness_find(&l, &x->trace, &x->messages, &a, &err), 0);
	attribution_release(&a);
	machine_release(&m);
	return l;
}

/* Before it waited itself it computed. */
static void test_awaited_in_a_circle_was_kept_by_that(void)
{
	struct tables x;
	struct lateness l = of_two(&x, 0, 1);

	CU_ASSERT_EQUAL(late_ns(&l, 1, LATENESS_COMPUTATION), 10000);
	CU_ASSERT_EQUAL(late_ns(&l, 1, LATENESS_CIRCLE), 80000);
	CU_ASSERT_EQUAL(late_ns(&l, 0, LATENESS_CIRCLE), 80000);
	CU_ASSERT_EQUAL(l.ns, 170000);
	lateness_release(&l);
	tables_release(&x);
}

/* Nobody knows what it did for the last 60 us but that it lived no more. */
static void test_awaited_of_who_is_gone(void)
{
	struct tables x;
	struct lateness l = of_two(&x, 60000, 0);

	CU_ASSERT_EQUAL(late_ns(&l, 1, LATENESS_COMPUTATION), 20000);
	CU_ASSERT_EQUAL(late_ns(&l, 1, LATENESS_GONE), 60000);
	CU_ASSERT_EQUAL(l.ns, 90000);
	lateness_release(&l);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_awaited_knows_circles),
		SUITE_CASE(test_awaited_knows_who_waits_for_itself),
		SUITE_CASE(test_awaited_is_only_who_has_sent_nothing),
		SUITE_CASE(test_awaited_is_who_receives_nothing),
		SUITE_CASE(test_awaited_is_who_sends_meanwhile),
		SUITE_CASE(test_awaited_of_any_rank),
		SUITE_CASE(test_awaited_in_a_swap),
		SUITE_CASE(test_awaited_by_any_of_several_requests),
		SUITE_CASE(test_awaited_at_the_end),
		SUITE_CASE(test_awaited_in_a_circle_was_kept_by_that),
		SUITE_CASE(test_awaited_of_who_is_gone),
		CU_TEST_INFO_NULL,
	};

	return suite_run("awaited", tests);
}
