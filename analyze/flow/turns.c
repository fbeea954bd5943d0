/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/turns.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/*
 * Fair queueing by virtual time (Parekh and Gallager 1993): it runs at the rate that each active
 * connection gets, so a message's end is known in it once it begins, and stays.
 */
struct turns_event {
	double at; /* virtual for a finish, else ns from the first job */
	uint32_t job;
};

struct server {
	struct turns *p;
	struct turns_job *job;
	int64_t origin_ns;
	double now, virtual;
	size_t finishes, limits; /* in the heaps; on top are never jobs that are done */
	size_t active;
	size_t apart;       /* jobs at their own pace, in a heap by their end: */
	double apart_share; /* all that they take of the port */
};

/* fmax() of two numbers, without a call. */
static inline double later_of(double a, double b)
{
	return a > b ? a : b;
}

static int by_ready(const void *a, const void *b)
{
	const struct turns_job *x = a, *y = b;

	return x->ready_ns != y->ready_ns
		       ? (x->ready_ns > y->ready_ns) - (x->ready_ns < y->ready_ns)
		       : (x->message > y->message) - (x->message < y->message);
}

static int is_before(struct turns_event a, struct turns_event b)
{
	return a.at != b.at ? a.at < b.at : a.job < b.job;
}

static void push(struct turns_event *heap, size_t *n, struct turns_event e)
{
	size_t k = (*n)++;

	for (; k > 0 && is_before(e, heap[(k - 1) / 2]); k = (k - 1) / 2)
		heap[k] = heap[(k - 1) / 2];
	heap[k] = e;
}

static void pop(struct turns_event *heap, size_t *n)
{
	struct turns_event e = heap[--*n];
	size_t k = 0, child;

	for (; (child = 2 * k + 1) < *n; k = child) {
		if (child + 1 < *n && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], e))
			break;
		heap[k] = heap[child];
	}
	heap[k] = e;
}

/*
 * Of the port, for each active connection: what those at their own pace leave, and never less than
 * if all had equal shares.
 */
static double pace(const struct server *s)
{
	double active = (double)s->active;

	if (s->apart == 0)
		return 1 / active;
	return later_of((1 - s->apart_share) / active, 1 / (active + (double)s->apart));
}

/* What job k takes of the port, at its own pace. */
static double share_apart(const struct turns_job *j)
{
	double takes = (double)(j->limit_ns - j->ready_ns);

	return takes > (double)j->work_ns ? (double)j->work_ns / takes : 1;
}

static void begin_apart(struct server *s, uint32_t k)
{
	struct turns_job *j = &s->job[k];

	j->done_ns = j->limit_ns > j->ready_ns ? j->limit_ns : j->ready_ns;
	s->apart_share += share_apart(j);
	push(s->p->apart, &s->apart, (struct turns_event){(double)(j->done_ns - s->origin_ns), k});
}

static void end_apart(struct server *s)
{
	s->apart_share -= share_apart(&s->job[s->p->apart->job]);
	pop(s->p->apart, &s->apart);
	if (s->apart == 0) /* no rounding is left */
		s->apart_share = 0;
}

/* A job is done: what is on top of the heaps now? */
static void drop_done(struct server *s)
{
	while (s->finishes && s->job[s->p->finish->job].done_ns != INT64_MAX)
		pop(s->p->finish, &s->finishes);
	while (s->limits && s->job[s->p->limit->job].done_ns != INT64_MAX)
		pop(s->p->limit, &s->limits);
}

static void begin(struct server *s, uint32_t k)
{
	struct turns_job *j = &s->job[k];

	s->active++;
	s->p->end[k] = s->virtual + (double)j->work_ns;
	push(s->p->finish, &s->finishes, (struct turns_event){s->p->end[k], k});
	push(s->p->limit, &s->limits,
	     (struct turns_event){(double)(j->limit_ns - s->origin_ns), k});
}

/* Job k leaves now; the next of its connection goes on. */
static void end(struct server *s, uint32_t k)
{
	struct turns_job *j = &s->job[k];
	uint32_t next = s->p->next[k];

	s->active--;
	j->done_ns = s->origin_ns + llround(s->now);
	if (j->done_ns > j->limit_ns) /* gone while it stood behind others */
		j->done_ns = j->limit_ns > j->ready_ns ? j->limit_ns : j->ready_ns;
	drop_done(s);
	if (s->p->last[j->connection] == k)
		s->p->last[j->connection] = NONE;
	if (next != NONE)
		begin(s, next);
}

static void arrive(struct server *s, uint32_t k)
{
	uint32_t *last = &s->p->last[s->job[k].connection];

	s->p->next[k] = NONE;
	s->job[k].done_ns = INT64_MAX;
	if (*last == NONE)
		begin(s, k);
	else
		s->p->next[*last] = k;
	*last = k;
}

/*
 * Job k is gone before the port could have done what is left of it: it had a larger share than
 * an equal one, and the others had less.
 */
static void give_back(struct server *s, uint32_t k, double left)
{
	const struct turns_event *next = s->p->finish;

	if (s->active < 2 || left <= 0)
		return;
	s->job[k].done_ns = s->origin_ns;
	drop_done(s);
	s->virtual -= left / (double)(s->active - 1);
	s->virtual = later_of(s->virtual, next->at - (double)s->job[next->job].work_ns);
}

/* Everything that happens up to when, while nobody begins or ends at his own pace. */
static void run_evenly(struct server *s, double when)
{
	while (s->active) {
		double rate = pace(s);
		double finish = s->p->finish->at, limit = later_of(s->now, s->p->limit->at);
		double at = s->now + later_of(0, finish - s->virtual) / rate;
		uint32_t k;

		if (at > when && limit > when) {
			s->virtual += (when - s->now) * rate;
			break;
		}
		if (at <= limit) {
			k = s->p->finish->job;
			s->virtual = later_of(s->virtual, finish);
			s->now = at;
		} else {
			k = s->p->limit->job;
			s->virtual += (limit - s->now) * rate;
			give_back(s, k, s->p->end[k] - s->virtual);
			s->now = limit;
		}
		end(s, k);
	}
	s->now = later_of(s->now, when);
}

/* Everything that happens up to when; a rate of pace() for each active connection. */
static void run_until(struct server *s, double when)
{
	while (s->apart && s->p->apart->at <= when) {
		run_evenly(s, s->p->apart->at);
		end_apart(s);
	}
	run_evenly(s, when);
}

/* Job k, ready at an idle port, if it is through when the next of n is ready: most are. */
static int passes_alone(struct server *s, uint32_t k, size_t n)
{
	struct turns_job *j = &s->job[k];
	int64_t done_ns = j->ready_ns + (j->work_ns > 0 ? j->work_ns : 0);
	int64_t limit_ns = j->limit_ns > j->ready_ns ? j->limit_ns : j->ready_ns;

	done_ns = done_ns < limit_ns ? done_ns : limit_ns;
	if (k + 1 < n && done_ns > s->job[k + 1].ready_ns)
		return 0;
	j->done_ns = done_ns;
	s->now = (double)(done_ns - s->origin_ns);
	return 1;
}

/* Does nobody keep the port busy? Then all pass as they come. */
static int is_idle(const struct turns_job *job, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (job[k].work_ns > 0)
			return 0;
	return 1;
}

static int are_one_connection(const struct turns_job *job, size_t n)
{
	for (size_t k = 1; k < n; k++)
		if (job[k].connection != job->connection)
			return 0;
	return job->connection != TURNS_APART;
}

/* Jobs of one connection, as they are ready: each has all of the port, after those before it. */
static void serve_in_line(struct turns_job *job, size_t n)
{
	int64_t free_ns = INT64_MIN;

	for (struct turns_job *j = job; j < job + n; j++) {
		int64_t begin_ns = later(j->ready_ns, free_ns);

		free_ns = earlier(begin_ns + later(0, j->work_ns), later(begin_ns, j->limit_ns));
		j->done_ns = later(j->ready_ns, earlier(free_ns, j->limit_ns));
	}
}

static int make_room(struct turns *p, size_t n, struct err *err)
{
	if (n <= p->room)
		return 0;
	table_free(p->next);
	table_free(p->end);
	table_free(p->finish);
	table_free(p->limit);
	table_free(p->apart);
	p->room = 0;
	p->next = table_calloc(n, sizeof(*p->next));
	p->end = table_calloc(n, sizeof(*p->end));
	p->finish = table_calloc(n, sizeof(*p->finish));
	p->limit = table_calloc(n, sizeof(*p->limit));
	p->apart = table_calloc(n, sizeof(*p->apart));
	if (!p->next || !p->end || !p->finish || !p->limit || !p->apart)
		return err_set(err, "out of memory for %zu messages of a port", n);
	p->room = n;
	return 0;
}

int turns_serve(struct turns *p, struct turns_job *job, size_t n, struct err *err)
{
	struct server s = {.p = p, .job = job};

	if (is_idle(job, n)) {
		for (size_t k = 0; k < n; k++)
			job[k].done_ns = job[k].ready_ns;
		return 0;
	}
	sort(job, n, sizeof(*job), by_ready);
	if (are_one_connection(job, n)) {
		serve_in_line(job, n);
		return 0;
	}
	if (make_room(p, n, err))
		return -1;
	s.origin_ns = job->ready_ns;
	for (uint32_t k = 0; k < n; k++) {
		double ready = (double)(job[k].ready_ns - s.origin_ns);

		if (s.active || s.apart)
			run_until(&s, ready);
		s.now = later_of(s.now, ready);
		if (job[k].connection == TURNS_APART) {
			begin_apart(&s, k);
			continue;
		}
		if (s.active == 0) {
			s.virtual = 0;
			s.finishes = s.limits = 0;
			if (s.apart == 0 && passes_alone(&s, k, n))
				continue;
		}
		arrive(&s, k);
	}
	run_until(&s, INFINITY);
	return 0;
}

int turns_init(struct turns *p, size_t connections, struct err *err)
{
	memset(p, 0, sizeof(*p));
	p->last = malloc((connections + 1) * sizeof(*p->last));
	if (!p->last)
		return err_set(err, "out of memory for %zu connections", connections);
	memset(p->last, 0xff, (connections + 1) * sizeof(*p->last));
	p->connections = connections;
	return 0;
}

void turns_release(struct turns *p)
{
	table_free(p->apart);
	table_free(p->limit);
	table_free(p->finish);
	table_free(p->end);
	table_free(p->next);
	free(p->last);
	memset(p, 0, sizeof(*p));
}
