/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const region_names[] = {
	[REGION_OTHER] = "user",
	[REGION_MPI_LOCAL] = "MPI_Comm_rank",
	[REGION_SEND] = "MPI_Send",
	[REGION_SSEND] = "MPI_Ssend",
	[REGION_ISEND] = "MPI_Isend",
	[REGION_RECV] = "MPI_Recv",
	[REGION_IRECV] = "MPI_Irecv",
	[REGION_SENDRECV] = "MPI_Sendrecv",
	[REGION_WAIT] = "MPI_Wait",
	[REGION_WAITALL] = "MPI_Waitall",
	[REGION_WAITSOME] = "MPI_Waitsome",
	[REGION_TEST] = "MPI_Test",
	[REGION_PROBE] = "MPI_Probe",
	[REGION_IPROBE] = "MPI_Iprobe",
	[REGION_COLLECTIVE] = "MPI_Barrier",
	[REGION_IO] = "MPI_File_read",
	[REGION_INIT] = "MPI_Init",
	[REGION_FINALIZE] = "MPI_Finalize",
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

void tables_init(struct tables *x, uint32_t ranks, uint32_t per_host)
{
	struct trace *t = &x->trace;
	char name[32];

	memset(x, 0, sizeof(*x));
	t->n_ranks = ranks;
	t->nodes = (ranks + per_host - 1) / per_host;
	t->ranks = must(calloc(ranks, sizeof(*t->ranks)));
	for (uint32_t r = 0; r < ranks; r++) {
		snprintf(name, sizeof(name), "host%u", r / per_host);
		t->ranks[r].host = must(strdup(name));
		t->ranks[r].node = r / per_host;
	}
	if (trace_number_homes(t))
		abort();
	t->n_regions = REGION_FINALIZE + 1;
	t->regions = must(calloc(t->n_regions, sizeof(*t->regions)));
	for (uint32_t k = 0; k < t->n_regions; k++) {
		const char *name_of = region_names[k] ? region_names[k] : "MPI_other";

		t->regions[k] = (struct region){.name = must(strdup(name_of)), .kind = k};
	}
	t->n_sites = 8;
	t->sites = must(calloc(t->n_sites, sizeof(*t->sites)));
	x->messages.by_dst = must(calloc(ranks + 1, sizeof(uint32_t)));
}

void tables_release(struct tables *x)
{
	for (uint32_t r = 0; r < x->trace.n_ranks; r++)
		free(x->trace.ranks[r].host);
	for (uint32_t k = 0; k < x->trace.n_regions; k++)
		free(x->trace.regions[k].name);
	free(x->trace.ranks);
	free(x->trace.regions);
	free(x->trace.sites);
	free(x->trace.calls);
	free(x->trace.pair_error_ns);
	free(x->messages.m);
	free(x->messages.by_dst);
	free(x->collectives.c);
	memset(x, 0, sizeof(*x));
}

uint32_t tables_call(struct tables *x, uint32_t rank, enum region_kind kind, int64_t enter_ns,
		     int64_t leave_ns, uint32_t site)
{
	struct trace *t = &x->trace;

	if (t->n_calls == x->room_calls) {
		x->room_calls = 2 * x->room_calls + 64;
		t->calls = must(reallocarray(t->calls, x->room_calls, sizeof(*t->calls)));
	}
	t->calls[t->n_calls] =
		(struct call){enter_ns, leave_ns, rank, 0, kind, site, TRACE_NONE, TRACE_NONE};
	return t->n_calls++;
}

void tables_message(struct tables *x, uint64_t bytes, uint32_t send_call, uint32_t send_done,
		    uint32_t recv_call, uint32_t recv_done)
{
	struct messages *m = &x->messages;
	struct message new = {.bytes = bytes,
			      .send_call = send_call,
			      .send_done = send_done,
			      .recv_call = recv_call,
			      .recv_done = recv_done,
			      .not_here_ns = INT64_MIN};

	new.done_ns = x->trace.calls[recv_done].leave_ns;
	if (send_done != TRACE_NONE)
		new.send_done_ns = x->trace.calls[send_done].leave_ns;
	new.place = trace_place(&x->trace, send_call);
	new.sent_ns = x->trace.calls[send_call].enter_ns;
	new.src = x->trace.calls[send_call].rank;
	new.dst = x->trace.calls[recv_done].rank;
	if (m->n == x->room_messages) {
		x->room_messages = 2 * x->room_messages + 64;
		m->m = must(reallocarray(m->m, x->room_messages, sizeof(*m->m)));
	}
	m->m[m->n++] = new;
}

void tables_collective(struct tables *x, const int64_t *enter_ns, int64_t leave_ns, uint32_t site)
{
	struct collectives *c = &x->collectives;
	struct collective new = {.region = REGION_COLLECTIVE,
				 .root = -1,
				 .first_enter_ns = INT64_MAX,
				 .last_enter_ns = INT64_MIN,
				 .members = x->trace.n_ranks};

	for (uint32_t r = 0; r < x->trace.n_ranks; r++) {
		uint32_t call = tables_call(x, r, REGION_COLLECTIVE, enter_ns[r], leave_ns, site);

		x->trace.calls[call].collective = c->n;
		if (enter_ns[r] < new.first_enter_ns)
			new.first_enter_ns = enter_ns[r];
		if (enter_ns[r] > new.last_enter_ns) {
			new.last_enter_ns = enter_ns[r];
			new.last_rank = r;
		}
	}
	c->c = must(reallocarray(c->c, c->n + 1, sizeof(*c->c)));
	c->c[c->n++] = new;
}

static int by_rank_and_enter(const void *a, const void *b, void *arg)
{
	const struct call *c = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (c[i].rank != c[j].rank)
		return c[i].rank < c[j].rank ? -1 : 1;
	if (c[i].enter_ns != c[j].enter_ns)
		return c[i].enter_ns < c[j].enter_ns ? -1 : 1;
	return i < j ? -1 : i > j;
}

static int by_completion(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	return x->done_ns < y->done_ns ? -1 : x->done_ns > y->done_ns;
}

/* Sort the calls; to[handle] is then a call's index. */
static void sort_calls(struct trace *t, uint32_t *to)
{
	uint32_t *order = must(calloc(t->n_calls + 1, sizeof(*order)));
	struct call *sorted = must(calloc(t->n_calls + 1, sizeof(*sorted)));

	for (uint32_t i = 0; i < t->n_calls; i++)
		order[i] = i;
	qsort_r(order, t->n_calls, sizeof(*order), by_rank_and_enter, t->calls);
	for (uint32_t i = 0; i < t->n_calls; i++) {
		sorted[i] = t->calls[order[i]];
		to[order[i]] = i;
	}
	free(order);
	free(t->calls);
	t->calls = sorted;
}

void tables_finish(struct tables *x)
{
	struct trace *t = &x->trace;
	struct messages *m = &x->messages;
	uint32_t *to = must(calloc(t->n_calls + 1, sizeof(*to)));

	sort_calls(t, to);
	for (uint32_t i = t->n_calls; i-- > 0;) {
		struct rank *r = &t->ranks[t->calls[i].rank];

		r->calls++;
		r->first_call = i;
		r->begin_ns = t->calls[i].enter_ns;
		r->is_threaded |= t->calls[i].thread != 0;
		if (t->calls[i].leave_ns > r->end_ns)
			r->end_ns = t->calls[i].leave_ns;
		if (r->end_ns > t->wall_ns)
			t->wall_ns = r->end_ns;
	}
	for (uint32_t i = 0; i < m->n; i++) {
		m->m[i].send_call = to[m->m[i].send_call];
		m->m[i].send_done = to[m->m[i].send_done];
		if (m->m[i].recv_call != TRACE_NONE)
			m->m[i].recv_call = to[m->m[i].recv_call];
		m->m[i].recv_done = to[m->m[i].recv_done];
		m->by_dst[m->m[i].dst + 1]++;
	}
	free(to);
	if (m->n)
		qsort(m->m, m->n, sizeof(*m->m), by_completion);
	for (uint32_t r = 0; r < t->n_ranks; r++)
		m->by_dst[r + 1] += m->by_dst[r];
}

struct machine tables_machine(double L_s, double o_s, double g_s_per_byte, uint64_t eager_bytes)
{
	struct machine m = {.source = MACHINE_FILE};

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		struct machine_class *c = &m.classes[k];

		c->L_s = L_s;
		c->n = 2;
		c->points = must(calloc(2, sizeof(*c->points)));
		c->points[0] = (struct plogp_point){0, o_s, o_s, 2 * o_s};
		c->points[1] = (struct plogp_point){1e6, o_s, o_s, 2 * o_s + 1e6 * g_s_per_byte};
		c->uncertainty = 0.05;
		c->eager_bytes = eager_bytes;
	}
	return m;
}
