/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/stripes.h"

#include "common/table.h"

#include <stdlib.h>

/* With whom a rank of a line has messages. */
struct neighbours {
	uint32_t rank[2];
	uint32_t n;
	uint32_t at; /* its place in the line */
};

static int knows(const struct neighbours *x, uint32_t rank)
{
	return (x->n > 0 && x->rank[0] == rank) || (x->n > 1 && x->rank[1] == rank);
}

/* Returns 0: it has two others already. */
static int add_neighbour(struct neighbours *x, uint32_t rank)
{
	if (knows(x, rank))
		return 1;
	if (x->n == 2)
		return 0;
	x->rank[x->n++] = rank;
	return 1;
}

/* Returns NULL, or why these are no line. */
static const char *find_neighbours(const struct messages *m, struct some_messages some,
				   struct neighbours *of)
{
	for (uint32_t i = 0; i < some.n; i++) {
		const struct message *x = &m->m[some.message[i]];

		if (x->src == x->dst)
			return "ranks send to themselves";
		if (!add_neighbour(&of[x->src], x->dst) || !add_neighbour(&of[x->dst], x->src))
			return "it has stripes along one line, and ranks here more than two "
			       "neighbours";
	}
	return NULL;
}

/* From one end to the other; from the end that sends first. Returns NULL, or why there is none. */
static const char *walk(const struct trace *t, const struct messages *m, struct some_messages some,
			struct neighbours *of, struct stripes *s)
{
	uint32_t ranks = 0, rank = TRACE_NONE, before = TRACE_NONE;
	int64_t first_ns = INT64_MAX;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		ranks += of[r].n > 0;
	if (ranks < STRIPES_MIN)
		return "with fewer than three ranks nothing is passed on";
	for (uint32_t i = 0; i < some.n; i++) {
		const struct message *x = &m->m[some.message[i]];

		if (of[x->src].n == 1 && x->sent_ns < first_ns) {
			rank = x->src;
			first_ns = x->sent_ns;
		}
	}
	if (rank == TRACE_NONE)
		return "no rank of its line begins: all are sent something";
	while (rank != TRACE_NONE) {
		const struct neighbours *x = &of[rank];
		uint32_t next = x->rank[0] == before ? x->rank[1] : x->rank[0];

		of[rank].at = s->P;
		s->rank[s->P++] = rank;
		next = x->n == 1 && before != TRACE_NONE ? TRACE_NONE : next;
		before = rank;
		rank = next;
	}
	return s->P < ranks ? "it has stripes along one line, and these are several" : NULL;
}

/* Message i's hop: those onwards by their sender, then those back from the line's end on. */
static uint32_t hop_of(const struct message *x, const struct neighbours *of, uint32_t P)
{
	return of[x->src].at < of[x->dst].at ? of[x->src].at : 2 * (P - 1) - of[x->src].at;
}

static void sort_messages(const struct messages *m, struct some_messages some,
			  const struct neighbours *of, struct stripes *s)
{
	uint32_t hops = STRIPES_WAYS * (s->P - 1);

	for (uint32_t i = 0; i < some.n; i++)
		s->first[hop_of(&m->m[some.message[i]], of, s->P) + 1]++;
	for (uint32_t h = 0; h < hops; h++)
		s->first[h + 1] += s->first[h];
	for (uint32_t i = 0; i < some.n; i++)
		s->message[s->first[hop_of(&m->m[some.message[i]], of, s->P)]++] = some.message[i];
	for (uint32_t h = hops; h > 0; h--)
		s->first[h] = s->first[h - 1];
	s->first[0] = 0;
}

int stripes_find(const struct trace *t, const struct messages *m, struct some_messages some,
		 struct stripes *out, const char **why_not, struct err *err)
{
	struct neighbours *of = calloc(t->n_ranks + 1u, sizeof(*of));
	struct stripes s = {0};
	int ret = -1;

	if (!of) {
		err_set(err, "out of memory for %u ranks", t->n_ranks);
		goto out;
	}
	*why_not = find_neighbours(m, some, of);
	if (*why_not) {
		ret = 0;
		goto out;
	}
	s.rank = calloc(t->n_ranks + 1u, sizeof(*s.rank));
	s.first = calloc(STRIPES_WAYS * (size_t)t->n_ranks + 2, sizeof(*s.first));
	s.message = table_alloc((size_t)some.n + 1, sizeof(*s.message));
	if (!s.rank || !s.first || !s.message) {
		err_set(err, "out of memory for %u messages", some.n);
		goto out;
	}
	*why_not = walk(t, m, some, of, &s);
	ret = !*why_not;
	if (ret) {
		sort_messages(m, some, of, &s);
		*out = s;
		s = (struct stripes){0};
	}
out:
	stripes_release(&s);
	free(of);
	return ret;
}

void stripes_release(struct stripes *s)
{
	table_free(s->message);
	free(s->first);
	free(s->rank);
	*s = (struct stripes){0};
}
