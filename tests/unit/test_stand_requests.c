/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/hangs.h"

enum { WAIT, WAITALL, RECV, IRECV, ISEND, ISSEND, WINDOW, OWN };

static struct region waits[] = {
	[WAIT] = {.name = "MPI_Wait", .kind = REGION_WAIT},
	[WAITALL] = {.name = "MPI_Waitall", .kind = REGION_WAITALL},
	[RECV] = {.name = "MPI_Recv", .kind = REGION_RECV},
	[IRECV] = {.name = "MPI_Irecv", .kind = REGION_IRECV},
	[ISEND] = {.name = "MPI_Isend", .kind = REGION_ISEND},
	[ISSEND] = {.name = "MPI_Issend", .kind = REGION_ISEND, .mode = REGION_SYNCHRONOUS},
	[WINDOW] = {.name = "MPI_Win_wait", .kind = REGION_WAIT},
	[OWN] = {.name = "MPI_Grequest_start", .kind = REGION_MPI_LOCAL},
};

static struct loose rows[8];
static struct send sends[2];

/* All ranks wait in a call, and their rows, from and to the given ranks, are by rank. */
static void make_waiting(struct job *j, uint32_t n, uint32_t wait, size_t n_rows,
			 const uint32_t (*of)[2])
{
	char how[100];
	uint32_t r;
	size_t i;

	make(j, n);
	j->t.regions = waits;
	j->t.n_regions = sizeof(waits) / sizeof(waits[0]);
	j->calls[n] = (struct call){.region = IRECV, .part = TRACE_NONE};
	for (r = 0; r < n; r++) {
		j->calls[r].region = wait;
		snprintf(how, sizeof(how),
			 "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":\"%s\"}",
			 waits[wait].name);
		end(j, r, how);
	}
	for (i = 0; i < n_rows; i++)
		rows[i] = (struct loose){
			.rank = of[i][0], .peer = of[i][1], .tag = 7, .n = 1, .open = 1, .call = n};
	j->m.loose = (struct loose_ends){.row = rows, .n = n_rows};
}

static void test_stand_requests_of_one_peer(void)
{
	static const uint32_t of[][2] = {{0, 1}, {0, 1}, {1, 0}};
	struct job j;

	make_waiting(&j, 2, WAIT, 3, of);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\n2 ranks wait for each other in a circle: rank 0 for rank 1 (tag 7, "
			  "MPI_Irecv at solver.c:120), rank 1 for rank 0 (tag 7, MPI_Irecv at "
			  "solver.c:120)\n"));
	make_waiting(&j, 2, WAIT, 1, of);
	rows[0].tag = -1;
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\nrank 0 waits for rank 1 (MPI_Irecv at solver.c:120), which was in "
			  "MPI_Wait at solver.c:120\n"));
}

/* With several it is known for whom if all ways lead there. */
static void test_stand_requests_of_several_peers(void)
{
	static const uint32_t one_end[][2] = {{0, 1}, {0, 2}, {1, 2}};
	static const uint32_t two_ends[][2] = {{0, 1}, {0, 2}};
	static const uint32_t knot[][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
	static const uint32_t way_out[][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 3}};
	static const uint32_t circle[][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 1}};
	struct job j;

	make_waiting(&j, 3, WAITALL, 3, one_end);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\n2 ranks wait for rank 2, directly or through others, which was in "
			  "MPI_Waitall at solver.c:120\none of them waits so: rank 1 for rank 2 "
			  "(tag 7, MPI_Irecv at solver.c:120)\n"));
	make_waiting(&j, 3, WAITALL, 2, two_ends);
	CU_ASSERT_PTR_NULL(strstr(said(&j), "wait"));
	make_waiting(&j, 3, WAITALL, 6, knot);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\n2 ranks wait for each other in a circle: rank 0 for rank 1 (tag 7, "
			  "MPI_Irecv at solver.c:120) or others, rank 1 for rank 0 (tag 7, "
			  "MPI_Irecv at solver.c:120) or others\n"));
	make_waiting(&j, 4, WAITALL, 4, way_out);
	CU_ASSERT_PTR_NULL(strstr(said(&j), "wait"));
	make_waiting(&j, 3, WAITALL, 4, circle);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\n2 ranks wait for each other in a circle: rank 1 for rank 2 (tag 7, "
			  "MPI_Irecv at solver.c:120), rank 2 for rank 1 (tag 7, "));
}

/* Rank 0, whose call 0 is a wait, has begun one more to that one. */
static void add_open_send(struct job *j, uint32_t begun_in, uint32_t dst, uint64_t bytes)
{
	struct endpoints *e = &j->t.ends;
	uint32_t call = j->t.n_ranks + 1 + (uint32_t)e->n_sends, r;

	j->calls[call] = (struct call){.region = begun_in, .part = TRACE_NONE};
	sends[e->n_sends++] = (struct send){
		.bytes = bytes, .dst = dst, .tag = 5, .call = call, .done = TRACE_NONE};
	e->sends = sends;
	for (r = 1; r <= j->t.n_ranks; r++)
		j->of[r].send = (uint32_t)e->n_sends;
}

/* One whose other end is there, but cannot be done yet, may be it as well. */
static void test_stand_requests_whose_other_end_is_there(void)
{
	static const uint32_t of[][2] = {{0, 2}};
	static const uint64_t small = 8, large = 4 << 20;
	struct recv taken = {.src = 1, .tag = 6, .call = 4, .done = TRACE_NONE};
	struct job j;
	const char *text;
	uint32_t r;

	/* rank 0 has sent something small to rank 2, and waits for rank 1 to take the rest */
	make_waiting(&j, 3, WAIT, 0, NULL);
	add_open_send(&j, ISEND, 2, small);
	add_open_send(&j, ISEND, 1, large);
	text = said(&j);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "rank 0 waits for rank 1 (tag 5, MPI_Isend"));
	/* the same without the large one: for nobody */
	make_waiting(&j, 3, WAIT, 0, NULL);
	add_open_send(&j, ISEND, 2, small);
	CU_ASSERT_PTR_NULL(strstr(said(&j), "wait"));
	/* or in synchronous mode: for either */
	make_waiting(&j, 3, WAIT, 0, NULL);
	add_open_send(&j, ISSEND, 2, small);
	add_open_send(&j, ISEND, 1, large);
	CU_ASSERT_PTR_NULL(strstr(said(&j), "wait"));
	/* beside a receive from rank 2 that nobody sends to */
	make_waiting(&j, 3, WAIT, 1, of);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "rank 0 waits for rank 2"));
	make_waiting(&j, 3, WAIT, 1, of);
	add_open_send(&j, ISEND, 1, large);
	CU_ASSERT_PTR_NULL(strstr(said(&j), "wait"));
	/* beside one from rank 1, whose message may be still on its way, or is there */
	for (r = 0; r < 2; r++) {
		make_waiting(&j, 3, WAIT, 1, of);
		j.t.ends.recvs = &taken;
		j.of[1].recv = j.of[2].recv = j.of[3].recv = 1;
		j.ranks[1].absent = r == 0;
		CU_ASSERT_EQUAL(strstr(said(&j), "wait") != NULL, r == 1);
	}
}

/* What is not a request that may be waited for makes nobody wait. */
static void test_stand_requests_that_are_not_waited_for(void)
{
	static const uint32_t of[][2] = {{0, 1}};
	struct job j;
	int way;

	for (way = 0; way < 5; way++) {
		make_waiting(&j, 2, WAIT, 1, of);
		if (way == 1) { /* its message is being received, */
			json_t *to = json_array_get(json_object_get(j.run.meta, "unfinished"), 1);

			j.calls[1].region = RECV;
			json_object_set_new(to, "inside", json_string("MPI_Recv"));
			json_object_set_new(to, "peer", json_integer(0));
		}
		if (way == 1)
			add_open_send(&j, ISEND, 1, 4 << 20);
		j.m.loose.n = way != 1;
		rows[0].open = way != 2; /* or it was buffered */
		if (way == 3)
			rows[0].peer = TRACE_NONE; /* anybody's, who is rank 1 */
		j.ops[0] = (struct op){.kind = OP_NBC_POST};
		j.ranks[0].ops = way == 4; /* or of a collective that it waits for */
		CU_ASSERT_EQUAL(strstr(said(&j), " for rank 1") != NULL, way == 0 || way == 3);
	}
}

/* A send of rank 0 to rank 1, beside what that waits for. */
static void add_send(struct job *j, uint32_t from, int32_t tag, uint32_t comm)
{
	rows[j->m.loose.n++] = (struct loose){.rank = from,
					      .peer = 1,
					      .tag = tag,
					      .comm = comm,
					      .n = 2,
					      .call = 1 + from,
					      .is_send = 1};
}

static void test_stand_requests_beside_messages_with_other_tags(void)
{
	static const uint32_t of[][2] = {{1, 0}};
	struct job j;

	make_waiting(&j, 2, WAIT, 1, of);
	add_send(&j, 0, 8, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\nrank 1 waits for tag 7 of rank 0, which sent it 2 messages with tag "
			  "8 that nobody received (MPI_Wait at solver.c:120)\n"));
	make_waiting(&j, 2, WAIT, 1, of);
	add_send(&j, 0, 7, 5);
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\nrank 1 waits for tag 7 of rank 0, which sent it 2 messages with tag "
			  "7 on another communicator that nobody received ("));
	make_waiting(&j, 3, WAIT, 1, of);
	add_send(&j, 2, 8, 0); /* of a rank that it does not wait for */
	CU_ASSERT_PTR_NULL(strstr(said(&j), "sent it"));
}

/* The same of a receive without a request, which a message with its tag may be about to end. */
static void test_stand_requests_or_receives_beside_other_messages(void)
{
	static const char *const ends[] = {
		"\nrank 1 waits for tag 7 of rank 0, which sent it 2 messages with tag 8 that ",
		"\nrank 1 waits for tag 7 of any rank, and rank 0 sent it 2 messages with tag 8 "};
	struct job j;
	int any, comes;

	for (any = 0; any < 2; any++)
		for (comes = 0; comes < 2; comes++) {
			const char *text;

			make_waiting(&j, 1, RECV, 0, NULL);
			j.t.n_ranks = j.t.n_calls = 2;
			j.ranks[1] = (struct rank){.end_ns = 10 * S, .calls = 1, .first_call = 1};
			j.calls[1] = j.calls[0];
			j.calls[1].rank = 1;
			end(&j, 1,
			    any ? "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":"
				  "\"MPI_Recv\",\"source\":\"any\",\"tag\":7}"
				: "{\"ended\":\"killed\",\"signal\":\"SIGTERM\",\"inside\":"
				  "\"MPI_Recv\",\"peer\":0,\"tag\":7}");
			add_send(&j, 0, 8, 0);
			if (comes)
				add_send(&j, 0, 7, 0);
			text = said(&j);
			CU_ASSERT_EQUAL(strstr(text, ends[any]) != NULL, !comes);
			CU_ASSERT_EQUAL(strstr(text, "sent it") != NULL, !comes);
		}
}

/* Beside a receive the rank has something open of which it is not known who is to end it. */
static void test_stand_requests_beside_those_of_others_than_messages(void)
{
	static const uint32_t of[][2] = {{0, 1}};
	struct job j;
	int way;

	for (way = 0; way < 4; way++) {
		make_waiting(&j, 2, way == 1 ? WINDOW : WAIT, 1, of);
		j.ranks[0].aside = way == 2; /* of a file, or another window's */
		if (way == 3) {
			j.calls[2].region = OWN;
			j.calls[2].leave_ns = S;
			j.ranks[1].first_call = 2; /* rank 0 has two calls, rank 1 its receive's */
			j.calls[1] = j.calls[2];
			j.calls[2] = j.calls[0];
			j.calls[0] = j.calls[1];
			j.calls[1] = j.calls[2];
			j.calls[2].rank = 1;
			j.ranks[0].calls = 2;
			j.t.n_calls = 3;
		}
		CU_ASSERT_EQUAL(strstr(said(&j), " for rank 1") != NULL, way == 0);
	}
}

/* Rank 0's call was given receives from these, of what it has open. */
static void give(struct job *j, uint32_t n, const uint32_t from[])
{
	static struct recv given[2];
	uint32_t r;

	for (r = 0; r < n; r++)
		given[r] = (struct recv){
			.src = from[r], .tag = 7, .call = 3, .done = TRACE_NONE, .given = 1};
	j->t.ends.recvs = given;
	for (r = 1; r <= j->t.n_ranks; r++)
		j->of[r].recv = n;
	j->ranks[0].given = n;
}

/* What else is open is not waited for. */
static void test_stand_requests_that_the_call_was_given(void)
{
	static const uint32_t of[][2] = {{0, 1}, {0, 2}}, from[] = {2, 1};
	struct job j;
	int way;

	for (way = 0; way < 6; way++) {
		make_waiting(&j, 3, way == 5 ? WAITALL : WAIT, 2, of);
		if (way > 0)
			give(&j, 1, from);
		j.ranks[0].is_threaded = way == 2; /* whose wait is it? */
		j.ops[0] = (struct op){.kind = OP_NBC_POST};
		j.ranks[0].ops = way >= 3; /* of a collective: given, too, in two of three cases */
		j.ranks[0].given += way >= 4;
		CU_ASSERT_EQUAL(strstr(said(&j), "rank 0 waits for rank 2 (tag 7, MPI_Irecv at "
						 "solver.c:120)") != NULL,
				way == 1 || way == 3 || way == 5);
	}
}

/* All of them, or one of them. */
static void test_stand_requests_of_which_all_are_waited_for(void)
{
	static const uint32_t of[][2] = {{0, 2}, {0, 1}, {1, 0}}, from[] = {2, 1};
	struct job j;

	make_waiting(&j, 3, WAITALL, 2, of);
	give(&j, 2, from);
	CU_ASSERT_PTR_NOT_NULL(strstr(said(&j), "\nrank 0 waits for rank 2 (tag 7, MPI_Irecv at "
						"solver.c:120; and for rank 1), which was in "));
	make_waiting(&j, 3, WAIT, 2, of);
	give(&j, 2, from);
	CU_ASSERT_PTR_NULL(strstr(said(&j), "wait"));
	make_waiting(&j, 3, WAITALL, 3, of);
	rows[0].peer = 1;
	rows[1].peer = 2;
	give(&j, 2, from);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(said(&j),
		       "\n2 ranks wait for each other in a circle: rank 0 for rank 1 (tag 7, "
		       "MPI_Irecv at solver.c:120; and for rank 2), rank 1 for rank 0 (tag 7, "));
}

/* That one of them was sent another tag is said, too. */
static void test_stand_requests_of_which_one_was_sent_another_tag(void)
{
	static const uint32_t of[][2] = {{0, 2}, {0, 1}}, from[] = {2, 1};
	struct job j;

	make_waiting(&j, 3, WAITALL, 2, of);
	give(&j, 2, from);
	rows[j.m.loose.n++] =
		(struct loose){.rank = 1, .peer = 0, .tag = 8, .n = 2, .call = 2, .is_send = 1};
	CU_ASSERT_PTR_NOT_NULL(strstr(
		said(&j), "\nrank 0 waits for tag 7 of rank 1, which sent it 2 messages with tag "
			  "8 that nobody received ("));
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_stand_requests_that_the_call_was_given),
	SUITE_CASE(test_stand_requests_of_which_all_are_waited_for),
	SUITE_CASE(test_stand_requests_of_which_one_was_sent_another_tag),
	SUITE_CASE(test_stand_requests_of_one_peer),
	SUITE_CASE(test_stand_requests_of_several_peers),
	SUITE_CASE(test_stand_requests_whose_other_end_is_there),
	SUITE_CASE(test_stand_requests_that_are_not_waited_for),
	SUITE_CASE(test_stand_requests_beside_those_of_others_than_messages),
	SUITE_CASE(test_stand_requests_beside_messages_with_other_tags),
	SUITE_CASE(test_stand_requests_or_receives_beside_other_messages),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("stand_requests", tests);
}
