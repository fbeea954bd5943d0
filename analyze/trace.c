/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/trace.h"

#include <stdlib.h>

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
