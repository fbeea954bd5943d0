/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Circles of a traffic: a rank's round is a node, from which its messages go to the rounds that
 * their receivers complete them in. Where each node has one before and one after it, or the same
 * two, what is connected is a circle. So it is where chance has left a few of both ways' messages
 * out, and there are some strays.
 */
#include "analyze/patterns/pair_odds.h"
#include "analyze/patterns/traffic.h"

#include "analyze/tools/sets.h"
#include "analyze/tools/sorting.h"

#include <limits.h>
#include <stdlib.h>

/* A rank's round. */
struct node {
	uint32_t n_to, n_from;
	uint32_t to[2], from[2];
	uint32_t n_both; /* of those that both send: how many */
	/* Of all that are connected, said of the one that leads them: */
	uint32_t size; /* how many, */
	uint32_t fit;  /* bits of the kinds of circles that all may be of, */
	uint32_t both,
		half; /* two of them that both send, and of which one does, to be in a circle */
	int closed;   /* more than once */
};

/* What one node sends another, some times. */
struct link {
	uint32_t a, b; /* a < b */
	uint8_t up, down;
	uint8_t in_circle;
};

/* The nodes that a delivery goes from and to. */
struct ends {
	uint32_t from, to;
};

struct circles {
	struct node *v; /* by rank and round */
	uint32_t n;
	uint32_t *group; /* sets.h: those that are connected, */
	uint32_t *path;  /* and by those that both send */
	struct ends *of; /* per delivery */
	struct link *link;
	size_t links;
};

/* The rounds of a rank that are seen, from low on, and last one that is not known. */
struct rounds {
	uint32_t low, n;
	size_t first; /* where their numbers are */
};

static void widen(struct rounds *x, uint32_t round)
{
	if (round == TRAFFIC_NONE)
		return;
	if (x->n == 0 || round < x->low) {
		x->n += x->n ? x->low - round : 1;
		x->low = round;
	} else if (round - x->low >= x->n) {
		x->n = round - x->low + 1;
	}
}

static size_t place_of(const struct rounds *x, uint32_t round)
{
	return x->first + (round == TRAFFIC_NONE ? x->n : round - x->low);
}

/* Number the ends of all deliveries by rank and round. Returns 0, or -1: out of memory. */
static int number_nodes(struct circles *x, uint32_t ranks, size_t n, const struct delivery *d)
{
	struct rounds *rounds = calloc((size_t)ranks + 1, sizeof(*rounds));
	uint32_t *number = NULL;
	size_t room = 0;

	if (!rounds)
		return -1;
	for (size_t i = 0; i < n; i++) {
		widen(&rounds[d[i].src], d[i].sent_in);
		widen(&rounds[d[i].dst], d[i].done_in);
	}
	for (uint32_t r = 0; r < ranks; r++) {
		rounds[r].first = room;
		room += (size_t)rounds[r].n + 1;
	}
	number = table_calloc(room + 1, sizeof(*number));
	for (size_t i = 0; number && i < n; i++) {
		number[place_of(&rounds[d[i].src], d[i].sent_in)] = 1;
		number[place_of(&rounds[d[i].dst], d[i].done_in)] = 1;
	}
	for (size_t k = 0; number && k < room; k++)
		if (number[k])
			number[k] = x->n++;
	for (size_t i = 0; number && i < n; i++)
		x->of[i] = (struct ends){number[place_of(&rounds[d[i].src], d[i].sent_in)],
					 number[place_of(&rounds[d[i].dst], d[i].done_in)]};
	table_free(number);
	free(rounds);
	return number ? 0 : -1;
}

/* One more of those before or after it; of more than two it only matters that they are more. */
static void note(uint32_t *list, uint32_t *n, uint32_t k)
{
	for (uint32_t i = 0; i < *n && i < 2; i++)
		if (list[i] == k)
			return;
	if (*n < 2)
		list[*n] = k;
	*n = *n < 2 ? *n + 1 : 3;
}

static uint32_t fit_of(const struct node *x)
{
	if (x->n_to == 1 && x->n_from == 1)
		return 1u << CIRCLE_ONE_WAY;
	if (x->n_to == 2 && x->n_from == 2 &&
	    ((x->to[0] == x->from[0] && x->to[1] == x->from[1]) ||
	     (x->to[0] == x->from[1] && x->to[1] == x->from[0])))
		return 1u << CIRCLE_BOTH_WAYS;
	return 0;
}

/* The one that leads those that are connected with a node. */
static struct node *all_of(struct circles *x, uint32_t k)
{
	return &x->v[sets_head(x->group, k)];
}

static void connect(struct circles *x, size_t n)
{
	for (uint32_t i = 0; i < x->n; i++)
		x->group[i] = x->path[i] = i;
	for (size_t i = 0; i < n; i++) {
		struct ends e = x->of[i];

		note(x->v[e.from].to, &x->v[e.from].n_to, e.to);
		note(x->v[e.to].from, &x->v[e.to].n_from, e.from);
		sets_join(x->group, e.from, e.to);
	}
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i].fit = fit_of(&x->v[i]);
	for (uint32_t i = 0; i < x->n; i++) {
		struct node *all = all_of(x, i);

		all->size++;
		all->fit &= x->v[i].fit;
	}
}

static int by_ends(const void *pa, const void *pb)
{
	const struct link *a = pa;
	const struct link *b = pb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

/*
 * Two that exchange something, each once: sorted by the first, in the order in which they came,
 * they are almost in order. at: room for a number per node, and one more, all 0.
 */
static void make_links(struct circles *x, size_t n, uint32_t *at)
{
	struct link *link = x->link;

	for (size_t i = 0; i < n; i++) {
		struct ends e = x->of[i];

		at[(e.from < e.to ? e.from : e.to) + 1]++;
	}
	for (uint32_t k = 0; k < x->n; k++)
		at[k + 1] += at[k];
	for (size_t i = 0; i < n; i++) {
		uint32_t a = x->of[i].from, b = x->of[i].to;

		if (a < b)
			link[at[a]++] = (struct link){.a = a, .b = b, .up = 1};
		else
			link[at[b]++] = (struct link){.a = b, .b = a, .down = 1};
	}
	sort(link, n, sizeof(*link), by_ends);
	for (size_t i = 0; i < n; i++) {
		if (!x->links || by_ends(&link[x->links - 1], &link[i])) {
			link[x->links++] = link[i];
			continue;
		}
		link[x->links - 1].up |= link[i].up;
		link[x->links - 1].down |= link[i].down;
	}
}

/* Note those that both send: more than two beside one are no circle, nor is one of some only. */
static void note_both(struct circles *x)
{
	for (struct link *l = x->link; l < x->link + x->links; l++) {
		struct node *all = all_of(x, l->a);

		if (!l->up || !l->down)
			continue;
		l->in_circle = 1;
		all->both++;
		x->v[l->a].n_both++;
		x->v[l->b].n_both++;
		all->closed += sets_head(x->path, l->a) == sets_head(x->path, l->b);
		sets_join(x->path, l->a, l->b);
	}
}

/* And those of which one sends where there is room for it. */
static void note_half(struct circles *x)
{
	for (struct link *l = x->link; l < x->link + x->links; l++) {
		struct node *all;

		if ((l->up && l->down) || x->v[l->a].n_both > 1 || x->v[l->b].n_both > 1)
			continue;
		all = all_of(x, l->a);
		/* Only the last one closes it. */
		if (sets_head(x->path, l->a) == sets_head(x->path, l->b) &&
		    all->both + all->half + 1 < all->size)
			continue;
		l->in_circle = 1;
		all->half++;
		x->v[l->a].n_both++;
		x->v[l->b].n_both++;
		sets_join(x->path, l->a, l->b);
	}
}

/* Circles of both ways, of all ranks, with gaps: what is not in those is no circle's. */
static void allow_gaps(struct circles *x, uint32_t ranks)
{
	note_both(x);
	for (uint32_t i = 0; i < x->n; i++)
		if (x->v[i].n_both > 2)
			all_of(x, i)->closed = INT_MAX;
	note_half(x);
	for (uint32_t i = 0; i < x->n; i++) {
		struct node *all = &x->v[i];

		if (x->group[i] == i && !all->fit && all->size == ranks &&
		    all->closed <= (all->both == all->size) &&
		    pair_odds_may_leave(2, all->size, all->both + all->half, all->both + all->half,
					0.5 * all->half))
			all->fit = 1u << CIRCLES;
	}
}

/* The kind of circle that a delivery is in, of so many ranks; CIRCLES: none. */
static enum circle circle_of(struct circles *x, uint32_t ranks, struct ends e)
{
	const struct node *all = all_of(x, e.from);
	struct link key = {.a = e.from < e.to ? e.from : e.to, .b = e.from < e.to ? e.to : e.from};
	const struct link *of;

	/* Both ways it is a ring only if all ranks are on it. */
	if (all->fit >> CIRCLE_BOTH_WAYS == 1)
		return all->size == ranks ? CIRCLE_BOTH_WAYS : CIRCLES;
	if (all->fit >> CIRCLES == 0)
		return all->fit ? CIRCLE_ONE_WAY : CIRCLES;
	of = bsearch(&key, x->link, x->links, sizeof(key), by_ends);
	return of && of->in_circle ? CIRCLE_BOTH_WAYS : CIRCLES;
}

/* Returns 0, or -1: out of memory. */
static int make_circles(struct circles *x, const struct traffic *t, size_t n,
			const struct delivery *d)
{
	x->of = table_alloc(n + 1, sizeof(*x->of));
	if (!x->of || number_nodes(x, t->ranks, n, d))
		return -1;
	x->v = table_calloc((size_t)x->n + 1, sizeof(*x->v));
	x->group = table_alloc((size_t)x->n + 1, sizeof(*x->group));
	x->path = table_calloc((size_t)x->n + 1, sizeof(*x->path));
	x->link = table_alloc(n + 1, sizeof(*x->link));
	if (!x->v || !x->group || !x->path || !x->link)
		return -1;
	make_links(x, n, x->path);
	connect(x, n);
	allow_gaps(x, t->active);
	return 0;
}

int traffic_circles(const struct traffic *t, size_t n, const struct delivery *d,
		    struct circled *out)
{
	struct circles x = {0};
	int ret = make_circles(&x, t, n, d);

	for (size_t i = 0; !ret && i < n; i++) {
		enum circle kind = circle_of(&x, t->active, x.of[i]);

		if (kind == CIRCLES)
			continue;
		out[d[i].src].count[kind]++;
		out[d[i].src].volume[kind] += (double)d[i].bytes + 1;
	}
	table_free(x.link);
	table_free(x.path);
	table_free(x.group);
	table_free(x.v);
	table_free(x.of);
	return ret;
}
