/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/handler.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <string.h>

struct passing {
	int64_t arrive_ns;
	uint32_t message;
};

static int by_arrival(const void *a, const void *b)
{
	const struct passing *x = a, *y = b;

	return x->arrive_ns != y->arrive_ns
		       ? (x->arrive_ns > y->arrive_ns) - (x->arrive_ns < y->arrive_ns)
		       : (x->message > y->message) - (x->message < y->message);
}

void handler_run(struct handler *h, uint32_t first, uint32_t n)
{
	const struct flow *f = h->f;
	const struct scene *s = f->scene;

	h->first = first;
	h->n = n;
	for (uint32_t k = 0; k < h->n; k++)
		h->passing[k] = (struct passing){flow_at(f, h->first + k)->arrive_ns, h->first + k};
	sort(h->passing, h->n, sizeof(*h->passing), by_arrival);
	for (uint32_t k = 0; k < h->n; k++) {
		uint32_t i = h->passing[k].message;
		struct slot *x = &h->slot[k];
		int64_t o_r_ns = flow_price(f, i)->o_r_ns, arrive_ns = h->passing[k].arrive_ns;

		if (h->n - k > MESSAGES_AHEAD)
			prefetch(&s->facts[h->passing[k + MESSAGES_AHEAD].message]);
		*x = (struct slot){arrive_ns, arrive_ns, arrive_ns};
		if (k > 0 && x[-1].finish_ns > arrive_ns) {
			x->run_ns = x[-1].run_ns;
			x->finish_ns = x[-1].finish_ns;
		}
		h->begin_ns[i - h->first] = x->finish_ns;
		x->finish_ns =
			earlier(x->finish_ns + o_r_ns, later(x->finish_ns, s->facts[i].done_ns));
	}
}

int64_t handler_idle_ns(const struct handler *h, uint32_t i, int64_t when)
{
	struct instants arrivals = {&h->slot->arrive_ns, sizeof(*h->slot), h->n};
	uint32_t k = instants_until(arrivals, i - h->first, when);

	if (k == 0 || h->slot[k - 1].finish_ns < when)
		return when;
	return h->slot[k - 1].run_ns;
}

int handler_init(struct handler *h, const struct flow *f, struct err *err)
{
	size_t n = (size_t)f->scene->most + 1;

	*h = (struct handler){.f = f};
	h->begin_ns = table_alloc(n, sizeof(*h->begin_ns));
	h->slot = table_alloc(n, sizeof(*h->slot));
	h->passing = table_alloc(n, sizeof(*h->passing));
	if (h->begin_ns && h->slot && h->passing)
		return 0;
	handler_release(h);
	return err_set(err, "out of memory for %zu messages of a receiver", n);
}

void handler_release(struct handler *h)
{
	table_free(h->passing);
	table_free(h->slot);
	table_free(h->begin_ns);
	memset(h, 0, sizeof(*h));
}
