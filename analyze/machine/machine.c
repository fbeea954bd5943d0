/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_AT 100000 /* messages */
#define FASTER  0.5    /* of the idle machine's time: nobody is that lucky */

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

double machine_slowest_port_s(double bytes)
{
	return bytes * 2e-6;
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

double machine_faster_share(const struct machine *machine, const struct trace *t,
			    const struct messages *m)
{
	uint32_t step = m->n / LOOK_AT + 1, faster = 0, n = 0;

	for (uint32_t i = 0; i < m->n; i += step) {
		const struct message *x = &m->m[i];
		const struct machine_class *c =
			&machine->classes[machine_locality(t, x->src, x->dst)];
		struct plogp_point p;

		if (c->n == 0 || x->src == x->dst)
			continue;
		p = plogp_at((struct plogp){c->L_s, c->n, c->points}, x->bytes);
		n++;
		faster += (x->done_ns - x->sent_ns) * 1e-9 <
			  FASTER * (machine_latency_s(c, x->bytes) + p.g_s);
	}
	return n ? (double)faster / n : 0;
}
