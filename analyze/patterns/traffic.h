/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who sends how much to whom, and in which order: what the recognisers of patterns look at.
 * Sparse: memory and time go with the messages and the pairs of ranks that there are.
 * Ranks are numbered from 0 within the traffic. Volumes are bytes and one more for each
 * message, so that empty messages count.
 */
#ifndef ANALYZE_TRAFFIC_H
#define ANALYZE_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define TRAFFIC_NONE UINT32_MAX

/* A round has more of a rank's neighbours where they are always the same. */
#define TRAFFIC_NOW_MAX 0.7

/* With less than this share of the typical messages an edge or a pair is no more than strays. */
#define TRAFFIC_STRAY 0.25

/* With less than this share of the volume on the way back ranks send one way. */
#define TRAFFIC_BACK 0.25

/* In the rounds of circles a rank sends to one or two, but for strays. */
#define TRAFFIC_TWO 2.3

/* One message. */
struct delivery {
	uint32_t src;
	uint32_t dst;
	uint32_t sent_in; /* round of the sender, growing with time; numbers may be left out */
	uint32_t done_in; /* round of the receiver when it has it */
	uint64_t bytes;
	uint32_t nth; /* of the sends of its rank that begin at the same time */
	int64_t sent_ns;
	int64_t done_ns;
};

struct edge {
	uint32_t src;
	uint32_t dst;
	uint32_t count;
	double volume;
};

/* Both directions of two ranks that exchange something; a < b. */
struct pair {
	uint32_t a;
	uint32_t b;
	uint32_t count;
	double volume;
	double upward; /* of it from a to b */
};

/*
 * Shares of 0 to 1. An episode is a rank's sends up to the end of its round or the return
 * to an earlier destination.
 */
struct timing {
	double receive_led;     /* rounds with both that begin with a receive */
	double staged;          /* steps to another destination with a receive between */
	double repeated;        /* sends to the destination of the one before */
	double replying;        /* sends to the rank that the last receive came from */
	double covering;        /* destinations among as many sends as the rank has of them */
	double onward;          /* steps as in destination = rank + 1, + 2, ... */
	double backward;        /* steps as in destination = rank - 1, - 2, ... */
	double xored;           /* steps as in destination = rank xor 1, 2, ... */
	double ascending;       /* steps as in destination = 0, 1, 2, ... */
	double descending;      /* steps the other way */
	double neighbours_kept; /* Jaccard of a rank's destinations from round to round, mean */
	double rounds;          /* of a rank that sends, mean */
	double destinations;    /* of a rank in a round, mean */
	double neighbours_now;  /* of a rank's destinations, those of a round, mean */
};

/*
 * Rounds of ranks, each sending to the next; or to both beside it, and all ranks are in the circle.
 */
enum circle { CIRCLE_ONE_WAY, CIRCLE_BOTH_WAYS, CIRCLES };

/* What a rank sends in such. */
struct circled {
	double count[CIRCLES];
	double volume[CIRCLES];
};

struct traffic {
	uint32_t ranks;
	uint32_t active; /* of them: send or receive something */
	uint32_t n_edges;
	struct edge *edges; /* by src, then dst */
	uint32_t *row;      /* ranks + 1 offsets into edges */
	uint32_t n_pairs;
	struct pair *pairs; /* by a, then b */
	uint32_t *first;    /* ranks + 1 offsets into pairs */
	double messages;
	double volume;
	double typical; /* messages of an edge, mean over the messages: extras hardly count */
	double scatter; /* of an edge's messages: their volumes' squared coefficient of variation */
	struct timing time;
	uint8_t *answers; /* per rank, 1: whatever it sends goes to whom it received from last */
	struct circled *circled; /* per rank; NULL: not looked for, rounds have more neighbours */
};

/*
 * The traffic of n deliveries, quickest if they are by receiver and completion, as they are left;
 * messages of a rank to itself are left out, and d has others in their place. Returns 0, or -1 with
 * *err set (out of memory). Caller: traffic_release.
 */
int traffic_build(uint32_t ranks, size_t n, struct delivery *d, struct traffic *out,
		  struct err *err);
void traffic_release(struct traffic *t);

/* NULL: they exchange nothing. Any order of a and b. */
const struct edge *traffic_edge(const struct traffic *t, uint32_t src, uint32_t dst);
const struct pair *traffic_pair(const struct traffic *t, uint32_t a, uint32_t b);

/* Is most of what the two exchange, which is something, from a to b? */
int traffic_sends_most(const struct traffic *t, uint32_t a, uint32_t b);

/* Do the two send each other more than strays? */
int traffic_is_two_way(const struct traffic *t, uint32_t a, uint32_t b);

/* Is next to nothing of what two exchange sent back? */
int traffic_is_one_way(const struct traffic *t);

/* A delivery as its sender sees it. */
struct sending {
	int64_t sent_ns;
	uint64_t bytes;
	uint32_t src;
	uint32_t dst;
	uint32_t sent_in;
	uint32_t nth;
};

/*
 * For traffic.c: the shares above, of n deliveries that are no loops: sent is by src and time, in,
 * which are put in order, by receiver and completion; answers: per rank. Returns 0, or -1: out of
 * memory.
 */
int traffic_time(const struct traffic *t, size_t n, const struct sending *sent, struct delivery *in,
		 uint8_t *answers, struct timing *out);

/*
 * For traffic.c: what is in circles, of fewer than 2^31 deliveries that are no loops, per rank
 * added to out. Returns 0, or -1: out of memory.
 */
int traffic_circles(const struct traffic *t, size_t n, const struct delivery *d,
		    struct circled *out);

#endif
