/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine.h"

#define LOOK_AT 100000 /* messages */
#define FASTER  0.5    /* of the idle machine's time: nobody is that lucky */

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
