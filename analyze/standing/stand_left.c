/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_left.h"

#include "analyze/standing/stand_peers.h"

#define NAMED_MOST 3

/* What the others of a communicator were doing. */
struct others {
	uint32_t waiting, circling, ended; /* for the rank, directly or not; in other circles */
	uint32_t n_open, open[NAMED_MOST]; /* at the ends of the others' ways: they may go on */
};

/* What the rank cannot do without: a message of any rank. NULL: there is none. */
static const struct loose *needs_any(const struct stand *at)
{
	for (uint32_t i = 0; i < at->n_requests; i++) {
		const struct loose *row = &at->requests[i];

		if (row->peer == TRACE_NONE && !row->has_end &&
		    (at->is_of_all || at->n_requests == 1))
			return row;
	}
	return NULL;
}

/* Is rank in the circle that a way's end is in? */
static int is_in_circle_of(const struct stands *s, uint32_t end, uint32_t rank)
{
	uint32_t at = end;

	do {
		if (at == rank)
			return 1;
		at = s->at[at].peer;
	} while (at != end && at != TRACE_NONE);
	return 0;
}

/* A rank once, however many ways end there. */
static void add_open(struct others *o, const struct stands *s, const struct loose *row,
		     const uint32_t *end, uint32_t peer)
{
	struct stand_peers peers = stand_peers_of(s, row);
	uint32_t before;

	while (stand_peers_next(&peers, &before) && before != peer)
		if (end[before] == end[peer])
			return;
	if (o->n_open < NAMED_MOST)
		o->open[o->n_open] = end[peer];
	o->n_open++;
}

/* Returns 0 if it is not known who they are. */
static int find_others(struct others *o, const struct stands *s, const struct loose *row,
		       const uint32_t *end)
{
	struct stand_peers peers = stand_peers_of(s, row);
	uint32_t peer, n = 0;

	*o = (struct others){0};
	while (stand_peers_next(&peers, &peer)) {
		n++;
		if (peer == TRACE_NONE)
			return 0;
		if (is_in_circle_of(s, end[peer], row->rank))
			o->waiting++;
		else if (s->at[end[peer]].peer != TRACE_NONE)
			o->circling++;
		else
			add_open(o, s, row, end, peer);
	}
	o->ended = s->t->comms[row->comm].size;
	o->ended -= o->ended ? n + 1 : 0; /* itself */
	return 1;
}

/* "rank 0 ... of any rank (tag 7)" */
static void add_rank(struct wording *w, const char *begin, const struct loose *row, const char *end)
{
	wording_add(w, "\n%s rank %u %s", begin, row->rank, end);
	if (row->tag >= 0)
		wording_add(w, " (tag %d)", row->tag);
}

static void add_clause(struct wording *w, const char **between, uint32_t n, const char *what)
{
	if (n)
		wording_add(w, "%s%u %s", *between, n, what);
	*between = n ? ", " : *between;
}

static void say_nobody(struct wording *w, const struct others *o, const struct loose *row)
{
	const char *between = ": of the others ";

	add_rank(w, "nobody is left to send", row, "the message of any rank that it waits for");
	add_clause(w, &between, o->waiting,
		   o->waiting == 1 ? "waits for it" : "wait for it, directly or through others");
	add_clause(w, &between, o->circling,
		   o->circling == 1 ? "waits for a circle of others"
				    : "wait in or for a circle of others");
	add_clause(w, &between, o->ended, "had come to MPI_Finalize");
}

static void say_open(struct wording *w, const struct others *o, const struct loose *row)
{
	uint32_t named = o->n_open < NAMED_MOST ? o->n_open : NAMED_MOST, i;

	add_rank(w, "whether", row, "is sent the message of any rank that it waits for");
	wording_add(w, " depends on rank%s ", o->n_open == 1 ? "" : "s");
	for (i = 0; i < named; i++)
		wording_add(w, "%s%u",
			    !i                                   ? ""
			    : i + 1 < named || o->n_open > i + 1 ? ", "
								 : " and ",
			    o->open[i]);
	if (o->n_open > named)
		wording_add(w, " and %u more", o->n_open - named);
	wording_add(w, ": all others wait for %s or for rank %u%s",
		    o->n_open == 1 ? "it" : "one of these", row->rank,
		    o->ended ? ", or had come to MPI_Finalize" : "");
}

void stand_left_add(struct wording *w, const struct stands *s, const uint32_t *end)
{
	for (uint32_t r = 0; r < s->t->n_ranks; r++) {
		const struct loose *row = needs_any(&s->at[r]);
		uint32_t size = row && row->comm < s->t->n_comms ? s->t->comms[row->comm].size : 0;
		struct others o;

		if (!row || !find_others(&o, s, row, end) || o.n_open + 1 == size)
			continue;
		if (o.n_open)
			say_open(w, &o, row);
		else
			say_nobody(w, &o, row);
		return;
	}
}
