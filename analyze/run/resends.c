/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/resends.h"

#include <stdlib.h>

#include "analyze/tools/find_first.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

/* What the counters say at one time. */
struct look {
	int64_t time_ns;
	uint64_t value[READING_KINDS];
};

/* Take in a rank's readings of one time, from k on. Returns where the next begin. */
static size_t take_look(const struct readings *r, size_t k, struct look *look)
{
	size_t first = k;

	look->time_ns = r->v[k].time_ns;
	for (; k < r->n && r->v[k].rank == r->v[first].rank && r->v[k].time_ns == look->time_ns;
	     k++)
		look->value[r->v[k].of] = r->v[k].value;
	return k;
}

static uint64_t risen(const struct look *from, const struct look *to, enum reading_of of)
{
	return to->value[of] > from->value[of] ? to->value[of] - from->value[of] : 0;
}

/*
 * All spans of the rank whose readings begin with k, from next on. Returns where the next one's
 * begin.
 */
static size_t make_spans(const struct readings *r, size_t k, struct resends_home *h)
{
	uint32_t rank = r->v[k].rank;
	struct look before = {0}, now;
	int64_t again_ns = 0;

	k = take_look(r, k, &before);
	while (k < r->n && r->v[k].rank == rank) {
		now = before;
		k = take_look(r, k, &now);
		if (now.time_ns <= before.time_ns)
			continue;
		h->span[h->n] =
			(struct resends_span){.from_ns = before.time_ns,
					      .to_ns = now.time_ns,
					      .again = risen(&before, &now, READING_SENT_AGAIN),
					      .timeouts = risen(&before, &now, READING_TIMEOUTS),
					      .before_ns = again_ns};
		again_ns += h->span[h->n].again ? now.time_ns - before.time_ns : 0;
		h->n++;
		before = now;
	}
	return k;
}

int resends_find(struct resends *r, const struct trace *t, struct err *err)
{
	const struct readings *all = &t->readings;
	struct resends_home other, *h;
	uint32_t next = 0;
	size_t k = 0;

	r->home = calloc((size_t)t->homes + 1, sizeof(*r->home));
	r->spans = table_calloc(all->n + 1, sizeof(*r->spans));
	if (!r->home || !r->spans) {
		resends_release(r);
		return err_set(err, "out of memory for %zu readings of counters", all->n);
	}
	while (k < all->n) {
		h = &r->home[t->ranks[all->v[k].rank].home];
		other = (struct resends_home){.span = &r->spans[next]};
		k = make_spans(all, k, &other);
		next += other.n;
		if (!h->n)
			*h = other;
	}
	return 0;
}

void resends_release(struct resends *r)
{
	table_free(r->spans);
	free(r->home);
	*r = (struct resends){0};
}

uint32_t resends_at(const struct resends_home *h, int64_t ns)
{
	uint32_t at = 0;

	FIND_FIRST(at, h->n, h->span[at].to_ns > ns);
	return at;
}

int64_t resends_until_ns(const struct resends_home *h, int64_t ns)
{
	uint32_t k = resends_at(h, ns);
	const struct resends_span *s = &h->span[k < h->n ? k : h->n - 1];

	return s->before_ns + (s->again ? later(0, earlier(ns, s->to_ns) - s->from_ns) : 0);
}
