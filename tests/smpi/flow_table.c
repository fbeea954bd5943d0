/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/smpi/flow_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int order(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b)
{
	const struct sim_flow *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	if (x->bytes != y->bytes)
		return order(x->bytes, y->bytes);
	return order(x->start_s, y->start_s);
}

static int append(struct flow_table *t, size_t *room, const struct sim_flow *flow, struct err *err)
{
	struct sim_flow *more;

	if (t->n == *room) {
		*room = *room ? 2 * *room : 1024;
		more = reallocarray(t->flows, *room, sizeof(*more));
		if (!more)
			return err_set(err, "out of memory for %zu flows", *room);
		t->flows = more;
	}
	t->flows[t->n++] = *flow;
	return 0;
}

int flow_table_read(const char *path, struct flow_table *out, struct err *err)
{
	struct flow_table t = {0};
	struct sim_flow flow = {0};
	FILE *f = fopen(path, "r");
	size_t room = 0;
	char line[256];
	int ret = -1;

	if (!f)
		return err_set(err, "cannot open %s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "src,", 4))
			continue;
		if (sscanf(line, "%u,%u,%lf,%lf,%lf,%lf", &flow.src, &flow.dst, &flow.bytes,
			   &flow.start_s, &flow.end_s, &flow.free_s) != 6) {
			err_set(err, "%s: not a flow: %s", path, line);
			goto out;
		}
		if (append(&t, &room, &flow, err))
			goto out;
	}
	if (t.n)
		qsort(t.flows, t.n, sizeof(*t.flows), by_key);
	*out = t;
	t.flows = NULL;
	ret = 0;
out:
	free(t.flows);
	fclose(f);
	return ret;
}

void flow_table_release(struct flow_table *t)
{
	free(t->flows);
	memset(t, 0, sizeof(*t));
}

/* Is f rather than other what starts at this whole nanosecond? */
static int is_rather(const struct sim_flow *f, const struct sim_flow *other, double start_s)
{
	double far_s = fabs(f->start_s - start_s), other_s = fabs(other->start_s - start_s);

	if (fmax(far_s, other_s) <= FLOW_TOLERANCE_S / 2)
		return f->end_s < other->end_s;
	return far_s < other_s;
}

struct sim_flow *flow_table_take(struct flow_table *t, unsigned src, unsigned dst, double bytes,
				 double start_s)
{
	struct sim_flow key = {
		.src = src, .dst = dst, .bytes = bytes, .start_s = start_s - FLOW_TOLERANCE_S};
	struct sim_flow *nearest = NULL;
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (by_key(&t->flows[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < t->n; low++) {
		struct sim_flow *f = &t->flows[low];

		if (f->src != src || f->dst != dst || f->bytes != bytes ||
		    f->start_s >= start_s + FLOW_TOLERANCE_S)
			break;
		if (!f->used && (!nearest || is_rather(f, nearest, start_s)))
			nearest = f;
	}
	if (nearest)
		nearest->used = 1;
	return nearest;
}
