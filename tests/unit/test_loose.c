/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/loose.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fixtures/suite.h"

#define MOST 12

/* What comes to rank 1 of three, and its receives that never completed. */
struct left {
	struct trace t;
	struct call calls[MOST];
	struct send sends[MOST];
	struct recv recvs[MOST];
	struct endpoints_of of[4];
	struct channels channels;
	uint32_t index[MOST], next[MOST];
	uint8_t pauses[3];
	struct loose_ends ends;
};

static void begin(struct left *x)
{
	memset(x, 0, sizeof(*x));
	x->t = (struct trace){.n_ranks = 3, .calls = x->calls};
	x->t.ends.sends = x->sends;
	x->t.ends.recvs = x->recvs;
	x->t.ends.of = x->of;
}

/* The next call, of rank src; done: it completed. */
static void add_send(struct left *x, uint32_t src, int32_t tag, int done)
{
	uint32_t i = (uint32_t)x->t.ends.n_sends++;

	x->calls[i].rank = src;
	x->index[i] = i;
	x->sends[i] = (struct send){.dst = 1, .tag = tag, .call = i, .done = done ? i : TRACE_NONE};
	CU_ASSERT_EQUAL_FATAL(
		channels_push(&x->channels, (struct channel_key){0, src, tag}, i, x->next, 0), 0);
}

/* Posted in call 100 and so on. */
static void add_recv(struct left *x, uint32_t src, int32_t tag)
{
	uint32_t i = x->of[2].recv++;

	x->recvs[i] = (struct recv){.src = src, .tag = tag, .call = 100 + i, .done = TRACE_NONE};
}

static size_t find(struct left *x)
{
	struct loose_search s = {&x->t, 1, &x->channels, x->index, x->next, x->pauses};

	CU_ASSERT_EQUAL_FATAL(loose_find(&x->ends, &s), 0);
	loose_sort(&x->ends);
	return x->ends.n;
}

static void end(struct left *x)
{
	loose_release(&x->ends);
	channels_release(&x->channels);
}

static void expect(const struct left *x, size_t i, struct loose row)
{
	CU_ASSERT_FATAL(i < x->ends.n);
	CU_ASSERT_EQUAL(x->ends.row[i].rank, row.rank);
	CU_ASSERT_EQUAL(x->ends.row[i].peer, row.peer);
	CU_ASSERT_EQUAL(x->ends.row[i].tag, row.tag);
	CU_ASSERT_EQUAL(x->ends.row[i].n, row.n);
	CU_ASSERT_EQUAL(x->ends.row[i].open, row.open);
	CU_ASSERT_EQUAL(x->ends.row[i].call, row.call);
	CU_ASSERT_EQUAL(x->ends.row[i].is_send, row.is_send);
}

static void test_loose_are_ends_with_another_tag(void)
{
	struct left x;

	begin(&x);
	add_send(&x, 0, 8, 1);
	add_send(&x, 0, 8, 0);
	add_recv(&x, 0, 7);
	add_recv(&x, 0, 7);
	CU_ASSERT_EQUAL(find(&x), 2);
	expect(&x, 0, (struct loose){0, 1, 0, 8, 2, 1, 1, 1, 0}); /* its open one is the second */
	expect(&x, 1, (struct loose){1, 0, 0, 7, 2, 2, 100, 0, 0});
	end(&x);
}

/* One of anybody takes the first that comes, one of another rank none of its. */
static void test_loose_are_not_messages_on_their_way(void)
{
	struct left x;

	begin(&x);
	add_send(&x, 0, 8, 0);
	add_send(&x, 0, 8, 0);
	add_send(&x, 2, 7, 0);
	add_recv(&x, TRACE_NONE, 8);
	add_recv(&x, 2, -1);
	add_recv(&x, 2, -1);
	CU_ASSERT_EQUAL(find(&x), 2);
	expect(&x, 0, (struct loose){0, 1, 0, 8, 1, 1, 1, 1, 0});
	expect(&x, 1, (struct loose){1, 2, 0, -1, 1, 1, 102, 0, 0});
	end(&x);
}

/* Where a rank was not recorded its part may have been done. */
static void test_loose_are_not_told_of_what_was_not_recorded(void)
{
	struct left x;
	uint32_t paused;

	for (paused = 0; paused < 3; paused++) {
		begin(&x);
		x.pauses[paused] = 1;
		add_send(&x, 0, 8, 1);
		add_recv(&x, 0, 7);
		add_recv(&x, TRACE_NONE, 5);
		CU_ASSERT_EQUAL(find(&x), paused == 2 ? 2 : 0);
		end(&x);
	}
}

/*
 * Sends with tags 0, 1, ... to rank 1, and as many receives with these tags and one more than are.
 */
static double seconds_of(uint32_t n)
{
	struct send *sends = calloc(n, sizeof(*sends));
	struct recv *recvs = calloc(n, sizeof(*recvs));
	uint32_t *index = calloc(n, sizeof(*index)), *next = calloc(n, sizeof(*next));
	struct call *calls = calloc(n, sizeof(*calls));
	struct timespec from, to;
	struct left x;

	begin(&x);
	x.t.calls = calls;
	x.t.ends.sends = sends;
	x.t.ends.recvs = recvs;
	x.of[2].recv = n;
	for (uint32_t i = 0; i < n; i++) {
		struct channel_key key = {0, 0, (int32_t)i};

		index[i] = i;
		sends[i] = (struct send){.dst = 1, .tag = (int32_t)i, .call = i, .done = i};
		CU_ASSERT_EQUAL_FATAL(channels_push(&x.channels, key, i, next, 0), 0);
		recvs[i] = (struct recv){
			.src = 0, .tag = (int32_t)(i + n / 2), .call = n + i, .done = TRACE_NONE};
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	CU_ASSERT_EQUAL(loose_find(&x.ends, &(struct loose_search){&x.t, 1, &x.channels, index,
								   next, x.pauses}),
			0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	loose_sort(&x.ends);
	CU_ASSERT_EQUAL(x.ends.n, n);
	expect(&x, 0, (struct loose){0, 1, 0, 0, 1, 0, 0, 1, 0});
	expect(&x, n - 1, (struct loose){1, 0, 0, (int32_t)(n + n / 2 - 1), 1, 1, 2 * n - 1, 0, 0});
	end(&x);
	free(calls);
	free(next);
	free(index);
	free(recvs);
	free(sends);
	return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Eight times as many take some eight times as long, not 64 times. */
static void test_loose_are_found_in_time(void)
{
	double few_s = 1.0, many_s = 1.0;

	for (int look = 0; look < 5; look++) {
		double s = seconds_of(4000);

		few_s = s < few_s ? s : few_s;
		s = seconds_of(32000);
		many_s = s < many_s ? s : many_s;
	}
	CU_ASSERT(many_s < 32 * few_s);
}

/* What one by one finds: the first channel that has one left, of those that a receive fits. */
static void test_loose_take_what_one_by_one_does(void)
{
	for (unsigned seed = 1; seed <= 300; seed++) {
		uint32_t left[2 * 3] = {0}, taken = 0, sent = 0;
		struct left x;
		uint32_t i;

		srand(seed);
		begin(&x);
		for (i = 0; i < MOST; i++)
			add_send(&x, rand() % 2 ? 2 : 0, rand() % 3, 1);
		for (i = 0; i < MOST; i++)
			left[x.calls[i].rank / 2 * 3 + (uint32_t)x.sends[i].tag]++;
		for (i = 0; i < MOST; i++) {
			uint32_t src = rand() % 3 == 0 ? TRACE_NONE : rand() % 2 ? 2 : 0, k, j;
			int32_t tag = rand() % 4 - 1;

			add_recv(&x, src, tag);
			for (j = 0; j < MOST;
			     j++) { /* channels are in the order of their first sends */
				k = x.calls[j].rank / 2 * 3 + (uint32_t)x.sends[j].tag;
				if ((src == TRACE_NONE || src == x.calls[j].rank) &&
				    (tag < 0 || tag == x.sends[j].tag) && left[k])
					break;
			}
			if (j == MOST)
				continue;
			left[k]--;
			taken++;
		}
		find(&x);
		for (i = 0; i < x.ends.n; i++) {
			const struct loose *row = &x.ends.row[i];

			if (row->is_send)
				CU_ASSERT_EQUAL(row->n,
						left[row->rank / 2 * 3 + (uint32_t)row->tag]);
			*(row->is_send ? &sent : &taken) += row->n;
		}
		CU_ASSERT_EQUAL(taken, MOST);
		for (i = 0; i < 6; i++)
			sent -= left[i];
		CU_ASSERT_EQUAL(sent, 0);
		end(&x);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_loose_are_found_in_time),
	SUITE_CASE(test_loose_take_what_one_by_one_does),
	SUITE_CASE(test_loose_are_ends_with_another_tag),
	SUITE_CASE(test_loose_are_not_messages_on_their_way),
	SUITE_CASE(test_loose_are_not_told_of_what_was_not_recorded),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("loose", tests);
}
