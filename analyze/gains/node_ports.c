/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/node_ports.h"

#include <stdlib.h>

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

struct crossing {
	int64_t at_ns; /* at the next port that it has to pass */
	uint32_t message;
};

static int by_time(const void *a, const void *b)
{
	const struct crossing *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns > y->at_ns ? 1 : -1;
	return (x->message > y->message) - (x->message < y->message);
}

static uint32_t node_of(const struct node_ports *p, uint32_t rank)
{
	return p->node[p->place ? p->place[rank] : rank];
}

/* Its sender has sent it, and its receiver is ready if it waits for that. */
static int64_t ready_ns(const struct evidence_base *b, const int64_t *sooner_ns, uint32_t i)
{
	const struct message *x = &b->m->m[i];
	int64_t sent_ns = b->t->calls[x->send_call].enter_ns, posted_ns;

	sent_ns -= sooner_ns ? sooner_ns[x->send_call] : 0;
	if (!evidence_is_held(b, i) || !message_is_posted(b->t, x))
		return sent_ns;
	posted_ns = b->t->calls[x->recv_call].enter_ns;
	return later(sent_ns, posted_ns - (sooner_ns ? sooner_ns[x->recv_call] : 0));
}

/* All pass their ports, of these nodes, first come first served: then they begin to. */
static void pass(const struct evidence_base *b, const struct node_ports *p, int is_out,
		 struct crossing *all, uint32_t n, int64_t *free_ns)
{
	sort(all, n, sizeof(*all), by_time);
	for (uint32_t k = 0; k < p->nodes; k++)
		free_ns[k] = INT64_MIN;
	for (uint32_t k = 0; k < n; k++) {
		const struct message *x = &b->m->m[all[k].message];
		uint32_t node = node_of(p, is_out ? x->src : x->dst);

		all[k].at_ns = later(all[k].at_ns, free_ns[node]);
		free_ns[node] =
			all[k].at_ns + (int64_t)(p->port_s[b->a->sizes.of[all[k].message]] * 1e9);
	}
}

int node_ports_wait(const struct evidence_base *b, const struct node_ports *p,
		    const int64_t *sooner_ns, int64_t *wait_ns, struct err *err)
{
	struct crossing *all = table_alloc((size_t)b->m->n + 1, sizeof(*all));
	int64_t *free_ns = malloc(((size_t)p->nodes + 1) * sizeof(*free_ns));
	uint32_t n = 0;
	int ret = -1;

	if (!all || !free_ns) {
		err_set(err, "out of memory for %u messages", b->m->n);
		goto out;
	}
	for (uint32_t i = 0; i < b->m->n; i++) {
		wait_ns[i] = 0;
		if (node_of(p, b->m->m[i].src) != node_of(p, b->m->m[i].dst))
			all[n++] = (struct crossing){ready_ns(b, sooner_ns, i), i};
	}
	pass(b, p, 1, all, n, free_ns);
	pass(b, p, 0, all, n, free_ns);
	for (uint32_t k = 0; k < n; k++)
		wait_ns[all[k].message] = all[k].at_ns - ready_ns(b, sooner_ns, all[k].message);
	ret = 0;
out:
	free(free_ns);
	table_free(all);
	return ret;
}
