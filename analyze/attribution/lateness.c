/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/lateness.h"

#include <string.h>

#include "analyze/tools/find_first.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/prefetch.h"
#include "common/table.h"

#define CALLS_MOST 4096 /* of a rank in one wait; of more the last ones */

/* A wait: this call waits for the rank that calls MPI at last at until. */
struct wait {
	uint32_t rank;
	int64_t from_ns;
	int64_t until_ns;
};

struct search {
	const struct trace *t;
	const struct messages *m;
	const struct attribution *a;
	uint32_t *late;            /* per call: the message whose other end is late, or: */
	struct late_partner *rows; /* of the calls that wait for a late one, in their order */
	size_t n;
};

#define NOT_SEEN TRACE_NONE       /* none was offered */
#define NOT_LATE (TRACE_NONE - 1) /* the call waits for no late one */

const char *lateness_reason_name(enum lateness_reason reason)
{
	static const char *const names[] = {
		[LATENESS_COMPUTATION] = "computation",
		[LATENESS_HANDLER] = "handler",
		[LATENESS_NETWORK] = "network",
		[LATENESS_COLLECTIVE] = "collective",
		[LATENESS_MESSAGES] = "messages",
		[LATENESS_LOCK] = "lock",
		[LATENESS_CORE] = "core",
		[LATENESS_UNKNOWN] = "unknown",
	};

	return names[reason];
}

/* When the end of message i that call does not belong to was there. */
static int64_t other_end_ns(const struct search *s, uint32_t i, uint32_t call)
{
	const struct message *x = &s->m->m[i];
	int is_receiver = s->t->calls[call].rank == x->dst;

	return is_receiver ? x->sent_ns : s->t->calls[x->recv_call].enter_ns;
}

/* Of the messages that a call completes the one whose other end came last is waited for. */
static void offer(struct search *s, uint32_t call, uint32_t i)
{
	uint32_t *late = &s->late[call];

	if (*late == NOT_SEEN && slices_part(&s->a->call, call, COST_late_partner) <= 0)
		*late = NOT_LATE;
	if (*late == NOT_LATE || s->m->m[i].src == s->m->m[i].dst ||
	    (!message_is_posted(s->t, &s->m->m[i]) && s->t->calls[call].rank == s->m->m[i].src))
		return;
	if (*late == NOT_SEEN || other_end_ns(s, i, call) > other_end_ns(s, *late, call))
		*late = i;
}

/* A call of one-sided communication that waits for a rank's own call; NULL: it is not. */
static const struct onesided_call *late_sync(const struct search *s, uint32_t call)
{
	const struct onesided_call *x =
		s->a->onesided.n ? onesided_at(&s->a->onesided, call) : NULL;

	return x && (x->cause == ONESIDED_LATE_POST || x->cause == ONESIDED_LATE_COMPLETE) ? x
											   : NULL;
}

static int is_late(const struct search *s, uint32_t call)
{
	return s->late[call] < NOT_LATE || late_sync(s, call);
}

static struct wait wait_of(const struct search *s, uint32_t call)
{
	const struct call *c = &s->t->calls[call];
	const struct message *x;
	uint32_t rank;

	if (s->late[call] >= NOT_LATE) {
		const struct onesided_call *sync = late_sync(s, call);

		return (struct wait){sync->rank, c->enter_ns, sync->until_ns};
	}
	x = &s->m->m[s->late[call]];
	rank = c->rank == x->dst ? x->src : x->dst;
	return (struct wait){rank, c->enter_ns,
			     earlier(c->leave_ns, other_end_ns(s, s->late[call], call))};
}

/* The first call of a rank that is not before when; the rank's end if there is none. */
static uint32_t first_call(const struct search *s, uint32_t rank, int64_t when)
{
	uint32_t at = s->t->ranks[rank].first_call;

	FIND_FIRST(at, at + s->t->ranks[rank].calls, s->t->calls[at].enter_ns >= when);
	return at;
}

/* What a rank did in a while: time by reason, and the call with most of each. */
struct doings {
	int64_t ns[LATENESS_UNKNOWN + 1];
	uint32_t at[LATENESS_UNKNOWN + 1];
	int64_t most_ns[LATENESS_UNKNOWN + 1];
	int64_t late_ns;
	int64_t most_late_ns;
	uint32_t late_at;
};

static void add(struct doings *d, enum lateness_reason reason, uint32_t call, int64_t ns)
{
	if (ns <= 0)
		return;
	d->ns[reason] += ns;
	if (ns > d->most_ns[reason]) {
		d->most_ns[reason] = ns;
		d->at[reason] = call;
	}
}

/* How much of a while within a call, of whose time late_ns is waiting for a late one, that is. */
static int64_t late_within(const struct search *s, uint32_t call, struct wait w, int64_t late_ns)
{
	int64_t until_ns = earlier(w.until_ns, wait_of(s, call).until_ns);

	return earlier(later(until_ns - w.from_ns, 0), late_ns);
}

/*
 * A while within a call. Until the late one came the call did nothing but wait for it: who came
 * himself to the call that this is about was no longer late. The rest is in the proportion of the
 * whole.
 */
static void add_call(struct doings *d, const struct search *s, uint32_t call, struct wait w)
{
	int64_t part[COST_COUNT] = {0};
	int64_t ns = w.until_ns - w.from_ns;
	int64_t took = s->t->calls[call].leave_ns - s->t->calls[call].enter_ns;
	double share;

	slices_add(&s->a->call, call, part);
	if (is_late(s, call)) {
		int64_t late = late_within(s, call, w, part[COST_late_partner]);

		took -= part[COST_late_partner];
		part[COST_late_partner] = 0;
		ns -= late;
		d->late_ns += late;
		if (late > d->most_late_ns) {
			d->most_late_ns = late;
			d->late_at = call;
		}
	}
	share = took > 0 ? (double)ns / (double)took : 0;
	for (int c = 0; c < COST_COUNT; c++)
		part[c] = (int64_t)((double)part[c] * share);
	add(d, LATENESS_COMPUTATION, call, part[COST_compute] + part[COST_start_end]);
	add(d, LATENESS_HANDLER, call, part[COST_handler_contention]);
	add(d, LATENESS_NETWORK, call,
	    part[COST_network_contention] + part[COST_receiver_port] + part[COST_sender_port] +
		    part[COST_back_pressure]);
	add(d, LATENESS_COLLECTIVE, call,
	    part[COST_collective_wait] + part[COST_collective_transfer]);
	add(d, LATENESS_MESSAGES, call,
	    part[COST_send_overhead] + part[COST_receive_overhead] + part[COST_wire] +
		    part[COST_inattention] + part[COST_uncollected]);
	add(d, LATENESS_LOCK, call, part[COST_lock_wait]);
	add(d, LATENESS_UNKNOWN, call, part[COST_not_identifiable] + part[COST_late_partner]);
}

static struct doings doings_of(const struct search *s, struct wait w)
{
	const struct rank *r = &s->t->ranks[w.rank];
	uint32_t end = first_call(s, w.rank, w.until_ns), call;
	struct doings d = {.late_at = TRACE_NONE};
	int64_t at_ns = w.from_ns;

	call = first_call(s, w.rank, w.from_ns);
	if (end - call > CALLS_MOST) {
		call = end - CALLS_MOST;
		at_ns = s->t->calls[call].enter_ns;
	} else if (call > r->first_call) {
		call--; /* may reach into the wait */
	}
	for (; call < end; call++) {
		int64_t enter_ns = later(s->t->calls[call].enter_ns, at_ns);
		int64_t leave_ns = earlier(s->t->calls[call].leave_ns, w.until_ns);

		if (leave_ns <= at_ns || trace_call_kind(s->t, call) == REGION_OTHER)
			continue;
		add(&d, LATENESS_COMPUTATION, call, enter_ns - at_ns);
		add_call(&d, s, call, (struct wait){w.rank, enter_ns, leave_ns});
		at_ns = leave_ns;
	}
	add(&d, LATENESS_COMPUTATION, end < r->first_call + r->calls ? end : TRACE_NONE,
	    w.until_ns - at_ns);
	return d;
}

/* A wait whose reason is not known yet. Returns its time. */
static int64_t note(const struct search *s, struct late_partner *row, uint32_t call)
{
	*row = (struct late_partner){.call = call,
				     .rank = wait_of(s, call).rank,
				     .ns = slices_part(&s->a->call, call, COST_late_partner)};
	return row->ns;
}

/* The row of a call that waits for a late one. */
static struct late_partner *row_of(const struct search *s, uint32_t call)
{
	size_t at = 0;

	FIND_FIRST(at, s->n - 1, s->rows[at].call >= call);
	return &s->rows[at];
}

/*
 * What did the rank do that this wait is for? If it mostly waited itself: in which call. Else
 * TRACE_NONE, and the row has the reason. That wait ended before this one, or it cannot explain it
 * (threads, clocks): so a chain of them comes to its end, however long it is.
 */
static uint32_t look_back(const struct search *s, struct late_partner *row)
{
	struct wait w = wait_of(s, row->call);
	struct doings d = doings_of(s, w);
	enum lateness_reason reason = LATENESS_COMPUTATION;

	for (int k = 0; k <= LATENESS_UNKNOWN; k++)
		if (d.ns[k] > d.ns[reason])
			reason = k;
	if (d.late_ns > d.ns[reason]) {
		if (wait_of(s, d.late_at).until_ns < w.until_ns)
			return d.late_at;
		reason = LATENESS_UNKNOWN;
	}
	row->cause = w.rank;
	row->reason = reason == LATENESS_UNKNOWN && trace_lacks_core(s->t, w.rank) ? LATENESS_CORE
										   : reason;
	row->at = d.most_ns[reason] ? d.at[reason] : TRACE_NONE;
	return TRACE_NONE;
}

/*
 * Go back from a wait to what was the reason, or to a wait whose reason is known; all on the way
 * there have it, too. So no wait is looked at twice.
 */
static void trace_back(struct search *s, struct late_partner *first)
{
	struct late_partner *row = first;
	uint32_t before, hops = 0;

	for (; !row->waits; row = row_of(s, before), hops++) {
		before = look_back(s, row);
		if (before == TRACE_NONE)
			break;
		row->at = before;
	}
	row->waits = 1;
	hops += row->hops;
	while (first != row) {
		struct late_partner *next = row_of(s, first->at);

		first->cause = row->cause;
		first->reason = row->reason;
		first->at = row->at;
		first->hops = hops--;
		first->waits = 1;
		first = next;
	}
}

static uint32_t site_of(const struct search *s, uint32_t call)
{
	return call == TRACE_NONE ? TRACE_NONE : s->t->calls[call].site;
}

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b, void *arg)
{
	const struct late_partner *x = a, *y = b;
	const struct search *s = arg;
	int order = compare(site_of(s, x->call), site_of(s, y->call));

	order = order ? order : compare(s->t->calls[x->call].region, s->t->calls[y->call].region);
	order = order ? order : compare(x->rank, y->rank);
	order = order ? order : compare(x->cause, y->cause);
	order = order ? order : compare(x->reason, y->reason);
	return order ? order : compare(site_of(s, x->at), site_of(s, y->at));
}

static int by_time(const void *a, const void *b)
{
	const struct late_partner *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns) - (x->ns > y->ns) : compare(x->call, y->call);
}

/* Rows with one key become one. */
static size_t merge(struct late_partner *row, size_t n, struct search *s)
{
	size_t kept = 0;

	sort_with(row, n, sizeof(*row), by_key, s);
	for (size_t k = 0; k < n; k++) {
		if (kept > 0 && by_key(&row[kept - 1], &row[k], s) == 0) {
			row[kept - 1].ns += row[k].ns;
			row[kept - 1].waits += row[k].waits;
		} else {
			row[kept++] = row[k];
		}
	}
	sort(row, kept, sizeof(*row), by_time);
	return kept;
}

/* What is asked of a call. */
static void fetch_call(const struct search *s, uint32_t call)
{
	trace_fetch_call(s->t, call);
	prefetch(&s->late[call]);
	prefetch(&s->a->call.first[call]);
}

/* What the calls of the messages to come wait for. */
static void fetch(const struct search *s, uint32_t i)
{
	const struct message *x = &s->m->m[i + MESSAGES_AHEAD];

	if (s->m->n - i <= MESSAGES_AHEAD)
		return;
	fetch_call(s, x->recv_done);
	if (x->send_done != TRACE_NONE)
		fetch_call(s, x->send_done);
}

int lateness_find(struct lateness *out, const struct trace *t, const struct messages *m,
		  const struct attribution *a, struct err *err)
{
	struct search s = {.t = t, .m = m, .a = a};

	memset(out, 0, sizeof(*out));
	s.late = table_alloc((size_t)t->n_calls + 1, sizeof(*s.late));
	if (!s.late)
		return err_set(err, "out of memory for %u calls", t->n_calls);
	memset(s.late, 0xff, ((size_t)t->n_calls + 1) * sizeof(*s.late));
	for (uint32_t i = 0; i < m->n; i++) {
		fetch(&s, i);
		offer(&s, m->m[i].recv_done, i);
		if (m->m[i].send_done != TRACE_NONE)
			offer(&s, m->m[i].send_done, i);
	}
	for (uint32_t c = 0; c < t->n_calls; c++)
		s.n += is_late(&s, c) != 0;
	s.rows = table_calloc(s.n + 1, sizeof(*s.rows));
	if (!s.rows) {
		table_free(s.late);
		return err_set(err, "out of memory for %zu waits", s.n);
	}
	for (uint32_t c = 0; c < t->n_calls; c++)
		if (is_late(&s, c))
			out->ns += note(&s, &s.rows[out->n++], c);
	for (size_t k = 0; k < s.n; k++)
		trace_back(&s, &s.rows[k]);
	out->rows = s.rows;
	out->n = merge(out->rows, out->n, &s);
	table_free(s.late);
	return 0;
}

void lateness_release(struct lateness *l)
{
	table_free(l->rows);
	memset(l, 0, sizeof(*l));
}
