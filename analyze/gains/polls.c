/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/polls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/table.h"

struct finding {
	const struct evidence_base *b;
	struct polls *out;
	uint32_t *begun;      /* per call: the first that began what completes here */
	double quickest_s[2]; /* of all polls that found nothing: MPI_Test, MPI_Iprobe */
};

double polls_inside_s(const struct trace *t, uint32_t call, double *n)
{
	const struct call *c = &t->calls[call];
	const struct flood *flood = trace_flood(t, c);
	double took_s = (c->leave_ns - c->enter_ns) * 1e-9;

	*n = flood ? fmax(flood->polls, 1) : 1;
	return flood ? fmin((flood->inside_ns - flood->asleep_ns) * 1e-9, took_s) : took_s;
}

static int is_iprobe(const struct trace *t, uint32_t call)
{
	return trace_call_kind(t, call) == REGION_IPROBE;
}

/* At this call an end of a message is complete, which took so long to move and was begun there. */
static void complete(struct finding *f, uint32_t call, uint32_t begun, double progress, double g_s)
{
	f->out->found[call] = 1;
	if (begun >= call || progress_moves(progress))
		return;
	f->out->moved_s[call] += (float)g_s;
	if (begun < f->begun[call])
		f->begun[call] = begun;
}

static void complete_all(struct finding *f)
{
	const struct evidence_base *b = f->b;

	memset(f->begun, 0xff, b->t->n_calls * sizeof(*f->begun));
	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *x = &b->m->m[i];
		const struct idle_price *p = evidence_price(b, i);
		struct machine_progress moves = b->machine->classes[p->class].progress;

		messages_fetch(b->t, b->m, i);
		complete(f, x->recv_done, x->recv_call, moves.receiver, p->at.g_s);
		if (x->send_done != TRACE_NONE)
			complete(f, x->send_done, x->send_call, moves.sender, p->at.g_s);
	}
	/* how long a collective has to be moved for is not known: for as long as polls moved it */
	for (uint32_t i = 0; i < b->c->n_starts; i++)
		complete(f, b->c->starts[i].done, b->c->starts[i].start, 0, INFINITY);
	for (uint32_t i = 0; i < b->t->n_ops; i++)
		if (b->t->ops[i].kind == OP_NBC_DONE && b->t->ops[i].call != TRACE_NONE)
			f->out->found[b->t->ops[i].call] = 1;
}

static void find_quickest(struct finding *f)
{
	const struct trace *t = f->b->t;

	f->quickest_s[0] = f->quickest_s[1] = INFINITY;
	for (uint32_t c = 0; c < t->n_calls; c++)
		if (trace_is_poll(t, c) && !f->out->found[c]) {
			double *least_s = &f->quickest_s[is_iprobe(t, c)], n;
			double s = polls_inside_s(t, c, &n);

			*least_s = fmin(*least_s, s / n);
		}
}

/* Of a rank's calls, the last one first. */
static void move(struct finding *f, const struct rank *r)
{
	const struct trace *t = f->b->t;
	uint32_t begun = TRACE_NONE;
	double left_s = 0;

	for (uint32_t c = r->first_call + r->calls; c-- > r->first_call;) {
		float *moved_s = &f->out->moved_s[c];

		if (c <= begun)
			left_s = 0;
		if (f->out->found[c]) {
			begun = left_s > 0 && begun < f->begun[c] ? begun : f->begun[c];
			left_s += *moved_s;
		} else if (trace_is_poll(t, c)) {
			double n, s = polls_inside_s(t, c, &n) - n * f->quickest_s[is_iprobe(t, c)];

			*moved_s = (float)fmin(fmax(s, 0), left_s);
			left_s -= *moved_s;
		}
	}
}

int polls_find(struct polls *p, const struct evidence_base *b, struct err *err)
{
	struct finding f = {.b = b, .out = p};
	int ret = -1;

	p->found = table_calloc(b->t->n_calls + 1u, sizeof(*p->found));
	p->moved_s = table_calloc(b->t->n_calls + 1u, sizeof(*p->moved_s));
	f.begun = table_alloc(b->t->n_calls + 1u, sizeof(*f.begun));
	if (!p->found || !p->moved_s || !f.begun) {
		err_set(err, "out of memory for %u calls", b->t->n_calls);
		goto out;
	}
	complete_all(&f);
	find_quickest(&f);
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		move(&f, &b->t->ranks[r]);
	ret = 0;
out:
	table_free(f.begun);
	return ret;
}

void polls_release(struct polls *p)
{
	table_free(p->moved_s);
	table_free(p->found);
	memset(p, 0, sizeof(*p));
}
