/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: a line of ranks in which each sends when it has taken the message of the one
 * before, or takes one when its own, which waits for its receiver, is taken: a round takes as long
 * as all of them one after the other. That is an exchange with neighbours that is serialised, in
 * the first case perhaps data passed on by hand, and in the second a pipeline without a second
 * buffer. If no message needs the one before, a replay has what the run saves. If they do, a tree
 * has fewer steps one after the other: so much is likely in the first case, as either cure saves
 * it. Which it is is not in the trace, nor if there is room to receive before the own data have
 * left: nothing is certain. At most it is what the rank that waits longest does, as it may not be
 * known that messages are held back, and where ranks share cores what they waited for these. Where
 * lines begin with another rank each time they are an algorithm's.
 */
#include "analyze/gains/chains.h"
#include "analyze/gains/shared_cores.h"
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 5   /* that are looked at, those with most to gain */
#define CHAINS_MIN 10  /* fewer are no habit */
#define SAME_HEAD  0.9 /* of them begin with the same rank */

/* Its ranks: all, where it ends where it began. */
static unsigned ranks_of(const struct evidence_base *b, const struct chains_at *at)
{
	return at->longest < b->t->n_ranks ? at->longest + 1 : b->t->n_ranks;
}

static void put_words_of_sends(const struct chains_at *at, unsigned ranks, struct hotspot *h)
{
	snprintf(h->title, sizeof(h->title),
		 "%u ranks in a line send one after the other, each when it has received", ranks);
	snprintf(h->why, sizeof(h->why),
		 "not contention: %s times messages go along a line of ranks that begins with rank "
		 "%u, each sent right after its sender has taken one; ranks waited %s in all for "
		 "those before them; likely is what a tree of the same ranks saves, at most what "
		 "is saved if no message needs the one before",
		 number_words(at->chains).text, at->head, number_seconds(at->waited_s).text);
	snprintf(h->advice, sizeof(h->advice),
		 "if what is sent does not need what comes in, begin it before (MPI_Isend, or both "
		 "in one MPI_Sendrecv); the same data: MPI_Bcast; a sum: MPI_Scan; else pass on "
		 "pieces, so that ranks work at the same time");
}

static void put_words_of_receives(const struct chains_at *at, unsigned ranks, struct hotspot *h)
{
	snprintf(h->title, sizeof(h->title),
		 "%u ranks in a line receive one after the other, each when it has sent", ranks);
	snprintf(h->why, sizeof(h->why),
		 "not contention: %s times each rank of a line posts its receive only when its "
		 "send is done, which waits for the next one's receive: sends complete one after "
		 "the other, first the one to rank %u; ranks waited %s in all for such receives",
		 number_words(at->chains).text, at->head, number_seconds(at->waited_s).text);
	snprintf(h->advice, sizeof(h->advice),
		 "begin to receive before sending: MPI_Irecv into a buffer of its own, then the "
		 "send, or both in one MPI_Sendrecv");
}

/* What else the most has. */
static void put_cores(double cores_s, double wall_s, struct hotspot *h)
{
	size_t used = strlen(h->why);

	h->saves_high_s += cores_s;
	if (cores_s >= RULE_LEAST_SHARE * wall_s)
		snprintf(h->why + used, sizeof(h->why) - used,
			 "; the most has all that ranks waited for a core, too");
}

static int report(struct chains *c, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = c->b;
	struct hotspot h = {.kind = "chain", .rank = TRACE_NONE};
	struct chains_at at;

	chains_take(c, key, &at);
	if (at.chains < CHAINS_MIN || at.heads < SAME_HEAD * at.chains)
		return 0;
	if (chains_save(c, &h.saves_mid_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_mid_s, at.most_s);
	if (c->way == CHAINS_SENT_AFTER)
		h.saves_mid_s *= at.by_tree / at.links;
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[at.call].region;
	(c->way == CHAINS_SENT_AFTER ? put_words_of_sends
				     : put_words_of_receives)(&at, ranks_of(b, &at), &h);
	put_cores(shared_cores_awaited_s(b), b->wall_s, &h);
	hotspot_evidence(&h, "chains", at.chains);
	hotspot_evidence(&h, "messages", at.messages);
	hotspot_evidence(&h, "longest", at.longest);
	hotspot_evidence(&h, "waited_s", at.waited_s);
	return findings_add(out, &h, err);
}

static int look(struct chains *c, double *key_s, struct findings *out, struct err *err)
{
	const struct evidence_base *b = c->b;

	chains_weigh(c, key_s);
	for (int k = 0; k < PLACES_MAX; k++) {
		uint32_t key =
			rule_take_most(key_s, trace_places(b->t), RULE_LEAST_SHARE * b->wall_s);

		if (key == TRACE_NONE)
			break;
		if (report(c, key, out, err))
			return -1;
	}
	return 0;
}

static int look_for(const struct evidence_base *b, enum chains_way way, struct findings *out,
		    struct err *err)
{
	struct chains c = {NULL};
	double *key_s = calloc(trace_places(b->t) + 1u, sizeof(*key_s));
	int ret = -1;

	if (!key_s)
		err_set(err, "out of memory for %u places", trace_places(b->t));
	else if (!chains_find(&c, b, way, err))
		ret = look(&c, key_s, out, err);
	chains_release(&c);
	free(key_s);
	return ret;
}

int rule_chain(const struct evidence_base *b, struct findings *out, struct err *err)
{
	return look_for(b, CHAINS_SENT_AFTER, out, err) || look_for(b, CHAINS_TAKEN_AFTER, out, err)
		       ? -1
		       : 0;
}
