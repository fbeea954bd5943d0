/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_split.h"

#include <stdlib.h>

/* Is nothing known of how the clocks of these two were compared? */
static int is_unknown(const struct trace *t, const struct message *x)
{
	return t->ranks[x->src].clock_error_ns < 0 && t->ranks[x->dst].clock_error_ns < 0;
}

int clock_split(struct trace *t, const struct messages *m, struct err *err)
{
	enum { ONE, SEVERAL, TAKEN } *state = calloc((size_t)t->clocks + 1, sizeof(*state));
	uint32_t clocks = t->clocks;

	if (!state)
		return err_set(err, "%s: out of memory for %u clocks", t->anchor, clocks);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];
		uint32_t clock = t->ranks[x->src].clock;

		if (clock == t->ranks[x->dst].clock && x->done_ns < x->sent_ns && is_unknown(t, x))
			state[clock] = SEVERAL;
	}
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		uint32_t clock = t->ranks[r].clock;

		if (t->ranks[r].absent || state[clock] == ONE)
			continue;
		if (state[clock] == TAKEN)
			t->ranks[r].clock = t->clocks++;
		state[clock] = TAKEN; /* by the first of its ranks */
	}
	free(state);
	return 0;
}
