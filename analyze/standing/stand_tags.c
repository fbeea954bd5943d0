/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_tags.h"

#include <stdlib.h>

#include "analyze/hotspots/rules.h"
#include "analyze/standing/stand_sent.h"

/* Of what a rank was sent by whom it waits for. */
struct sent {
	const struct loose *other; /* the first that it does not wait for ... */
	struct wanted wanted;      /* ... of who sent it */
	int has_come;              /* also what it does wait for */
};

/* Its request of a message of from that has to come; NULL: there is none. */
static const struct loose *request_of(const struct stand *at, uint32_t from)
{
	const struct loose *row = at->request;
	uint32_t i;

	if (row && !at->is_one_of && !row->is_send && row->peer == from)
		return row;
	for (i = 0; at->is_of_all && i < at->n_requests; i++) {
		row = &at->requests[i];
		if (!row->has_end && !row->is_send && row->peer == from)
			return row;
	}
	return NULL;
}

/* Does it wait for a message of from, and what for? */
static int is_waiting_for(const struct stands *s, const struct stand *at, uint32_t from,
			  struct wanted *wanted)
{
	const struct loose *request = request_of(at, from);
	enum region_kind kind;

	if (request) {
		*wanted = (struct wanted){request->tag, request->comm};
		return 1;
	}
	if ((at->request && at->request->call != at->call) || at->call == TRACE_NONE ||
	    at->is_divided || at->is_unseen)
		return 0;
	*wanted = wanted_by(at);
	kind = trace_call_kind(s->t, at->call);
	return (kind == REGION_RECV || kind == REGION_PROBE) && (at->is_any || at->peer == from);
}

static void find(const struct stands *s, struct sent *to)
{
	const struct loose_ends *l = &s->m->loose;
	struct wanted wanted;
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct loose *send = &l->row[i];

		if (!send->is_send || !is_waiting_for(s, &s->at[send->peer], send->rank, &wanted))
			continue;
		if (wanted_fits(wanted, send)) {
			to[send->peer].has_come = 1;
		} else if (!to[send->peer].other) {
			to[send->peer].other = send;
			to[send->peer].wanted = wanted;
		}
	}
}

/* "rank 1 waits for tag 7 of rank 0, which sent it 2 messages with tag 8 that nobody received" */
static void add_first(struct wording *w, const struct stands *s, uint32_t rank,
		      const struct sent *sent)
{
	const struct loose *send = sent->other;
	const long long tag = sent->wanted.tag;
	char place[200];

	wording_add(w, "\nrank %u waits for ", rank);
	if (tag >= 0)
		wording_add(w, "tag %lld", tag);
	else
		wording_add(w, "any tag");
	if (s->at[rank].is_any)
		wording_add(w, " of any rank, and rank %u", send->rank);
	else
		wording_add(w, " of rank %u, which", send->rank);
	wording_add(w, " sent it %u message%s with ", send->n, send->n == 1 ? "" : "s");
	if (tag >= 0 && tag != send->tag)
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
			add_first(w, s, r, &to[r]);
	if (found > 1)
		wording_add(w, ", and %u more rank%s likewise", found - 1, found == 2 ? "" : "s");
	free(to);
}
