/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/channels.h"
#include "tests/fixtures/suite.h"

enum { KEYS = 3000, ROUNDS = 3 };

static uint32_t next[KEYS * ROUNDS], before[KEYS * ROUNDS];

/* Keys that differ in one number or another. */
static struct channel_key key_of(uint32_t k)
{
	return (struct channel_key){.comm = k % 2, .src = k / 2 % 10, .tag = (int32_t)(k / 20)};
}

/* In each round one send on every channel. */
static void push_all(struct channels *c, uint32_t keys)
{
	for (uint32_t i = 0; i < keys * ROUNDS; i++)
		CU_ASSERT_EQUAL_FATAL(channels_push(c, key_of(i % keys), i, next, 0), 0);
}

static void test_each_channel_is_first_in_first_out(void)
{
	struct channels c = {0};
	uint32_t wrong = 0, left = 0, ambiguous = 0;

	push_all(&c, KEYS);
	for (uint32_t k = KEYS; k-- > 0;)
		for (uint32_t i = 0; i < ROUNDS; i++)
			wrong += channels_pop(&c, key_of(k), next, before, k % 2 ? i : 0) !=
				 i * KEYS + k;
	for (uint32_t k = 0; k < KEYS; k++)
		wrong += channels_pop(&c, key_of(k), next, before, 0) != CHANNELS_NONE;
	CU_ASSERT_EQUAL(wrong, 0);
	channels_clear(&c, next, &left, &ambiguous);
	CU_ASSERT_EQUAL(left, 0);
	CU_ASSERT_EQUAL(ambiguous, KEYS / 2 * ROUNDS); /* several threads took them */
	channels_release(&c);
}

struct seen {
	uint32_t n, wrong, most;
};

static int see(void *user, struct channel_key key, uint32_t send)
{
	struct seen *s = user;
	struct channel_key due = key_of(s->n);

	s->wrong += channel_key_order(&key, &due) != 0 || send != s->n;
	return ++s->n == s->most;
}

/* One receiver's are gone when the next one's come, though it has fewer. */
static void test_what_is_left_is_visited_in_the_order_in_which_it_came(void)
{
	struct channels c = {0};
	uint32_t left = 0, ambiguous = 0;

	for (uint32_t keys = KEYS; keys > 0; keys /= 10) {
		struct seen all = {.most = KEYS + 1}, some = {.most = 2};

		push_all(&c, keys);
		CU_ASSERT_EQUAL(channels_left(&c, see, &all), 0);
		CU_ASSERT_EQUAL(all.n, keys);
		CU_ASSERT_EQUAL(all.wrong, 0);
		CU_ASSERT_EQUAL(channels_left(&c, see, &some), 1);
		CU_ASSERT_EQUAL(some.n, 2);
		left = 0;
		channels_clear(&c, next, &left, &ambiguous);
		CU_ASSERT_EQUAL(left, keys * ROUNDS);
		for (uint32_t k = 0; k < KEYS; k++)
			CU_ASSERT_EQUAL(channels_pop(&c, key_of(k), next, before, 0),
					CHANNELS_NONE);
	}
	CU_ASSERT_EQUAL(ambiguous, 0);
	channels_release(&c);
	CU_ASSERT_EQUAL(channels_pop(&c, key_of(0), next, before, 0), CHANNELS_NONE);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_each_channel_is_first_in_first_out),
	SUITE_CASE(test_what_is_left_is_visited_in_the_order_in_which_it_came),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("channels", tests);
}
