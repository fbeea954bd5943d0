/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_order.h"

#include <string.h>

#include "analyze/tools/sorting.h"
#include "common/table.h"

/* A run of sends to one destination and where it goes in the new order. */
struct step {
	uint64_t place;
	uint32_t first;
	uint32_t n;
};

/* What reordering needs, room for the longest turn. */
struct reorder {
	enum replay_order order;
	uint64_t seed;
	struct step *step;
	struct replay_send *kept;
};

static int by_place(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
				    : (x->first > y->first) - (x->first < y->first);
}

/* splitmix64: a place from a seed and a number. */
static uint64_t scatter(uint64_t seed, uint64_t k)
{
	uint64_t z = seed * 0x9e3779b97f4a7c15ull + k * 0xd1342543de82ef95ull + 1;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static void reorder_turn(struct replay *r, uint32_t rank, uint32_t turn, const struct reorder *how)
{
	struct step *step = how->step;
	struct replay_send *send = r->send + r->turn[turn].first;
	uint32_t n = r->turn[turn].n, steps = 0, at = 0;

	for (uint32_t k = 0; k < n; k++) {
		if (k == 0 || send[k].dst != send[k - 1].dst) {
			uint64_t ahead = (send[k].dst + r->ranks - rank - 1) % r->ranks;

			step[steps++] = (struct step){ahead, k, 0};
			if (how->order == REPLAY_RANDOM)
				step[steps - 1].place =
					scatter(how->seed, (uint64_t)turn << 32 | k);
		}
		step[steps - 1].n++;
	}
	sort(step, steps, sizeof(*step), by_place);
	memcpy(how->kept, send, n * sizeof(*send));
	for (uint32_t k = 0; k < steps; k++) {
		memcpy(send + at, how->kept + step[k].first, step[k].n * sizeof(*send));
		at += step[k].n;
	}
	for (uint32_t k = 0; k < n; k++) /* whichever message it is, its rank did that before */
		send[k].own_s = how->kept[k].own_s;
}

int replay_reorder(struct replay *r, enum replay_order order, uint64_t seed, struct err *err)
{
	struct reorder how = {.order = order, .seed = seed};
	uint32_t most = 0;
	int ret = -1;

	if (order == REPLAY_RECORDED)
		return 0;
	for (uint32_t k = 0; k < r->ranks; k++)
		for (uint32_t t = 0; t < r->rank[k].turns; t++)
			if (r->turn[r->rank[k].first + t].n > most)
				most = r->turn[r->rank[k].first + t].n;
	how.kept = table_calloc((size_t)most + 1, sizeof(*how.kept));
	how.step = table_calloc((size_t)most + 1, sizeof(*how.step));
	if (!how.kept || !how.step) {
		err_set(err, "out of memory for %u sends", most);
		goto out;
	}
	for (uint32_t k = 0; k < r->ranks; k++)
		for (uint32_t t = 0; t < r->rank[k].turns; t++)
			reorder_turn(r, k, r->rank[k].first + t, &how);
	ret = 0;
out:
	table_free(how.step);
	table_free(how.kept);
	return ret;
}
