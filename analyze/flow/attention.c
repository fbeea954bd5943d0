/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/attention.h"

#include "analyze/tools/sorting.h"
#include "common/table.h"

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The n starts of one collective; back_ns: room for so many. */
static void find_of(const struct trace *t, const struct presence *p, int64_t started_ns,
		    const struct collective_start *x, uint32_t n, int64_t *back_ns,
		    int64_t *until_ns)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct call *start = &t->calls[x[i].start];
		int64_t from_ns = later(started_ns, start->leave_ns);

		back_ns[i] = presence_next_ns(p, start->rank, x[i].done, from_ns);
		if (back_ns[i] == from_ns) /* it never was outside */
			back_ns[i] = started_ns;
	}
	sort(back_ns, n, sizeof(*back_ns), by_time);
	for (uint32_t i = 0; i < n; i++) {
		struct instants back = {back_ns, sizeof(*back_ns), n};
		uint32_t k = instants_until(back, n, t->calls[x[i].done].leave_ns);

		if (k > 0)
			until_ns[x[i].done] = later(until_ns[x[i].done], back_ns[k - 1]);
	}
}

int attention_find(const struct trace *t, const struct collectives *c, const struct presence *p,
		   int64_t **until_ns, struct err *err)
{
	int64_t *back_ns;
	uint32_t n;

	*until_ns = NULL;
	if (!c->n_starts)
		return 0;
	*until_ns = table_calloc((size_t)t->n_calls + 1, sizeof(**until_ns));
	back_ns = table_calloc((size_t)c->n_starts + 1, sizeof(*back_ns));
	for (uint32_t i = 0; *until_ns && back_ns && i < c->n_starts; i += n) {
		uint32_t k = c->starts[i].collective;

		for (n = 1; i + n < c->n_starts && c->starts[i + n].collective == k; n++)
			;
		find_of(t, p, c->c[k].last_enter_ns, &c->starts[i], n, back_ns, *until_ns);
	}
	table_free(back_ns);
	if (*until_ns && back_ns)
		return 0;
	table_free(*until_ns);
	*until_ns = NULL;
	return err_set(err, "out of memory for %u calls", t->n_calls);
}
