/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where ranks run, and how near two of them are: what a message between them has to cross at most.
 * A rank that may move between processors is nowhere narrower than what covers all of those.
 */
#ifndef CALIBRATE_PLACES_H
#define CALIBRATE_PLACES_H

#include <stdint.h>

struct hwloc_bitmap_s;
struct hwloc_topology;

/* From near to far. */
enum nearness { NEAR_CACHE, NEAR_SOCKET, NEAR_NODE, NEAR_NETWORK, NEAR_COUNT };

/* Of a host; ranks on a larger one are not known to share cores. */
enum { PLACE_CORES_MAX = 2048 };

struct place {
	char host[64];
	char kernel[40]; /* which one, since when it was started; "" when not told */
	char cpu[64];    /* the processor's model, "" when not told */
	int cache;       /* number of the last cache that all its processors share; -1: none */
	int socket;      /* of the package; -1 likewise */
	uint64_t
		cores[PLACE_CORES_MAX / 64]; /* that this rank may use, a bit each; or none known */
};

/* This rank's. */
void place_here(struct place *p);

/* *p's cores, cache and socket: of one that may use those processors of a topology of hwloc's. */
void place_within(struct place *p, struct hwloc_topology *t, const struct hwloc_bitmap_s *cpus);

enum nearness place_nearness(const struct place *a, const struct place *b);

/*
 * How many machines the n ranks' hosts are. Hosts with one kernel, as containers are, or
 * namespaces, are one machine: it has the cores of all of them, and no network is between them.
 */
int places_machines(const struct place places[], int n);

/* Are the ranks on the host of the i-th of n more than the cores that they may use together? */
int places_are_crowded(const struct place places[], int n, int i);

/* "cache", "socket", "node", "network". */
const char *nearness_name(enum nearness n);

#endif
