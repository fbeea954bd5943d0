/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_tags.h"

#include <stdlib.h>

#include "analyze/hotspots/rules.h"

/* Of what a rank was sent by whom it waits for. */
struct sent {
	const struct loose *other; /* the first that it does not wait for */
	int has_come;              /* also what it does wait for */
};

/* Does it wait for a message of from? */
static int is_waiting_for(const struct stands *s, const struct stand *at, uint32_t from)
{
	enum region_kind kind;

	if (at->request)
		return !at->request->is_send && !at->is_one_of && at->peer == from;
	if (at->call == TRACE_NONE || at->is_divided || at->is_unseen)
		return 0;
	kind = trace_call_kind(s->t, at->call);
	return (kind == REGION_RECV || kind == REGION_PROBE) && (at->is_any || at->peer == from);
}

/* Of a blocking receive the communicator is not known. */
static int fits(const struct stand *at, const struct loose *send)
{
	return (at->tag < 0 || at->tag == send->tag) &&
	       (!at->request || at->request->comm == send->comm);
}

static void find(const struct stands *s, struct sent *to)
{
	const struct loose_ends *l = &s->m->loose;
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct loose *send = &l->row[i];
		const struct stand *at;

		if (!send->is_send)
			continue;
		at = &s->at[send->peer];
		if (!is_waiting_for(s, at, send->rank))
			continue;
		if (fits(at, send))
			to[send->peer].has_come = 1;
		else if (!to[send->peer].other)
			to[send->peer].other = send;
	}
}

/* "rank 1 waits for tag 7 of rank 0, which sent it 2 messages with tag 8 that nobody received" */
static void add_first(struct wording *w, const struct stands *s, uint32_t rank,
		      const struct loose *send)
{
	const struct stand *at = &s->at[rank];
	char place[200];

	wording_add(w, "\nrank %u waits for ", rank);
	if (at->tag >= 0)
		wording_add(w, "tag %lld", at->tag);
	else
		wording_add(w, "any tag");
	if (at->is_any)
		wording_add(w, " of any rank, and rank %u", send->rank);
	else
		wording_add(w, " of rank %u, which", send->rank);
	wording_add(w, " sent it %u message%s with ", send->n, send->n == 1 ? "" : "s");
	if (at->tag >= 0 && at->tag != send->tag)
		wording_add(w, "tag %d", send->tag);
	else
		wording_add(w, "tag %d on another communicator", send->tag);
	wording_add(w, " that nobody received (%s)",
		    rule_place(s->t, send->call, sizeof(place), place));
}

void stand_tags_add(struct wording *w, const struct stands *s)
{
	struct sent *to = calloc((size_t)s->t->n_ranks + 1, sizeof(*to));
	uint32_t r, found = 0;

	if (to)
		find(s, to);
	for (r = 0; to && r < s->t->n_ranks; r++)
		if (to[r].other && !to[r].has_come && !found++)
			add_first(w, s, r, to[r].other);
	if (found > 1)
		wording_add(w, ", and %u more rank%s likewise", found - 1, found == 2 ? "" : "s");
	free(to);
}
