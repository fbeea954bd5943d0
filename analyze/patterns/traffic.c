/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/traffic.h"

#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

static int compare_u32(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_ends(const void *pa, const void *pb)
{
	const struct edge *a = pa;
	const struct edge *b = pb;
	int order = compare_u32(a->src, b->src);

	return order ? order : compare_u32(a->dst, b->dst);
}

static int by_sender(const void *pa, const void *pb)
{
	const struct sending *a = pa;
	const struct sending *b = pb;

	if (a->src != b->src)
		return compare_u32(a->src, b->src);
	if (a->sent_ns != b->sent_ns)
		return a->sent_ns < b->sent_ns ? -1 : 1;
	if (a->nth != b->nth)
		return compare_u32(a->nth, b->nth);
	return compare_u32(a->dst, b->dst);
}

/* offsets[r] = how many of the n sorted things, each size long, have a first number below r. */
static uint32_t *offsets_of(uint32_t ranks, uint32_t n, const void *things, size_t size)
{
	uint32_t *at = calloc((size_t)ranks + 2, sizeof(*at));
	const char *p = things;
	uint32_t r;
	uint32_t i;

	if (!at)
		return NULL;
	for (i = 0; i < n; i++, p += size)
		at[*(const uint32_t *)(const void *)p + 1]++;
	for (r = 0; r < ranks; r++)
		at[r + 1] += at[r];
	return at;
}

/*
 * By sender and time, without loops; *kept: how many are left. A counting sort by sender, in the
 * order in which they came, is most of it. NULL: out of memory. Caller frees with table_free().
 */
static struct sending *sort_by_sender(uint32_t ranks, size_t n, const struct delivery *d,
				      size_t *kept)
{
	struct sending *sorted = table_alloc(n + 1, sizeof(*sorted));
	size_t *at = calloc((size_t)ranks + 2, sizeof(*at));
	uint32_t r;
	size_t i;

	if (sorted && at) {
		for (i = 0; i < n; i++)
			at[d[i].src + 1] += d[i].src != d[i].dst;
		for (r = 0; r < ranks; r++)
			at[r + 1] += at[r];
		*kept = at[ranks];
		for (i = 0; i < n; i++)
			if (d[i].src != d[i].dst)
				sorted[at[d[i].src]++] = (struct sending){.sent_ns = d[i].sent_ns,
									  .bytes = d[i].bytes,
									  .src = d[i].src,
									  .dst = d[i].dst,
									  .sent_in = d[i].sent_in,
									  .nth = d[i].nth};
		sort(sorted, *kept, sizeof(*sorted), by_sender);
	}
	if (!at) {
		table_free(sorted);
		sorted = NULL;
	}
	free(at);
	return sorted;
}

/* Room for one more edge. Returns 0, or -1: out of memory. */
static int make_room(struct traffic *t, uint32_t *room)
{
	struct edge *more;

	if (t->n_edges < *room)
		return 0;
	*room = 2 * *room + 1024;
	more = reallocarray(t->edges, *room, sizeof(*more));
	if (!more)
		return -1;
	t->edges = more;
	return 0;
}

/*
 * The edges of one sender's n deliveries, in order of their receivers. at: per receiver 1 + its
 * edge, if that is one of these. *squares: of all volumes so far. Returns 0, or -1: out of memory.
 */
static int add_edges_of(struct traffic *t, size_t n, const struct sending *d, uint32_t *at,
			uint32_t *room, double *squares)
{
	uint32_t first = t->n_edges;

	for (size_t i = 0; i < n; i++) {
		uint32_t k = at[d[i].dst];
		double volume = (double)d[i].bytes + 1;

		t->volume += volume;
		*squares += volume * volume;
		if (k > first) {
			t->edges[k - 1].count++;
			t->edges[k - 1].volume += volume;
			continue;
		}
		if (make_room(t, room))
			return -1;
		t->edges[t->n_edges] = (struct edge){d[i].src, d[i].dst, 1, volume};
		at[d[i].dst] = ++t->n_edges;
	}
	sort(t->edges + first, t->n_edges - first, sizeof(*t->edges), by_ends);
	return 0;
}

/* Of an edge with one message nothing is known. squares: of all messages' volumes, summed. */
static double scatter_of(const struct traffic *t, double squares)
{
	double of_means = 0;

	for (uint32_t i = 0; i < t->n_edges; i++) {
		const struct edge *e = &t->edges[i];
		double mean = e->volume / e->count;

		squares -= mean * e->volume;
		of_means += (e->count - 1) * mean * mean;
	}
	return squares > 0 && of_means > 0 ? squares / of_means : 0;
}

/* All edges. d: by sender. Returns 0, or -1: out of memory. */
static int add_edges(struct traffic *t, size_t n, const struct sending *d)
{
	uint32_t *at = calloc((size_t)t->ranks + 1, sizeof(*at)), room = 0;
	int ret = !at || make_room(t, &room) ? -1 : 0;
	size_t first = 0, end;
	double squares = 0;

	for (; !ret && first < n; first = end) {
		for (end = first + 1; end < n && d[end].src == d[first].src;)
			end++;
		ret = add_edges_of(t, end - first, d + first, at, &room, &squares);
	}
	free(at);
	if (ret)
		return -1;
	t->messages = (double)n;
	for (uint32_t i = 0; i < t->n_edges; i++)
		t->typical += (double)t->edges[i].count * t->edges[i].count / t->messages;
	t->scatter = scatter_of(t, squares);
	t->row = offsets_of(t->ranks, t->n_edges, t->edges, sizeof(*t->edges));
	return t->row ? 0 : -1;
}

static int by_pair(const void *pa, const void *pb)
{
	const struct pair *a = pa;
	const struct pair *b = pb;
	int order = compare_u32(a->a, b->a);

	return order ? order : compare_u32(a->b, b->b);
}

static int add_pairs(struct traffic *t)
{
	uint32_t kept = 0;
	uint32_t i;

	t->pairs = calloc((size_t)t->n_edges + 1, sizeof(*t->pairs));
	if (!t->pairs)
		return -1;
	for (i = 0; i < t->n_edges; i++) {
		const struct edge *e = &t->edges[i];
		int up = e->src < e->dst;

		t->pairs[i] = (struct pair){up ? e->src : e->dst, up ? e->dst : e->src, e->count,
					    e->volume, up ? e->volume : 0};
	}
	sort(t->pairs, t->n_edges, sizeof(*t->pairs), by_pair);
	for (i = 0; i < t->n_edges; i++) {
		struct pair *last = &t->pairs[kept ? kept - 1 : 0];

		if (!kept || by_pair(last, &t->pairs[i])) {
			t->pairs[kept++] = t->pairs[i];
			continue;
		}
		last->count += t->pairs[i].count;
		last->volume += t->pairs[i].volume;
		last->upward += t->pairs[i].upward;
	}
	t->n_pairs = kept;
	t->first = offsets_of(t->ranks, kept, t->pairs, sizeof(*t->pairs));
	return t->first ? 0 : -1;
}

static int count_active(struct traffic *t)
{
	uint8_t *has = calloc((size_t)t->ranks + 1, 1);
	uint32_t i;

	if (!has)
		return -1;
	for (i = 0; i < t->n_pairs; i++) {
		has[t->pairs[i].a] = 1;
		has[t->pairs[i].b] = 1;
	}
	for (i = 0; i < t->ranks; i++)
		t->active += has[i];
	free(has);
	return 0;
}

/* Leave out loops. */
static void drop_loops(size_t n, struct delivery *d)
{
	size_t kept = 0;

	while (kept < n && d[kept].src != d[kept].dst)
		kept++;
	for (size_t i = kept; i < n; i++)
		if (d[i].src != d[i].dst)
			d[kept++] = d[i];
}

/* Where each round has but one or two of a rank's neighbours. Returns 0, or -1: out of memory. */
static int find_circles(struct traffic *t, size_t n, const struct delivery *d)
{
	if (t->time.neighbours_now > TRAFFIC_NOW_MAX || t->time.destinations > TRAFFIC_TWO ||
	    n >= UINT32_MAX / 2)
		return 0;
	t->circled = calloc((size_t)t->ranks + 1, sizeof(*t->circled));
	return t->circled ? traffic_circles(t, n, d, t->circled) : -1;
}

int traffic_build(uint32_t ranks, size_t n, struct delivery *d, struct traffic *out,
		  struct err *err)
{
	struct traffic t = {.ranks = ranks};
	size_t kept = 0;
	struct sending *sent = sort_by_sender(ranks, n, d, &kept);
	int ret = -1;

	if (!sent)
		goto out;
	drop_loops(n, d);
	t.answers = calloc((size_t)ranks + 1, sizeof(*t.answers));
	if (!t.answers || add_edges(&t, kept, sent) || add_pairs(&t) || count_active(&t) ||
	    traffic_time(&t, kept, sent, d, t.answers, &t.time) || find_circles(&t, kept, d))
		goto out;
	*out = t;
	ret = 0;
out:
	table_free(sent);
	if (!ret)
		return 0;
	traffic_release(&t);
	return err_set(err, "out of memory for the pattern of %zu messages", n);
}

void traffic_release(struct traffic *t)
{
	free(t->edges);
	free(t->row);
	free(t->pairs);
	free(t->first);
	free(t->circled);
	free(t->answers);
	*t = (struct traffic){0};
}

const struct edge *traffic_edge(const struct traffic *t, uint32_t src, uint32_t dst)
{
	struct edge key = {.src = src, .dst = dst};

	if (src >= t->ranks)
		return NULL;
	return bsearch(&key, t->edges + t->row[src], t->row[src + 1] - t->row[src], sizeof(key),
		       by_ends);
}

const struct pair *traffic_pair(const struct traffic *t, uint32_t a, uint32_t b)
{
	struct pair key = {.a = a < b ? a : b, .b = a < b ? b : a};

	if (key.b >= t->ranks)
		return NULL;
	return bsearch(&key, t->pairs + t->first[key.a], t->first[key.a + 1] - t->first[key.a],
		       sizeof(key), by_pair);
}

int traffic_sends_most(const struct traffic *t, uint32_t a, uint32_t b)
{
	const struct pair *p = traffic_pair(t, a, b);

	return (p->a == a ? p->upward : p->volume - p->upward) > 0.5 * p->volume;
}

int traffic_is_two_way(const struct traffic *t, uint32_t a, uint32_t b)
{
	const struct edge *there = traffic_edge(t, a, b), *back = traffic_edge(t, b, a);
	double least = TRAFFIC_STRAY * t->typical;

	return there && back && there->count >= least && back->count >= least;
}

int traffic_is_one_way(const struct traffic *t)
{
	double back = 0;

	for (uint32_t i = 0; i < t->n_pairs; i++) {
		const struct pair *p = &t->pairs[i];
		double downward = p->volume - p->upward;

		back += p->upward < downward ? p->upward : downward;
	}
	return back < TRAFFIC_BACK * t->volume;
}
