/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/node_ports.h"

#include <stdlib.h>

#include "analyze/gains/retime_order.h"
#include "analyze/tools/dated.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

static uint32_t node_of(const struct node_ports *p, uint32_t rank)
{
	return p->node[p->place[rank]];
}

/*
 * All messages, each when it is at its next port, pass those of the nodes out or in, first come
 * first served: it begins to then.
 */
static void pass(const struct evidence_base *b, const struct node_ports *p, int is_out,
		 struct dated *all, uint32_t n, int64_t *free_ns)
{
	sort(all, n, sizeof(*all), dated_order);
	for (uint32_t k = 0; k < p->nodes; k++)
		free_ns[k] = INT64_MIN;
	for (uint32_t k = 0; k < n; k++) {
		const struct message *x = &b->m->m[all[k].number];
		uint32_t node = node_of(p, is_out ? x->src : x->dst);

		all[k].ns = later(all[k].ns, free_ns[node]);
		free_ns[node] =
			all[k].ns + (int64_t)(p->port_s[b->a->sizes.of[all[k].number]] * 1e9);
	}
}

int node_ports_wait(const struct evidence_base *b, const struct node_ports *p,
		    const int64_t *sooner_ns, int64_t *wait_ns, struct err *err)
{
	struct dated *all = table_alloc((size_t)b->m->n + 1, sizeof(*all));
	int64_t *free_ns = malloc(((size_t)p->nodes + 1) * sizeof(*free_ns));
	uint32_t n = 0;
	int ret = -1;

	if (!all || !free_ns) {
		err_set(err, "out of memory for %u messages", b->m->n);
		goto out;
	}
	for (uint32_t i = 0; i < b->m->n; i++) {
		int64_t ready_ns = retime_begins_ns(b, i, sooner_ns);

		wait_ns[i] = 0;
		if (node_of(p, b->m->m[i].src) == node_of(p, b->m->m[i].dst))
			continue;
		wait_ns[i] = -ready_ns;
		all[n++] = (struct dated){ready_ns, i};
	}
	pass(b, p, 1, all, n, free_ns);
	pass(b, p, 0, all, n, free_ns);
	for (uint32_t k = 0; k < n; k++)
		wait_ns[all[k].number] += all[k].ns;
	ret = 0;
out:
	free(free_ns);
	table_free(all);
	return ret;
}
