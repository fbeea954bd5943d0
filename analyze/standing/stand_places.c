/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_places.h"

#include <stdio.h>
#include <string.h>

#include "analyze/hotspots/rules.h"

#define GROUPS_MOST 4

/* Ranks that were in the same call. */
struct group {
	uint32_t ranks, first; /* how many, and the least of them */
};

const char *stand_place(const struct stands *s, uint32_t rank, size_t n, char text[n])
{
	const struct stand *at = &s->at[rank];
	struct wording w = {text, n, 0};
	char call[200];

	if (!at->unfinished) {
		wording_add(&w, "MPI_Finalize");
	} else if (at->call == TRACE_NONE) {
		wording_add(&w, "%s", *at->inside ? at->inside : "the program, outside MPI");
	} else {
		wording_add(&w, "%s", rule_place(s->t, at->call, sizeof(call), call));
	}
	wording_add(&w, "%s%s%s", at->is_polling ? " again and again" : "",
		    at->is_any ? " of any rank" : "", at->is_divided ? " (not all threads)" : "");
	return text;
}

static int is_together(const struct stands *s, uint32_t x, uint32_t y)
{
	const struct stand *a = &s->at[x], *b = &s->at[y];
	const struct call *c = s->t->calls;

	if (a->unfinished != b->unfinished || a->is_divided != b->is_divided ||
	    a->is_polling != b->is_polling || a->is_any != b->is_any)
		return 0;
	if (a->call == TRACE_NONE || b->call == TRACE_NONE)
		return a->call == b->call && !strcmp(a->inside, b->inside);
	return c[a->call].site == c[b->call].site && c[a->call].region == c[b->call].region;
}

/* Returns how many groups; *other: ranks beyond. */
static uint32_t find_groups(const struct stands *s,
			    int (*is_meant)(const struct stands *, uint32_t),
			    struct group groups[GROUPS_MOST], uint32_t *other)
{
	uint32_t n = 0, r, k;
	struct group g;

	*other = 0;
	for (r = 0; r < s->t->n_ranks; r++) {
		if (s->at[r].is_unseen || (is_meant && !is_meant(s, r)))
			continue;
		for (k = 0; k < n && !is_together(s, groups[k].first, r); k++)
			;
		if (k == GROUPS_MOST) {
			++*other;
			continue;
		}
		if (k == n)
			groups[n++] = (struct group){0, r};
		for (g = groups[k], g.ranks++; k && groups[k - 1].ranks < g.ranks; k--)
			groups[k] = groups[k - 1];
		groups[k] = g;
	}
	return n;
}

void stand_places_add(struct wording *w, const struct stands *s, const char *had,
		      int (*is_meant)(const struct stands *, uint32_t))
{
	struct group groups[GROUPS_MOST];
	uint32_t other, n = find_groups(s, is_meant, groups, &other), k;
	char where[STAND_PLACE_ROOM];

	for (k = 0; k < n; k++) {
		const struct group *g = &groups[k];

		wording_add(w, "%s", k ? ", " : "");
		if (g->ranks == 1)
			wording_add(w, "rank %u", g->first);
		else if (k)
			wording_add(w, "%u", g->ranks);
		else
			wording_add(w, "%u of %u ranks", g->ranks, s->t->n_ranks);
		if (!k)
			wording_add(w, " %s", g->ranks > 1 || strcmp(had, "were") ? had : "was");
		wording_add(w, " in %s", stand_place(s, g->first, sizeof(where), where));
	}
	if (other)
		wording_add(w, ", %u elsewhere", other);
}
