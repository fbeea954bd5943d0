/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/trace.h"

#include <stdlib.h>

int64_t trace_paused_ns(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	int64_t sum = 0;
	int open = 0;
	uint32_t i;

	/* A thread may end what another began: only all of them together need an order. */
	for (i = r->first_op; i < r->first_op + r->ops; i++) {
		if (t->ops[i].kind == OP_PAUSE) {
			sum -= t->ops[i].time_ns;
			open++;
		} else if (t->ops[i].kind == OP_RESUME) {
			sum += t->ops[i].time_ns;
			open--;
		}
	}
	if (open > 0)
		sum += t->wall_ns; /* to the end */
	return sum < 0 ? 0 : sum > t->wall_ns ? t->wall_ns : sum;
}

void trace_release(struct trace *t)
{
	uint32_t i;

	for (i = 0; t->ranks && i < t->n_ranks; i++)
		free(t->ranks[i].host);
	for (i = 0; i < t->n_regions; i++)
		free(t->regions[i].name);
	for (i = 0; i < t->n_sites; i++) {
		free(t->sites[i].path);
		free(t->sites[i].file);
		free(t->sites[i].function);
	}
	for (i = 0; i < t->n_comms; i++) {
		free(t->comms[i].name);
		free(t->comms[i].members);
	}
	free(t->ranks);
	free(t->regions);
	free(t->sites);
	free(t->comms);
	free(t->calls);
	free(t->ops);
	free(t->floods);
	free(t->anchor);
	*t = (struct trace){0};
}
