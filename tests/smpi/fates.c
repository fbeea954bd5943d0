/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/smpi/fates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/matching/presence.h"

const char *const fate_names[FATE_PARTS] = {"send_overhead",      "late_partner",    "wire",
					    "network_contention", "inattention",     "uncollected",
					    "handler_contention", "receive_overhead"};

/* A time in which a rank handles a message. */
struct service {
	double begin_s, end_s;
};

struct join {
	const struct trace *t;
	const struct messages *m;
	struct fate_rules rules;
	struct presence presence;
	struct fate *fates;
	uint32_t *by_taking;     /* messages by the call that completes them, then arrival */
	struct service *service; /* of each of these: so by rank, and in order of time */
	double *call_end_s;      /* per call: when what it waits for is there; below 0: nothing */
};

static double seconds(int64_t ns)
{
	return (double)ns * 1e-9;
}

static double enter_s(const struct join *j, uint32_t call)
{
	return seconds(j->t->calls[call].enter_ns);
}

static double leave_s(const struct join *j, uint32_t call)
{
	return seconds(j->t->calls[call].leave_ns);
}

unsigned fates_host_of(const struct trace *t, uint32_t rank)
{
	return (unsigned)strtoul(t->ranks[rank].host + strcspn(t->ranks[rank].host, "0123456789"),
				 NULL, 10);
}

/* Does the simulator start this message at once and let go of the sender? */
static int is_eager(const struct join *j, const struct message *x)
{
	const char *name = j->t->regions[j->t->calls[x->send_call].region].name;

	return (double)x->bytes < j->rules.eager_bytes && !strcasestr(name, "ssend");
}

/* SMPI charges no overhead to a plain send that has to wait for its receive. */
static double overhead_s(const struct join *j, const struct message *x)
{
	int is_plain = trace_call_kind(j->t, x->send_call) == REGION_SEND;

	return is_plain && !is_eager(j, x) ? 0 : j->rules.overhead_s;
}

/* When the call ends that waits for this. */
static void call_waits(struct join *j, uint32_t call, double until_s)
{
	j->call_end_s[call] = fmax(j->call_end_s[call], until_s);
}

static void join_one(struct join *j, struct flow_table *flows, uint32_t i)
{
	const struct message *x = &j->m->m[i];
	struct fate *f = &j->fates[i];
	double expected_s;
	struct sim_flow *flow;

	f->sent_s = enter_s(j, x->send_call);
	expected_s = f->sent_s + overhead_s(j, x);
	f->done_s = seconds(x->done_ns);
	if (!is_eager(j, x) && x->recv_call != TRACE_NONE)
		expected_s = fmax(expected_s, enter_s(j, x->recv_call));
	flow = flow_table_take(flows, fates_host_of(j->t, x->src), fates_host_of(j->t, x->dst),
			       (double)x->bytes + FATES_ENVELOPE_BYTES, expected_s);
	if (!flow)
		return;
	f->joined = 1;
	f->is_eager = is_eager(j, x);
	f->start_s = flow->start_s;
	f->arrived_s = flow->end_s;
	f->residual_s = fabs(flow->start_s - expected_s);
	f->part_s[FATE_SEND_OVERHEAD] = overhead_s(j, x);
	f->part_s[FATE_LATE_PARTNER] = flow->start_s - f->sent_s - f->part_s[FATE_SEND_OVERHEAD];
	f->part_s[x->src == x->dst ? FATE_RECEIVE_OVERHEAD : FATE_WIRE] = flow->free_s;
	f->part_s[FATE_NETWORK_CONTENTION] = flow->end_s - flow->start_s - flow->free_s;
	if (!is_eager(j, x) && x->send_done != TRACE_NONE)
		call_waits(j, x->send_done, flow->end_s);
}

static int compare_done(const void *a, const void *b, void *arg)
{
	const struct join *j = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t done_x = j->m->m[x].done_ns, done_y = j->m->m[y].done_ns;

	return done_x != done_y ? (done_x > done_y) - (done_x < done_y) : (x > y) - (x < y);
}

/* Each with its flow, in the order in which they are complete. */
static void join_all(struct join *j, struct flow_table *flows)
{
	uint32_t i;

	for (i = 0; i < j->m->n; i++)
		j->by_taking[i] = i;
	qsort_r(j->by_taking, j->m->n, sizeof(*j->by_taking), compare_done, j);
	for (i = 0; i < j->m->n; i++)
		join_one(j, flows, j->by_taking[i]);
	for (i = 0; i < j->m->n; i++)
		j->by_taking[i] = i;
}

static int compare_taking(const void *a, const void *b, void *arg)
{
	const struct join *j = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double at_x = j->fates[x].arrived_s, at_y = j->fates[y].arrived_s;

	if (j->m->m[x].recv_done != j->m->m[y].recv_done)
		return j->m->m[x].recv_done < j->m->m[y].recv_done ? -1 : 1;
	return (at_x > at_y) - (at_x < at_y);
}

/* Message by_taking[k] is taken when the handler is free of those before it. */
static void take_one(struct join *j, uint32_t k, double free_s)
{
	uint32_t i = j->by_taking[k];
	const struct message *x = &j->m->m[i];
	struct fate *f = &j->fates[i];
	double service_s = is_eager(j, x) ? j->rules.handler_s : 0;
	double taken_s = fmax(fmax(enter_s(j, x->recv_done), f->arrived_s), free_s);

	f->taken_s = taken_s;
	f->handled_s = taken_s + service_s;
	j->service[k] = (struct service){taken_s, f->handled_s};
	f->part_s[FATE_RECEIVE_OVERHEAD] += service_s;
	call_waits(j, x->recv_done, f->handled_s);
}

/* How long the receiver of by_taking[k] handled others before k, from a time to another. */
static double handled_s(const struct join *j, uint32_t k, double from_s, double to_s)
{
	uint32_t dst = j->m->m[j->by_taking[k]].dst;
	double sum_s = 0;

	while (k-- > 0 && j->m->m[j->by_taking[k]].dst == dst && j->service[k].end_s > from_s)
		sum_s += fmax(0, fmin(j->service[k].end_s, to_s) -
					 fmax(j->service[k].begin_s, from_s));
	return sum_s;
}

/* What the receiver did from the arrival of by_taking[k] until it was taken, and after. */
static void explain_one(struct join *j, uint32_t k)
{
	uint32_t i = j->by_taking[k];
	const struct message *x = &j->m->m[i];
	struct fate *f = &j->fates[i];
	double asked_s = fmax(enter_s(j, x->recv_done), f->arrived_s);
	double before_s = handled_s(j, k, f->arrived_s, asked_s);
	int64_t from_ns = llround(f->arrived_s * 1e9), to_ns = llround(asked_s * 1e9);

	f->part_s[FATE_INATTENTION] =
		seconds(presence_outside_ns(&j->presence, x->dst, x->recv_done, from_ns, to_ns));
	f->part_s[FATE_HANDLER_CONTENTION] = before_s + j->service[k].begin_s - asked_s;
	f->part_s[FATE_UNCOLLECTED] = asked_s - f->arrived_s - f->part_s[FATE_INATTENTION] -
				      before_s + f->done_s - j->service[k].end_s;
}

static void take_all(struct join *j)
{
	uint32_t call = TRACE_NONE, k, n = 0;
	double free_s = 0;

	for (k = 0; k < j->m->n; k++)
		if (j->fates[j->by_taking[k]].joined)
			j->by_taking[n++] = j->by_taking[k];
	for (k = 0; k < n; k++) {
		uint32_t taking = j->m->m[j->by_taking[k]].recv_done;

		if (taking != call)
			free_s = 0;
		call = taking;
		take_one(j, k, free_s);
		free_s = j->service[k].end_s;
	}
	for (k = 0; k < n; k++)
		explain_one(j, k);
}

/* Does the call end with the last of what it waits for? */
static int ends_with_last(enum region_kind kind)
{
	return kind == REGION_SEND || kind == REGION_SSEND || kind == REGION_RECV ||
	       kind == REGION_SENDRECV || kind == REGION_WAIT || kind == REGION_WAITALL;
}

static double call_residual(const struct join *j, uint32_t call)
{
	if (j->call_end_s[call] < 0 || !ends_with_last(trace_call_kind(j->t, call)))
		return 0;
	return fabs(leave_s(j, call) - fmax(enter_s(j, call), j->call_end_s[call]));
}

static void judge(struct join *j, const struct flow_table *flows, struct fates *out)
{
	uint32_t i;
	size_t k;

	for (i = 0; i < j->m->n; i++) {
		struct fate *f = &j->fates[i];

		if (!f->joined)
			continue;
		f->residual_s = fmax(f->residual_s, call_residual(j, j->m->m[i].recv_done));
		f->residual_s = fmax(f->residual_s, f->arrived_s - f->done_s);
		out->joined++;
		out->residual_s = fmax(out->residual_s, f->residual_s);
	}
	for (i = 0; i < j->t->n_calls; i++)
		out->residual_s = fmax(out->residual_s, call_residual(j, i));
	for (k = 0; k < flows->n; k++)
		out->other_flows += !flows->flows[k].used;
}

int fates_find(const struct trace *t, const struct messages *m, struct fate_rules rules,
	       struct flow_table *flows, struct fates *out, struct err *err)
{
	struct join j = {.t = t, .m = m, .rules = rules};
	uint32_t i;
	int ret = -1;

	memset(out, 0, sizeof(*out));
	if (presence_init(&j.presence, t, err))
		return -1;
	j.fates = calloc((size_t)m->n + 1, sizeof(*j.fates));
	j.by_taking = calloc((size_t)m->n + 1, sizeof(*j.by_taking));
	j.call_end_s = malloc(((size_t)t->n_calls + 1) * sizeof(*j.call_end_s));
	j.service = calloc((size_t)m->n + 1, sizeof(*j.service));
	if (!j.fates || !j.by_taking || !j.service || !j.call_end_s) {
		err_set(err, "out of memory for %u messages", m->n);
		goto out;
	}
	for (i = 0; i < t->n_calls; i++)
		j.call_end_s[i] = -1;
	join_all(&j, flows);
	qsort_r(j.by_taking, m->n, sizeof(*j.by_taking), compare_taking, &j);
	take_all(&j);
	judge(&j, flows, out);
	out->fates = j.fates;
	j.fates = NULL;
	ret = 0;
out:
	free(j.call_end_s);
	free(j.service);
	free(j.by_taking);
	free(j.fates);
	presence_release(&j.presence);
	return ret;
}

void fates_release(struct fates *f)
{
	free(f->fates);
	memset(f, 0, sizeof(*f));
}
