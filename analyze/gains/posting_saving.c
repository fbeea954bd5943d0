/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/posting_saving.h"

#include "analyze/gains/retime.h"
#include "analyze/tools/dated.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <math.h>

struct posting {
	const struct evidence_base *b;
	enum posting_doubt doubt;
	int64_t *gain_ns, *rest_ns;
	double *waits_s;
	uint32_t *posted;  /* per message: the call before which its receive is posted then */
	int64_t *less_ns;  /* per call that sends: so much less it waits for receivers */
	struct dated *due; /* room for one rank's messages: they begin then */
};

/* The receiver's last call that has begun when message i would begin. */
static uint32_t posted_before(const struct posting *p, uint32_t i)
{
	const struct message *x = &p->b->m->m[i];
	int64_t begun_ns = p->b->t->calls[x->recv_call].enter_ns - p->gain_ns[i];
	uint32_t call = presence_call_before(&p->b->a->presence, x->dst, x->recv_call, begun_ns);

	return call == TRACE_NONE ? p->b->t->ranks[x->dst].first_call : call;
}

/* So long one message keeps its receiver's port from the next; perhaps not at all. */
static int64_t port_ns(const struct posting *p, uint32_t i)
{
	const struct idle_price *price = evidence_price(p->b, i);

	if (p->doubt == POSTING_AT_MOST &&
	    p->b->machine->classes[price->class].joint & MACHINE_JOINT_L_G)
		return 0;
	return (int64_t)(price->at.g_s * 1e9);
}

/*
 * In the order in which they begin then; the last one is no later for that. Returns when it is
 * there.
 */
static int64_t share_port(struct posting *p, uint32_t n, int64_t last_ns)
{
	int64_t there_ns = INT64_MIN;

	sort(p->due, n, sizeof(*p->due), dated_order);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = p->due[k].number;
		int64_t done_ns = p->b->m->m[i].done_ns, could_ns = done_ns - p->gain_ns[i];

		there_ns = k > 0 ? later(could_ns, there_ns + port_ns(p, i)) : could_ns;
		there_ns = earlier(there_ns, last_ns);
		p->gain_ns[i] = done_ns - there_ns;
	}
	return there_ns;
}

/* The call that sends message i waited for its receiver. */
static void shorten_send(struct posting *p, uint32_t i)
{
	uint32_t call = p->b->m->m[i].send_done;
	int64_t less_ns;

	if (call == TRACE_NONE)
		return;
	less_ns = (int64_t)slices_part(&p->b->a->call, call, COST_late_partner);
	less_ns = later(p->less_ns[call], earlier(less_ns, p->gain_ns[i]));
	p->waits_s[p->b->t->calls[call].rank] += (less_ns - p->less_ns[call]) * 1e-9;
	p->less_ns[call] = less_ns;
}

/*
 * n messages of one rank are due, each of which would begin before the one before it is complete.
 */
static void settle(struct posting *p, uint32_t n)
{
	const struct messages *m = p->b->m;
	const struct call *calls = p->b->t->calls;
	uint32_t call = TRACE_NONE;
	int64_t took_ns = 0, last_ns = INT64_MIN;

	for (uint32_t k = 0; k < n; k++) {
		const struct message *x = &m->m[p->due[k].number];

		if (x->recv_done != call)
			took_ns += calls[x->recv_done].leave_ns - calls[x->recv_done].enter_ns;
		call = x->recv_done;
		last_ns = later(last_ns, x->done_ns);
	}
	if (n > 0)
		p->waits_s[m->m[p->due[0].number].dst] +=
			earlier(last_ns - share_port(p, n, last_ns), took_ns) * 1e-9;
	for (uint32_t k = 0; k < n; k++)
		shorten_send(p, p->due[k].number);
}

static void post(struct posting *p)
{
	const struct messages *m = p->b->m;
	const struct message *before = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];
		struct dated due = {.number = i};

		p->posted[i] = x->recv_call;
		if (p->gain_ns[i] <= 0)
			continue;
		p->posted[i] = posted_before(p, i);
		due.ns = p->b->t->calls[x->recv_call].enter_ns - p->gain_ns[i];
		if (before && (before->dst != x->dst || due.ns >= before->done_ns)) {
			settle(p, n);
			n = 0;
		}
		before = x;
		p->due[n++] = due;
	}
	settle(p, n);
}

static void spare_rest(struct posting *p)
{
	for (uint32_t i = 0; i < p->b->m->n; i++) {
		const struct message *x = &p->b->m->m[i];
		const struct call *c;
		int64_t there_ns;

		if (p->posted[i] == x->recv_call)
			continue;
		c = &p->b->t->calls[x->recv_done];
		there_ns = later(c->enter_ns, p->b->a->arrival_ns[i]);
		p->rest_ns[x->recv_done] = later(p->rest_ns[x->recv_done], c->leave_ns - there_ns);
	}
}

static int save(struct posting *p, struct posting_saving *out, struct err *err)
{
	struct retime early = {.less_ns = p->gain_ns, .rest_ns = p->rest_ns, .posted = p->posted};

	post(p);
	if (retime_run(p->b, &early, &out->mid_s, err))
		return -1;
	spare_rest(p);
	if (retime_run(p->b, &early, &out->high_s, err))
		return -1;
	out->high_s = fmax(out->mid_s, out->high_s);
	return 0;
}

int posting_saving_find(const struct evidence_base *b, const struct posting_changes *x,
			struct posting_saving *out, struct err *err)
{
	struct posting p = {.b = b,
			    .doubt = x->doubt,
			    .gain_ns = x->gain_ns,
			    .rest_ns = x->rest_ns,
			    .waits_s = x->waits_s};
	int ret = -1;

	p.posted = table_calloc((size_t)b->m->n + 1, sizeof(*p.posted));
	p.less_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*p.less_ns));
	p.due = table_calloc((size_t)messages_most(b->m, b->t->n_ranks) + 1, sizeof(*p.due));
	if (!p.posted || !p.less_ns || !p.due)
		err_set(err, "out of memory for %u messages", b->m->n);
	else
		ret = save(&p, out, err);
	table_free(p.due);
	table_free(p.less_ns);
	table_free(p.posted);
	return ret;
}
