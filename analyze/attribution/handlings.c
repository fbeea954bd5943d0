/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/handlings.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <string.h>

struct coming {
	int64_t arrive_ns;
	uint32_t message;
};

static int by_arrival(const void *a, const void *b)
{
	const struct coming *x = a, *y = b;

	return x->arrive_ns != y->arrive_ns
		       ? (x->arrive_ns > y->arrive_ns) - (x->arrive_ns < y->arrive_ns)
		       : (x->message > y->message) - (x->message < y->message);
}

static inline int64_t o_r_ns(const struct handlings *h, uint32_t i)
{
	return flow_price(h->a->f, i)->o_r_ns;
}

/* Handling number k of the table is that of message i, which takes from begin to end. */
static inline void take(struct handlings *h, uint32_t k, uint32_t i, int64_t begin_ns,
			int64_t end_ns)
{
	struct handling *x = &h->h[k - h->first];
	int64_t run_ns = begin_ns, all_ns = 0;

	h->taken_ns[i - h->first] = begin_ns;
	if (k > h->first) {
		begin_ns = later(begin_ns, x[-1].end_ns); /* of threads */
		end_ns = later(end_ns, begin_ns);
		run_ns = begin_ns == x[-1].end_ns ? x[-1].run_ns : begin_ns;
		all_ns = x[-1].all_ns;
	}
	*x = (struct handling){begin_ns, end_ns, run_ns, all_ns + end_ns - begin_ns};
}

/* n messages from first on that one call took: as they came, the last just before it ended. */
static void take_together(struct handlings *h, uint32_t first, uint32_t n)
{
	const struct scene *s = h->a->f->scene;
	uint32_t last = s->release[s->facts[first].recv_done].message;
	int64_t free_ns = INT64_MIN, left_ns = 0;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = first + k;
		const struct arrival *x = arrivals_at(h->a, i);
		int64_t arrive_ns = earlier(x->guess_ns, x->came_ns);
		int64_t takes_ns = o_r_ns(h, i), done_ns = s->facts[i].done_ns;

		if (i == last && x->is_waited_for)
			arrive_ns = done_ns - takes_ns;
		h->row[k] = (struct coming){earlier(arrive_ns, done_ns), i};
		left_ns += takes_ns;
	}
	sort(h->row, n, sizeof(*h->row), by_arrival);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = h->row[k].message;
		int64_t takes_ns = o_r_ns(h, i), done_ns = s->facts[i].done_ns;
		int64_t asked_ns = s->facts[i].asked_ns, begin_ns;

		begin_ns = later(later(asked_ns, h->row[k].arrive_ns), free_ns);
		/* those after it have to be handled as well */
		begin_ns = later(asked_ns, earlier(begin_ns, done_ns - left_ns));
		left_ns -= takes_ns;
		free_ns = begin_ns + takes_ns;
		take(h, first + k, i, begin_ns, earlier(free_ns, done_ns));
	}
}

static void take_alone(struct handlings *h, uint32_t i)
{
	const struct facts *x = &h->a->f->scene->facts[i];
	int64_t takes_ns = o_r_ns(h, i);
	int64_t begin_ns = later(x->asked_ns, x->done_ns - takes_ns);

	take(h, i, i, begin_ns, earlier(begin_ns + takes_ns, x->done_ns));
}

void handlings_run(struct handlings *h)
{
	const struct scene *s = h->a->f->scene;
	uint32_t n, end = h->a->h->first + h->a->h->n;

	h->first = h->a->h->first;
	h->n = h->a->h->n;
	vacancy_run(&h->vacancy, h->first, h->n);
	for (uint32_t i = h->first; i < end; i += n) {
		for (n = 1; s->facts[i + n].with_before;)
			n++;
		if (n > 1)
			take_together(h, i, n);
		else
			take_alone(h, i);
	}
}

/* How many had begun by then, which are about near. */
static uint32_t begun(const struct handlings *h, uint32_t near, int64_t when_ns)
{
	struct instants begins = {&h->h->begin_ns, sizeof(*h->h), h->n};

	return instants_until(begins, near, when_ns);
}

/* All that was handled up to when; k had begun by then. */
static int64_t handled_ns(const struct handlings *h, uint32_t k, int64_t when_ns)
{
	return k == 0 ? 0 : h->h[k - 1].all_ns - later(0, h->h[k - 1].end_ns - when_ns);
}

int64_t handlings_busy_ns(const struct handlings *h, struct handlings_near *near, int64_t from_ns,
			  int64_t to_ns)
{
	if (to_ns <= from_ns)
		return 0;
	near->from = begun(h, near->from, from_ns);
	near->to = begun(h, near->to, to_ns);
	return handled_ns(h, near->to, to_ns) - handled_ns(h, near->from, from_ns);
}

int64_t handlings_idle_ns(const struct handlings *h, uint32_t i)
{
	int64_t taken_ns = handlings_taken_ns(h, i);
	uint32_t k = begun(h, i - h->first, taken_ns - 1);

	return k < h->n && h->h[k].begin_ns == taken_ns ? h->h[k].run_ns : taken_ns;
}

int handlings_init(struct handlings *h, const struct arrivals *a, struct err *err)
{
	size_t n = (size_t)a->f->scene->most + 1;

	*h = (struct handlings){.a = a};
	if (vacancy_init(&h->vacancy, a->f->scene, a->f->machine, err))
		return -1;
	h->h = table_alloc(n, sizeof(*h->h));
	h->taken_ns = table_alloc(n, sizeof(*h->taken_ns));
	h->row = table_alloc(n, sizeof(*h->row));
	if (h->h && h->taken_ns && h->row)
		return 0;
	handlings_release(h);
	return err_set(err, "out of memory for %zu messages of a receiver", n);
}

void handlings_release(struct handlings *h)
{
	vacancy_release(&h->vacancy);
	table_free(h->row);
	table_free(h->taken_ns);
	table_free(h->h);
	memset(h, 0, sizeof(*h));
}
