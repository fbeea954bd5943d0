/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in time of a traffic's messages, rank by rank: one walk over a rank's sends and
 * the receives that it completes.
 */
#include "analyze/patterns/traffic.h"

#include "analyze/tools/sorting.h"

#include <stdlib.h>

/* Of a rank's sends so many are answers, the first among them: then it only answers. */
#define ANSWERS_MIN 0.9

/* A share under way. */
struct tally {
	double n;
	double of;
};

/* An order of destinations: the episodes that begin as it does, and the steps that go on so. */
struct order {
	struct tally start, step;
};

struct walker {
	uint32_t ranks;
	const struct sending *sent;
	uint32_t *stamp; /* per rank: the episode, round or window that last sent there */
	uint32_t now;    /* the last stamp given */
	struct tally led, staged, repeated, replying, covering, kept;
	struct order onward, backward, xored, ascending, descending;
	struct tally destinations, now_of_all;
	double rounds;
	double senders;
	uint8_t *answers;
};

static void vote(struct tally *t, int yes)
{
	t->n += yes;
	t->of++;
}

static double share(struct tally t)
{
	return t.of > 0 ? t.n / t.of : 0;
}

static double share_of_order(struct order x)
{
	double start = share(x.start);
	double step = share(x.step);

	return start < step ? start : step;
}

/* By receiver, then completion, then as sends are. */
static int by_receiver(const void *pa, const void *pb)
{
	const struct delivery *a = pa;
	const struct delivery *b = pb;

	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	if (a->done_ns != b->done_ns)
		return a->done_ns < b->done_ns ? -1 : 1;
	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->sent_ns != b->sent_ns)
		return a->sent_ns < b->sent_ns ? -1 : 1;
	return a->nth < b->nth ? -1 : a->nth > b->nth;
}

/*
 * Does each round have one destination only? Then a wait ends each stage of what is rather one
 * exchange, whose order is that of the rounds.
 */
static int has_stages(const struct sending *s, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (s[i].sent_in == s[i - 1].sent_in && s[i].dst != s[i - 1].dst)
			return 0;
	return 1;
}

/* Was the last that a rank received, r[got - 1], or what it took with that, from there? */
static int is_answer(const struct delivery *r, size_t got, uint32_t to)
{
	for (size_t i = got; i-- > 0 && r[i].done_in == r[got - 1].done_in;)
		if (r[i].src == to)
			return 1;
	return 0;
}

/*
 * Sends s[0..ns-1] and receives r[0..nr-1] of one rank, merged. A round that has both is led
 * by what is first in it.
 */
static void walk_both(struct walker *w, const struct sending *s, size_t ns,
		      const struct delivery *r, size_t nr)
{
	const struct sending *before = NULL;
	int stages = has_stages(s, ns);
	uint32_t from = TRAFFIC_NONE;
	struct tally answers = {0};
	uint32_t asked = 0; /* before it had received anything */
	size_t j = 0;
	size_t i;

	for (i = 0; i < ns; i++) {
		size_t until = j;

		while (until < nr && r[until].done_ns <= s[i].sent_ns)
			until++;
		if (until > j)
			from = r[until - 1].src;
		asked += from == TRAFFIC_NONE;
		if (before && (stages || before->sent_in == s[i].sent_in) &&
		    before->dst != s[i].dst)
			vote(&w->staged, until > j);
		if (before)
			vote(&w->repeated, before->dst == s[i].dst);
		if (!before || before->sent_in != s[i].sent_in) {
			size_t k = until;

			while (k > 0 && r[k - 1].done_in > s[i].sent_in)
				k--;
			if (k > 0 && r[k - 1].done_in == s[i].sent_in)
				vote(&w->led, 1);
			else if (until < nr && r[until].done_in == s[i].sent_in)
				vote(&w->led, 0);
		}
		if (from != TRAFFIC_NONE)
			vote(&w->replying, from == s[i].dst);
		vote(&answers, !asked && is_answer(r, until, s[i].dst));
		before = &s[i];
		j = until;
	}
	w->answers[s->src] = !asked && share(answers) >= ANSWERS_MIN;
}

/* How the destinations of the rank's episodes, the lowest to the highest, follow each other. */
static void walk_episodes(struct walker *w, const struct sending *s, size_t n, uint32_t lowest,
			  uint32_t highest)
{
	int stages = has_stages(s, n);
	int has_rounds = !stages && s[0].sent_in != s[n - 1].sent_in;
	uint32_t P = w->ranks;
	size_t i;

	for (i = 0; i < n; i++) {
		uint32_t p = s[i].src;
		uint32_t q = s[i].dst;
		uint32_t o = (q + P - p) % P;
		uint32_t before = i ? s[i - 1].dst : 0;
		uint32_t ob = (before + P - p) % P;

		if (i && s[i].sent_in == s[i - 1].sent_in && q == before)
			continue;
		int is_new = !i || (!stages && s[i].sent_in != s[i - 1].sent_in);

		if (is_new || w->stamp[q] == w->now) {
			w->now++;
			w->stamp[q] = w->now;
			/* In the middle of a round it is rather a message too many. */
			if (has_rounds && !is_new)
				continue;
			vote(&w->onward.start, o == 1);
			vote(&w->backward.start, o == P - 1);
			vote(&w->xored.start, (q ^ p) == 1);
			vote(&w->ascending.start, q == lowest);
			vote(&w->descending.start, q == highest);
		} else {
			vote(&w->onward.step, o == ob + 1);
			vote(&w->backward.step, o + 1 == ob);
			vote(&w->xored.step, (q ^ p) == (before ^ p) + 1);
			vote(&w->ascending.step, q > before);
			vote(&w->descending.step, q < before);
		}
		w->stamp[q] = w->now;
	}
}

/* Different destinations in windows of as many sends as the rank has destinations. */
static void walk_windows(struct walker *w, const struct sending *s, size_t n, uint32_t degree)
{
	size_t i;

	if (degree < 2)
		return;
	for (i = 0; i < n / degree * degree; i++) {
		if (i % degree == 0)
			w->now++;
		vote(&w->covering, w->stamp[s[i].dst] != w->now);
		w->stamp[s[i].dst] = w->now;
	}
}

/*
 * Jaccard of the destinations of neighbouring rounds. A destination of both still has the
 * earlier round's stamp when the later one comes to it.
 */
static void walk_rounds(struct walker *w, const struct sending *s, size_t n, uint32_t degree)
{
	uint32_t earlier = 0;
	size_t i = 0;
	int first = 1;

	while (i < n) {
		uint32_t round = s[i].sent_in;
		uint32_t both = 0;
		uint32_t here = 0;

		w->now++;
		for (; i < n && s[i].sent_in == round; i++) {
			uint32_t q = s[i].dst;

			if (w->stamp[q] == w->now)
				continue;
			here++;
			both += !first && w->stamp[q] == w->now - 1;
			w->stamp[q] = w->now;
		}
		if (!first) {
			w->kept.n += (double)both / (here + earlier - both);
			w->kept.of++;
		}
		w->rounds++;
		w->destinations.n += here;
		w->destinations.of++;
		w->now_of_all.n += (double)here / degree;
		w->now_of_all.of++;
		earlier = here;
		first = 0;
	}
	w->senders++;
}

static void walk_ranks(struct walker *w, const struct traffic *t, size_t n,
		       const struct delivery *in)
{
	size_t i = 0;
	size_t j = 0;
	uint32_t r;

	for (r = 0; r < t->ranks; r++) {
		const struct sending *s = w->sent + i;
		size_t ns = 0;
		size_t nr = 0;

		while (i + ns < n && s[ns].src == r)
			ns++;
		while (j + nr < n && in[j + nr].dst == r)
			nr++;
		if (ns) {
			walk_both(w, s, ns, in + j, nr);
			walk_episodes(w, s, ns, t->edges[t->row[r]].dst,
				      t->edges[t->row[r + 1] - 1].dst);
			walk_windows(w, s, ns, t->row[r + 1] - t->row[r]);
			w->now++;
			walk_rounds(w, s, ns, t->row[r + 1] - t->row[r]);
		}
		i += ns;
		j += nr;
	}
}

int traffic_time(const struct traffic *t, size_t n, const struct sending *sent, struct delivery *in,
		 uint8_t *answers, struct timing *out)
{
	struct walker w = {.ranks = t->ranks, .sent = sent, .answers = answers};

	w.stamp = calloc((size_t)t->ranks + 1, sizeof(*w.stamp));
	if (!w.stamp)
		return -1;
	sort(in, n, sizeof(*in), by_receiver);
	walk_ranks(&w, t, n, in);
	*out = (struct timing){
		.receive_led = share(w.led),
		.staged = share(w.staged),
		.repeated = share(w.repeated),
		.replying = share(w.replying),
		.covering = share(w.covering),
		.onward = share_of_order(w.onward),
		.backward = share_of_order(w.backward),
		.xored = share_of_order(w.xored),
		.ascending = share_of_order(w.ascending),
		.descending = share_of_order(w.descending),
		.neighbours_kept = share(w.kept),
		.destinations = share(w.destinations),
		.neighbours_now = share(w.now_of_all),
		.rounds = w.senders > 0 ? w.rounds / w.senders : 0,
	};
	free(w.stamp);
	return 0;
}
