/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where ranks run, and how near two of them are: what a message between them has to cross.
 * A rank that may move between processors is on its node and nothing narrower.
 */
#ifndef CALIBRATE_PLACES_H
#define CALIBRATE_PLACES_H

/* From near to far. */
enum nearness { NEAR_CACHE, NEAR_SOCKET, NEAR_NODE, NEAR_NETWORK, NEAR_COUNT };

struct place {
	char host[64];
	char cpu[64]; /* the processor's model, "" when not told */
	int cache; /* logical index of the last cache that processors share; -1: none, or not bound */
	int socket; /* of the package; -1 likewise */
	int cores;  /* that this rank may use */
	int bound;  /* 1: to one core */
};

/* This rank's. */
void place_here(struct place *p);

enum nearness place_nearness(const struct place *a, const struct place *b);

/* "cache", "socket", "node", "network". */
const char *nearness_name(enum nearness n);

#endif
