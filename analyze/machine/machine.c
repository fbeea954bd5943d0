/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine.h"

#include <stdlib.h>
#include <string.h>

void machine_release(struct machine *m)
{
	for (int k = 0; k < LOCALITY_COUNT; k++) {
		free(m->classes[k].points);
		free(m->classes[k].credits);
		free(m->classes[k].ends);
		free(m->classes[k].more);
	}
	free(m->signatures);
	machine_topology_release(&m->topology);
	free(m->name);
	free(m->path);
	free(m->caveats);
	free(m->misfit);
	free(m->likeness);
	memset(m, 0, sizeof(*m));
}

double machine_latency_s(const struct machine_class *c, uint64_t bytes)
{
	return c->L_s + c->L_s_per_byte * (double)bytes;
}

double machine_more_s(const struct machine_class *c, uint64_t bytes)
{
	return c->more ? plogp_at((struct plogp){0, c->n, c->more}, bytes).g_s : 0;
}

double machine_slowest_handling_s(double bytes)
{
	return 50e-6 + bytes * 10e-9;
}

const struct machine_signature *machine_signature(const struct machine *m, double bytes)
{
	const struct machine_signature *best = NULL;

	for (uint32_t i = 0; i < m->n_signatures; i++) {
		const struct machine_signature *s = &m->signatures[i];

		if (bytes < s->from_bytes || bytes > s->to_bytes)
			continue;
		if (!best || s->to_bytes - s->from_bytes < best->to_bytes - best->from_bytes)
			best = s;
	}
	return best;
}
