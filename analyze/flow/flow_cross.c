/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All messages through the links between their ports. */
#include "analyze/flow/flow.h"
#include "analyze/tools/instants.h"

/*
 * A link passes what its ports pass, and holds it for as long unless the machine file knows better.
 * All begin when the first byte has come all the way.
 */
static void make_crossing(const void *flow, uint32_t i, int is_port, struct turns_job *j)
{
	const struct flow *f = flow;
	const struct facts *x = &f->scene->facts[i];
	const struct price *p = flow_price(f, i);
	const struct machine_topology *network = &f->machine->topology;
	double bytes = (double)f->scene->sizes->size[x->size].bytes;

	j->ready_ns = flow_at(f, i)->data_ns + p->wire_ns - p->g_ns;
	j->limit_ns = flow_limit_ns(f, i);
	j->work_ns = p->g_ns;
	if (!flow_is_in_turn(f, i))
		j->connection = 0;
	if (is_port)
		return;
	if (network->channel_s_per_byte > 0)
		j->work_ns = (int64_t)(network->channel_s_per_byte * bytes * 1e9);
	if (network->width > 1)
		j->work_ns /= network->width;
}

/* What the ports alone would hold message i, they do; the rest is others' in the links. */
static void take_crossing(struct flow *f, uint32_t i, int64_t through_ns)
{
	struct passage *c = flow_at(f, i);
	int64_t least_ns = c->data_ns + flow_price(f, i)->wire_ns;

	if (through_ns == INT64_MIN) { /* it is within a node */
		f->ported_ns[i] = c->arrive_ns;
		return;
	}
	c->held_ns = earlier(c->held_ns, later(0, through_ns - least_ns));
	f->ported_ns[i] = earlier(c->arrive_ns, through_ns);
	c->arrive_ns = through_ns;
}

int flow_cross(struct flow *f, struct err *err)
{
	if (crossings_run(&f->crossings, make_crossing, f, err))
		return -1;
	for (uint32_t i = 0; i < f->scene->m->n; i++)
		take_crossing(f, i, f->crossings.through_ns[i]);
	return 0;
}
