/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/sending_saving.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

/* When a message is there, if its rank came to its row as it did. */
struct due {
	int64_t there_ns;
	uint32_t message;
};

struct sending {
	const struct evidence_base *b;
	const uint32_t *last;
	uint32_t *sent;   /* per call in a row: its message */
	int64_t *less_ns; /* per message: < 0, so much later by what the port needs for others */
	int64_t *rest_ns; /* per call of a row: it does not wait */
	uint32_t *until;
	enum sending_aim aim;
	struct due *due; /* room for one row's */
};

/* The row at work, whose messages are the first n due. */
struct row {
	uint32_t last, n;
	int64_t sooner_ns; /* a send begins than it did */
};

static int64_t price_ns(double s)
{
	return (int64_t)(s * 1e9);
}

static int by_time(const void *a, const void *b)
{
	const struct due *x = a, *y = b;

	if (x->there_ns != y->there_ns)
		return x->there_ns > y->there_ns ? 1 : -1;
	return (x->message > y->message) - (x->message < y->message);
}

/* So long a message keeps the port from the next one; perhaps not at all, if none was seen to. */
static int64_t port_ns(const struct sending *s, uint32_t i)
{
	const struct idle_price *p = evidence_price(s->b, i);

	if (s->aim == SENDING_PORTLESS &&
	    s->b->machine->classes[p->class].joint & MACHINE_JOINT_L_G)
		return 0;
	return price_ns(p->at.g_s);
}

/*
 * They pass the port in the order in which they can; none is later for that than it was. At most,
 * the last one has to wait for the others as if all had come with the first.
 */
static void share_port(struct sending *s, uint32_t n)
{
	int64_t free_ns = INT64_MIN;

	sort(s->due, n, sizeof(*s->due), by_time);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = s->due[k].message;
		int64_t own_ns = s->due[k].there_ns, there_ns = own_ns;

		if (k > 0) {
			free_ns += port_ns(s, i);
			there_ns = later(own_ns, earlier(free_ns, s->b->a->arrival_ns[i]));
		}
		s->less_ns[i] = s->aim != SENDING_LIKELY && k + 1 < n ? 0 : own_ns - there_ns;
		free_ns = s->aim != SENDING_LIKELY && k > 0 ? free_ns : there_ns;
	}
}

/*
 * What the call would not wait. What it queues behind others likely remains: begun together those
 * queue as long. A row's last one waits on, but at most beside the computation after it.
 */
static int64_t spared_ns(const struct sending *s, uint32_t call)
{
	const struct trace *t = s->b->t;
	unsigned parts = SENDING_WAITS;
	int64_t waited_ns;

	if (s->aim != SENDING_LIKELY)
		parts |= 1u << COST_sender_port | 1u << COST_receiver_port |
			 1u << COST_network_contention;
	if (s->aim != SENDING_LIKELY && s->b->machine->source != MACHINE_FILE)
		parts |= 1u << COST_not_identifiable;
	waited_ns = slices_sum(&s->b->a->call, call, parts);
	if (call != s->last[call])
		return waited_ns;
	return s->aim != SENDING_LIKELY ? earlier(waited_ns, evidence_own_after_ns(t, call)) : 0;
}

static void add(struct sending *s, struct row *row, uint32_t call)
{
	const struct evidence_base *b = s->b;
	uint32_t i = s->sent[call];
	int64_t begun_ns = b->t->calls[call].enter_ns - row->sooner_ns;

	if (message_is_posted(b->t, &b->m->m[i]))
		begun_ns = later(begun_ns, b->t->calls[b->m->m[i].recv_call].enter_ns);
	s->due[row->n++] = (struct due){begun_ns + retime_way_ns(b, i), i};
	s->rest_ns[call] = spared_ns(s, call);
	row->sooner_ns += s->rest_ns[call];
}

static void begin_all(struct sending *s)
{
	const struct evidence_base *b = s->b;
	struct row row = {.last = TRACE_NONE};

	for (uint32_t i = 0; i < b->m->n; i++) {
		uint32_t call = b->m->m[i].send_call;

		messages_fetch(b->t, b->m, i);
		if (s->last[call] != TRACE_NONE)
			s->sent[call] = i;
	}
	for (uint32_t c = 0; c < b->t->n_calls; c++) {
		if (s->last[c] == TRACE_NONE)
			continue;
		if (s->last[c] != row.last) {
			share_port(s, row.n);
			row = (struct row){.last = s->last[c]};
		}
		add(s, &row, c);
	}
	share_port(s, row.n);
}

/* The rank's next call of MPI, or this one. */
static uint32_t next_of(const struct trace *t, uint32_t call)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];

	for (uint32_t c = call + 1; c < r->first_call + r->calls; c++)
		if (trace_call_kind(t, c) != REGION_OTHER)
			return c;
	return call;
}

static int replay(struct sending *s, double *saved_s, struct err *err)
{
	const struct trace *t = s->b->t;
	struct retime begun = {.less_ns = s->less_ns, .rest_ns = s->rest_ns, .until = s->until};
	int is_later = s->aim != SENDING_LIKELY;

	begin_all(s);
	for (uint32_t c = 0; c < t->n_calls; c++) {
		uint32_t last = s->last[c] == TRACE_NONE ? c : s->last[c];

		s->until[c] = is_later && s->rest_ns[last] > 0 ? next_of(t, last) : last;
	}
	return retime_run(s->b, &begun, saved_s, err);
}

/* No rank sends more: the most calls of a rank. */
static uint32_t most_sent(const struct evidence_base *b)
{
	uint32_t most = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		most = b->t->ranks[r].calls > most ? b->t->ranks[r].calls : most;
	return most;
}

int sending_saving_find(const struct evidence_base *b, const uint32_t *last, enum sending_aim aim,
			double *saved_s, struct err *err)
{
	struct sending s = {.b = b, .last = last, .aim = aim};
	size_t calls = (size_t)b->t->n_calls + 1, messages = (size_t)b->m->n + 1;
	int ret = -1;

	s.sent = table_alloc(calls, sizeof(*s.sent));
	s.rest_ns = table_calloc(calls, sizeof(*s.rest_ns));
	s.until = table_alloc(calls, sizeof(*s.until));
	s.less_ns = table_calloc(messages, sizeof(*s.less_ns));
	s.due = table_alloc((size_t)most_sent(b) + 1, sizeof(*s.due));
	if (!s.sent || !s.rest_ns || !s.until || !s.less_ns || !s.due)
		err_set(err, "out of memory for %u messages", b->m->n);
	else
		ret = replay(&s, saved_s, err);
	table_free(s.due);
	table_free(s.less_ns);
	table_free(s.until);
	table_free(s.rest_ns);
	table_free(s.sent);
	return ret;
}
