/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_port.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"

#include <math.h>

#define SENDS 1000
#define NEVER INFINITY

/* The same, looked at one by one. */
struct plain {
	double left_s[SENDS];  /* of its own time; NEVER: it is not there */
	uint32_t entry[SENDS]; /* its place among all that came */
	uint32_t n;
};

static uint32_t first_of(const struct plain *x)
{
	uint32_t first = 0;

	for (uint32_t k = 1; k < SENDS; k++)
		if (x->left_s[k] < x->left_s[first] ||
		    (x->left_s[k] == x->left_s[first] && x->entry[k] < x->entry[first]))
			first = k;
	return first;
}

static void pass(struct plain *x, double s)
{
	for (uint32_t k = 0; k < SENDS; k++)
		x->left_s[k] -= s / x->n;
}

/* One more or one less, as it comes. */
static void test_replay_port_passes_all_side_by_side(void)
{
	static struct replay_passing all[SENDS];
	static struct plain x;
	struct replay_port p = {.first = REPLAY_NO_SEND};
	uint64_t seed = 1;
	uint32_t entered = 0, left = 0, deepest = 0;
	double at_s = 0;

	for (uint32_t k = 0; k < SENDS; k++)
		x.left_s[k] = NEVER;
	while (left < SENDS) {
		uint32_t first = first_of(&x);
		double next_s = at_s + exchange_draw(&seed, 4);
		int comes = entered < SENDS && (x.n == 0 || exchange_draw(&seed, 5) < 3);

		if (x.n > 0) {
			double through_s = replay_port_next_s(&p, all);

			CU_ASSERT_DOUBLE_EQUAL(through_s, at_s + x.left_s[first] * x.n, 1e-6);
			comes = comes && next_s < through_s;
			next_s = comes ? next_s : through_s;
			pass(&x, next_s - at_s);
		}
		at_s = next_s;
		if (comes) {
			uint32_t send = entered * 7 % SENDS;

			x.left_s[send] = 1 << exchange_draw(&seed, 8);
			x.entry[send] = entered++;
			replay_port_enter(&p, all, send, x.left_s[send], at_s);
			x.n++;
		} else {
			uint32_t send = replay_port_leave(&p, all, at_s);

			CU_ASSERT_DOUBLE_EQUAL(x.left_s[send], 0, 1e-6);
			x.left_s[send] = NEVER;
			x.n--;
			left++;
		}
		deepest = x.n > deepest ? x.n : deepest;
		CU_ASSERT_EQUAL(p.n, x.n);
	}
	CU_ASSERT(deepest > 100);
	CU_ASSERT_EQUAL(p.first, REPLAY_NO_SEND);
}

/* What comes at once and is alike leaves as it came. */
static void test_replay_port_keeps_the_order_of_equals(void)
{
	static struct replay_passing all[SENDS];
	struct replay_port p = {.first = REPLAY_NO_SEND};
	uint32_t wrong = 0;

	for (uint32_t k = 0; k < SENDS; k++)
		replay_port_enter(&p, all, k * 7 % SENDS, 1, 0);
	for (uint32_t k = 0; k < SENDS; k++)
		wrong += replay_port_leave(&p, all, replay_port_next_s(&p, all)) != k * 7 % SENDS;
	CU_ASSERT_EQUAL(wrong, 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_replay_port_passes_all_side_by_side),
		SUITE_CASE(test_replay_port_keeps_the_order_of_equals),
		CU_TEST_INFO_NULL,
	};

	return suite_run("replay_port", tests);
}
