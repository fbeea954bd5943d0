/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/node_ports.h"

#include <stdlib.h>

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

struct crossing {
	int64_t ready_ns;
	uint32_t message;
};

/* A node's: until then it is taken. */
struct ports {
	int64_t out_ns, in_ns;
};

static int by_time(const void *a, const void *b)
{
	const struct crossing *x = a, *y = b;

	if (x->ready_ns != y->ready_ns)
		return x->ready_ns > y->ready_ns ? 1 : -1;
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

static void pass(const struct evidence_base *b, const struct node_ports *p, struct ports *all,
		 const struct crossing *c, int64_t *wait_ns)
{
	const struct message *x = &b->m->m[c->message];
	struct ports *from = &all[node_of(p, x->src)], *to = &all[node_of(p, x->dst)];
	int64_t takes_ns = (int64_t)(p->port_s[b->a->sizes.of[c->message]] * 1e9);
	int64_t out_ns = later(c->ready_ns, from->out_ns), in_ns = later(out_ns, to->in_ns);

	from->out_ns = out_ns + takes_ns;
	to->in_ns = in_ns + takes_ns;
	wait_ns[c->message] = in_ns - c->ready_ns;
}

int node_ports_wait(const struct evidence_base *b, const struct node_ports *p,
		    const int64_t *sooner_ns, int64_t *wait_ns, struct err *err)
{
	struct crossing *all = table_alloc((size_t)b->m->n + 1, sizeof(*all));
	struct ports *ports = malloc(((size_t)p->nodes + 1) * sizeof(*ports));
	uint32_t n = 0;
	int ret = -1;

	if (!all || !ports) {
		err_set(err, "out of memory for %u messages", b->m->n);
		goto out;
	}
	for (uint32_t k = 0; k < p->nodes; k++)
		ports[k] = (struct ports){INT64_MIN, INT64_MIN};
	for (uint32_t i = 0; i < b->m->n; i++) {
		wait_ns[i] = 0;
		if (node_of(p, b->m->m[i].src) != node_of(p, b->m->m[i].dst))
			all[n++] = (struct crossing){ready_ns(b, sooner_ns, i), i};
	}
	sort(all, n, sizeof(*all), by_time);
	for (uint32_t k = 0; k < n; k++)
		pass(b, p, ports, &all[k], wait_ns);
	ret = 0;
out:
	free(ports);
	table_free(all);
	return ret;
}
