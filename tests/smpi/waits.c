/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/smpi/waits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[WAIT_PARTS] = {
	"compute",
	"send_overhead",
	"late_partner",
	"wire",
	"network_contention",
	"handler_contention",
	"receive_overhead",
	"collectives",
	"not_identifiable",
};

enum end_of { NOTHING, RECEIVED, SENT, TRANSFERRED };

/* What a call ended with. */
struct cause {
	enum end_of what;
	uint32_t message;            /* RECEIVED, SENT */
	const struct sim_flow *flow; /* TRANSFERRED */
	double end_s;
};

struct search {
	const struct trace *t;
	const struct messages *m;
	const struct fate *fates;
	struct flow_table *flows;
	struct cause *cause; /* per call */
	double finalize_s;   /* the last rank enters MPI_Finalize */
};

/* A call, from its entry on. */
struct cut {
	double at_s, end_s;
	double *part_s;
};

static double seconds(int64_t ns)
{
	return (double)ns * 1e-9;
}

static void offer(struct cause *cause, struct cause other)
{
	if (cause->what == NOTHING || other.end_s >= cause->end_s)
		*cause = other;
}

static void find_causes(struct search *s)
{
	for (uint32_t i = 0; i < s->m->n; i++) {
		const struct message *x = &s->m->m[i];
		const struct fate *f = &s->fates[i];

		if (!f->joined)
			continue;
		if (!f->is_eager && x->send_done != TRACE_NONE)
			offer(&s->cause[x->send_done], (struct cause){SENT, i, NULL, f->arrived_s});
		offer(&s->cause[x->recv_done], (struct cause){RECEIVED, i, NULL, f->handled_s});
	}
}

/* Puts leave with their call, and so does what is got. */
static struct sim_flow *flow_of(const struct search *s, const struct op *op, uint32_t rank,
				uint32_t target)
{
	int is_put = op->kind == OP_PUT;
	unsigned here = fates_host_of(s->t, rank), there = fates_host_of(s->t, target);
	double bytes = (double)(is_put ? op->bytes : op->bytes_in) + FATES_ENVELOPE_BYTES;

	return flow_table_take(s->flows, is_put ? here : there, is_put ? there : here, bytes,
			       seconds(s->t->calls[op->call].enter_ns));
}

/*
 * The call of this rank, from its operation's own on, in which the flow ended waited for it. (It
 * may end later: the simulator's flush waits for what the target does here as well.)
 */
static void end_call(struct search *s, uint32_t call, const struct sim_flow *flow)
{
	const struct call *calls = s->t->calls;
	uint32_t rank = calls[call].rank;

	for (; call < s->t->n_calls && calls[call].rank == rank &&
	       seconds(calls[call].enter_ns) < flow->end_s - FLOW_TOLERANCE_S;
	     call++)
		if (seconds(calls[call].leave_ns) > flow->end_s - FLOW_TOLERANCE_S)
			offer(&s->cause[call],
			      (struct cause){TRANSFERRED, TRACE_NONE, flow, flow->end_s});
}

static void find_transfers(struct search *s, struct waits *out)
{
	for (uint32_t i = 0; i < s->t->n_ops; i++) {
		const struct op *op = &s->t->ops[i];
		const struct sim_flow *flow;
		uint32_t rank, target;

		if ((op->kind != OP_PUT && op->kind != OP_GET) || op->call == TRACE_NONE)
			continue;
		rank = s->t->calls[op->call].rank;
		target = trace_world_rank(s->t, op->comm, op->peer);
		if (target == TRACE_NONE || target == rank)
			continue;
		flow = flow_of(s, op, rank, target);
		out->transfers++;
		out->lost += !flow;
		if (flow)
			end_call(s, op->call, flow);
	}
}

static void cut_to(struct cut *c, double until_s, enum wait_part part)
{
	until_s = fmin(until_s, c->end_s);
	if (until_s <= c->at_s)
		return;
	c->part_s[part] += until_s - c->at_s;
	c->at_s = until_s;
}

/* A call that ended with a message. */
static void cut_wait(const struct search *s, const struct cause *cause, struct cut *c)
{
	const struct fate *f = &s->fates[cause->message];
	const struct message *x = &s->m->m[cause->message];
	int as_sender = cause->what == SENT, is_own = x->src == x->dst;

	if (!as_sender)
		cut_to(c, f->sent_s, WAIT_LATE_PARTNER);
	cut_to(c, f->sent_s + f->part_s[FATE_SEND_OVERHEAD], WAIT_SEND_OVERHEAD);
	cut_to(c, f->start_s, WAIT_LATE_PARTNER);
	cut_to(c, f->start_s + f->part_s[FATE_WIRE], WAIT_WIRE);
	cut_to(c, f->arrived_s, is_own ? WAIT_RECEIVE_OVERHEAD : WAIT_NETWORK_CONTENTION);
	if (!as_sender)
		cut_to(c, f->taken_s, WAIT_HANDLER_CONTENTION);
	cut_to(c, c->end_s, as_sender ? WAIT_SEND_OVERHEAD : WAIT_RECEIVE_OVERHEAD);
}

/* A call that ended with a put or a get. */
static void cut_transfer(const struct sim_flow *flow, struct cut *c)
{
	cut_to(c, flow->start_s, WAIT_SEND_OVERHEAD);
	cut_to(c, flow->start_s + flow->free_s, WAIT_WIRE);
	cut_to(c, flow->end_s, WAIT_NETWORK_CONTENTION);
	cut_to(c, c->end_s, WAIT_UNKNOWN);
}

static int is_wait(const struct trace *t, uint32_t call)
{
	return !strncmp(t->regions[t->calls[call].region].name, "MPI_Wait", 8);
}

static void cut_other(const struct search *s, uint32_t call, struct cut *c)
{
	switch (trace_call_kind(s->t, call)) {
	case REGION_INIT:
	case REGION_IO:
		cut_to(c, c->end_s, WAIT_COMPUTE);
		break;
	case REGION_FINALIZE:
		cut_to(c, s->finalize_s, WAIT_COLLECTIVES);
		cut_to(c, c->end_s, WAIT_COMPUTE);
		break;
	case REGION_COLLECTIVE: /* a fence, too, whatever was put or got before it */
		cut_to(c, c->end_s, WAIT_COLLECTIVES);
		break;
	case REGION_PROBE: /* which the simulator ends when somebody has sent */
		cut_to(c, c->end_s, WAIT_LATE_PARTNER);
		break;
	case REGION_IRECV:
		cut_to(c, c->end_s, WAIT_RECEIVE_OVERHEAD);
		break;
	case REGION_SEND: /* which is on its way at once */
	case REGION_ISEND:
	case REGION_MPI_LOCAL:
	case REGION_TEST:
	case REGION_IPROBE:
		cut_to(c, c->end_s, WAIT_SEND_OVERHEAD);
		break;
	default: /* MPI_Wait for no message: for a collective that was begun */
		cut_to(c, c->end_s, is_wait(s->t, call) ? WAIT_COLLECTIVES : WAIT_UNKNOWN);
	}
}

static void cut_call(const struct search *s, uint32_t call, double *part_s)
{
	const struct call *x = &s->t->calls[call];
	struct cut c = {seconds(x->enter_ns), seconds(x->leave_ns), part_s};

	if (trace_flood(s->t, x)) {
		double inside_s = seconds(trace_flood(s->t, x)->inside_ns);

		cut_to(&c, c.end_s - inside_s, WAIT_COMPUTE);
	}
	if (trace_call_kind(s->t, call) == REGION_COLLECTIVE)
		cut_other(s, call, &c);
	else if (s->cause[call].what == TRANSFERRED)
		cut_transfer(s->cause[call].flow, &c);
	else if (s->cause[call].what != NOTHING)
		cut_wait(s, &s->cause[call], &c);
	else
		cut_other(s, call, &c);
}

static void cut_rank(const struct search *s, uint32_t rank, double *part_s)
{
	const struct rank *r = &s->t->ranks[rank];
	double left_s = seconds(trace_recorded_ns(s->t, rank));

	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++)
		if (trace_call_kind(s->t, c) != REGION_OTHER)
			cut_call(s, c, part_s);
	for (int p = 0; p < WAIT_PARTS; p++)
		left_s -= part_s[p];
	part_s[WAIT_COMPUTE] += left_s;
}

int waits_find(const struct trace *t, const struct messages *m, const struct fates *f,
	       struct flow_table *flows, struct waits *out, struct err *err)
{
	struct search s = {.t = t, .m = m, .fates = f->fates, .flows = flows};

	memset(out, 0, sizeof(*out));
	out->rank_s = calloc((size_t)t->n_ranks + 1, sizeof(*out->rank_s));
	s.cause = calloc((size_t)t->n_calls + 1, sizeof(*s.cause)); /* NOTHING */
	if (!out->rank_s || !s.cause) {
		free(s.cause);
		waits_release(out);
		return err_set(err, "out of memory for %u calls", t->n_calls);
	}
	out->ranks = t->n_ranks;
	for (uint32_t c = 0; c < t->n_calls; c++)
		if (trace_call_kind(t, c) == REGION_FINALIZE)
			s.finalize_s = fmax(s.finalize_s, seconds(t->calls[c].enter_ns));
	find_causes(&s);
	find_transfers(&s, out);
	for (uint32_t r = 0; r < t->n_ranks; r++)
		cut_rank(&s, r, out->rank_s[r]);
	free(s.cause);
	return 0;
}

void waits_release(struct waits *w)
{
	free(w->rank_s);
	memset(w, 0, sizeof(*w));
}

static void write_line(FILE *f, const double part_s[WAIT_PARTS])
{
	for (int p = 0; p < WAIT_PARTS; p++)
		fprintf(f, ",%.12g", part_s[p]);
	fputc('\n', f);
}

int waits_write(const struct waits *w, const char *path, struct err *err)
{
	double total_s[WAIT_PARTS] = {0};
	FILE *f = fopen(path, "w");

	if (!f)
		return err_set(err, "%s: cannot be written", path);
	fputs("rank", f);
	for (int p = 0; p < WAIT_PARTS; p++)
		fprintf(f, ",%s_s", names[p]);
	fputc('\n', f);
	for (uint32_t r = 0; r < w->ranks; r++) {
		fprintf(f, "%u", r);
		write_line(f, w->rank_s[r]);
		for (int p = 0; p < WAIT_PARTS; p++)
			total_s[p] += w->rank_s[r][p];
	}
	fputs("total", f);
	write_line(f, total_s);
	return fclose(f) ? err_set(err, "%s: cannot be written", path) : 0;
}
