/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages along a line of ranks, of which each waits for the one before. Either they are sent one
 * after the other, each right after its sender has taken one; then what is sent may need what came,
 * which is not in the trace (with computation between, that is taken for granted). Or they are
 * taken one after the other: each receive is posted right after a send that waits for its own
 * receiver, so that the last rank, which sends nothing, is the first to take one; which is so in an
 * exchange that all begin with a send, and in a pipeline without a second buffer. There is no chain
 * in answers, which go back, and in messages that go round more than once.
 */
#ifndef ANALYZE_CHAINS_H
#define ANALYZE_CHAINS_H

#include "analyze/gains/retime.h"

enum chains_way { CHAINS_SENT_AFTER, CHAINS_TAKEN_AFTER };

/* The chains whose last message is sent at one place of the program. */
struct chains_at {
	uint32_t chains;
	uint32_t messages; /* in them, */
	uint32_t longest;  /* in one */
	uint32_t call;     /* a send of a last one */
	uint32_t head;     /* the rank at which most of them begin, */
	uint32_t heads;    /* so many */
	double waited_s;   /* ranks, until the others went on, and */
	double most_s;     /* the one that did so for longest */
	/* Messages after another one, and as many less as a tree has steps after each other. */
	double links, by_tree;
};

struct chains {
	const struct evidence_base *b;
	enum chains_way way;
	uint32_t *link;   /* per message: the one that it waited for, another each; TRACE_NONE */
	uint8_t *goes_on; /* per message: one waited for it */
	uint32_t *last;   /* n messages that end chains */
	uint32_t n;
	/* Of the place that was taken; NULL where there are no chains: */
	uint32_t *then;   /* per message: sent, or its receive posted, with this earlier call, */
	int64_t *less_ns; /* and begun so much sooner by that; NULL: of those that are sent */
	uint32_t *heads;  /* per rank: chains that begin at it, */
	double *waited_s; /* and what it waited in them */
};

/*
 * All chains of that way. Returns 0, or -1 with *err set (out of memory); in any case:
 * chains_release.
 */
int chains_find(struct chains *c, const struct evidence_base *b, enum chains_way way,
		struct err *err);
void chains_release(struct chains *c);

/* What ranks wait in chains: added to key_s, per place where the last message is sent, s. */
void chains_weigh(const struct chains *c, double *key_s);

/* Those of that place. */
void chains_take(struct chains *c, uint32_t key, struct chains_at *out);

/*
 * What the run saves if no message of these waits for another one. Returns 0, or -1 with *err set
 * (out of memory).
 */
int chains_save(const struct chains *c, double *saved_s, struct err *err);

#endif
