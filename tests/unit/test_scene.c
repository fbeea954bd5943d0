/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces of a receiver's messages that have nothing to do with each other. */
#include "analyze/flow/scene.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US     1000
#define ROUNDS 12
#define EACH   300 /* messages of a round */

enum pauses { WITH_PAUSES, WITHOUT_PAUSES };

static struct err err;

/*
 * Ranks 0 and 1 send to rank 2 in rounds, in each of which it takes what they sent in turn. Without
 * pauses a message of each round is taken in the next one only.
 */
static void make(struct tables *x, enum pauses pauses)
{
	uint32_t held = TRACE_NONE, recv;

	tables_init(x, 3, 1);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t at = round * EACH * 3 * US;
		uint32_t send[EACH];

		for (int k = 0; k < EACH; k++)
			send[k] = tables_call(x, (uint32_t)k % 2, REGION_SEND, at + k * US,
					      at + k * US + 500, 0);
		for (int k = 0; k < EACH; k++) {
			int64_t done = at + (EACH + k) * US;
			uint32_t which = send[k];

			if (k == EACH - 1 && pauses == WITHOUT_PAUSES) {
				which = held;
				held = send[k];
			}
			if (which == TRACE_NONE)
				continue;
			recv = tables_call(x, 2, REGION_RECV, done - 500, done, 1);
			tables_message(x, 100, which, which, recv, recv);
		}
	}
	tables_finish(x);
}

static int is_before(const struct facts *a, const struct facts *b)
{
	return a->src != b->src ? a->src < b->src : a->sent_ns < b->sent_ns;
}

/* Is all of a piece later than what is before it, and lined up? Returns where the next begins. */
static uint32_t check_piece(const struct scene *s, uint32_t from, uint32_t end)
{
	uint32_t next = scene_piece_end(s, from, end);

	for (uint32_t i = from; i < next; i++) {
		const uint32_t *line = s->to;

		CU_ASSERT(from == 0 || s->facts[i].sent_ns > s->facts[from - 1].done_ns);
		CU_ASSERT(line[i] >= from && line[i] < next);
		CU_ASSERT(i == from || is_before(&s->facts[line[i - 1]], &s->facts[line[i]]));
	}
	return next;
}

static uint32_t pieces(enum pauses pauses, uint32_t *most)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct sizes sizes;
	uint32_t n = 0, next;
	struct scene s;
	struct tables x;

	make(&x, pauses);
	CU_ASSERT_EQUAL_FATAL(sizes_number(&sizes, &x.trace, &x.messages, &err), 0);
	CU_ASSERT_EQUAL_FATAL(scene_init(&s, &x.trace, &x.messages, &sizes, &m, &err), 0);
	for (uint32_t i = 0; i < x.messages.n; i = next, n++) {
		next = check_piece(&s, i, x.messages.n);
		CU_ASSERT(next - i <= s.most);
	}
	*most = s.most;
	scene_release(&s);
	sizes_release(&sizes);
	tables_release(&x);
	machine_release(&m);
	return n;
}

static void test_scene_pieces_end_where_nothing_is_under_way(void)
{
	uint32_t most;

	/* the least that are at least 1024 are of four rounds */
	CU_ASSERT_EQUAL(pieces(WITH_PAUSES, &most), ROUNDS / 4);
	CU_ASSERT_EQUAL(most, 4 * EACH);
}

static void test_scene_pieces_are_one_where_something_always_is(void)
{
	uint32_t most;

	CU_ASSERT_EQUAL(pieces(WITHOUT_PAUSES, &most), 1);
	CU_ASSERT_EQUAL(most, ROUNDS * EACH - 1);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_scene_pieces_end_where_nothing_is_under_way),
		SUITE_CASE(test_scene_pieces_are_one_where_something_always_is),
		CU_TEST_INFO_NULL,
	};

	return suite_run("scene", cases);
}
