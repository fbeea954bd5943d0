/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which messages had both their ends' ports to themselves? For machine_samples.c. */
#include "analyze/machine_samples.h"

#include <stdlib.h>
#include <string.h>

#define ENOUGH_INTERVALS \
	600000 /* ranks beyond are left out: none of their messages count as alone */

/* A message as one of its ends sees it. */
struct interval {
	int64_t from_ns;
	int64_t to_ns;
	uint32_t message;
};

static int by_begin(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* In one rank's intervals: count in ends[] those that overlap no other one. */
static void count_alone(struct interval *v, size_t n, uint8_t *ends)
{
	int64_t reach = INT64_MIN;

	qsort(v, n, sizeof(*v), by_begin);
	for (size_t k = 0; k < n; k++) {
		if (v[k].from_ns >= reach && (k + 1 == n || v[k + 1].from_ns >= v[k].to_ns))
			ends[v[k].message]++;
		if (v[k].to_ns > reach)
			reach = v[k].to_ns;
	}
}

/* The intervals of ranks 0 .. ranks - 1, grouped: v[at[r]] .. v[at[r + 1] - 1]. */
static void fill(struct interval *v, uint32_t *at, uint32_t ranks, const struct trace *t,
		 const struct messages *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];
		const uint32_t end[] = {x->src, x->dst};

		for (int side = 0; side < 2; side++)
			if (end[side] < ranks)
				v[at[end[side]]++] = (struct interval){
					t->calls[x->send_call].enter_ns, x->done_ns, i};
	}
	memmove(at + 1, at, ranks * sizeof(*at));
	at[0] = 0;
}

int samples_find_alone(uint8_t *ends, const struct trace *t, const struct messages *m,
		       struct err *err)
{
	uint32_t *at = calloc((size_t)t->n_ranks + 2, sizeof(*at));
	struct interval *v = NULL;
	uint32_t ranks = 0, n = 0;
	int ret = -1;

	if (!at)
		return err_set(err, "out of memory for %u ranks", t->n_ranks);
	for (uint32_t i = 0; i < m->n; i++) {
		at[m->m[i].src + 1]++;
		at[m->m[i].dst + 1]++;
	}
	for (; ranks < t->n_ranks && (uint64_t)n + at[ranks + 1] <= ENOUGH_INTERVALS; ranks++) {
		n += at[ranks + 1];
		at[ranks + 1] = n;
	}
	v = calloc((size_t)n + 1, sizeof(*v));
	if (!v) {
		err_set(err, "out of memory for %u messages", n);
		goto out;
	}
	fill(v, at, ranks, t, m);
	for (uint32_t r = 0; r < ranks; r++)
		count_alone(v + at[r], at[r + 1] - at[r], ends);
	ret = 0;
out:
	free(v);
	free(at);
	return ret;
}
