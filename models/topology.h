/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks: how far messages travel and how much each link carries, for any traffic and any
 * placement of ranks, under the deterministic routes that such networks use: dimension
 * order on grids, the last dimension first, the one up-link of a destination in fat trees, the
 * shortest way in dragonflies and graphs. The distances are the k_d of LoGPC (Moritz and Frank
 * 2001, section 3.3). A hop is a link crossed; on switched networks the links of the hosts count.
 * Pure: no I/O, no globals, memory only during the call; safe from any thread.
 */
#ifndef MODELS_TOPOLOGY_H
#define MODELS_TOPOLOGY_H

#include <stddef.h>

#include "common/err.h"

#define TOPOLOGY_DIMENSIONS 8

enum topology_kind {
	TOPOLOGY_MESH,          /* size[0..dimensions-1]; the first varies fastest */
	TOPOLOGY_TORUS,         /* the same with ends joined: k-ary n-cubes */
	TOPOLOGY_TORUS_ONE_WAY, /* the same, channels only upwards */
	TOPOLOGY_SWITCH,        /* size[0] hosts at one switch */
	TOPOLOGY_FAT_TREE,      /* leaf switches, hosts of each, up-links of each */
	TOPOLOGY_DRAGONFLY,     /* groups, routers of each, hosts of each router */
	TOPOLOGY_GRAPH,         /* size[0] vertices, edges below; each carries both ways */
};

struct topology {
	enum topology_kind kind;
	size_t dimensions; /* how many of size are set; 1 and 3 for those not grids */
	size_t size[TOPOLOGY_DIMENSIONS];
	size_t edges; /* TOPOLOGY_GRAPH only */
	const size_t (*edge)[2];
};

struct topology_traffic {
	size_t ranks;         /* 0: one on each node */
	const double *weight; /* ranks x ranks from sender to receiver; NULL: all the same */
	int self;             /* with weight NULL: do ranks send to themselves too? */
	const size_t *node;   /* of each rank; NULL: in order */
};

struct topology_use {
	double hops;                     /* mean of a message, weighted by traffic */
	double k_d[TOPOLOGY_DIMENSIONS]; /* grids: of it in each dimension */
	double mean_k_d;                 /* grids: hops / dimensions; else hops */
	double traffic;                  /* all weights */
	double busiest;                  /* traffic of the link that has most */
	size_t links;                    /* that are there */
	double mean_load;                /* of all links */
	size_t busiest_link;
};

/* How many nodes or hosts, and links, each direction one. Returns 0, or -1 with *err set. */
int topology_size(const struct topology *t, size_t *nodes, size_t *links, struct err *err);

/*
 * Route the traffic. load, when not NULL, has room for each link and gets its traffic.
 * Links: of a grid node x 2 dimensions + 2 dimension + (1 downwards); of a graph
 * 2 edge + (1 backwards); of the others hosts up, hosts down, then between switches.
 * Returns 0, or -1 with *err set and the outputs unchanged: sizes, ranks or weights out of
 * range, parts of a graph not connected, no traffic, no memory.
 */
int topology_use(const struct topology *t, const struct topology_traffic *traffic,
		 struct topology_use *out, double *load, struct err *err);

/*
 * The links from one node to another, numbered as above: the first room of them into link, in
 * order. Returns how many there are. t is one that topology_size() takes, and no graph.
 */
size_t topology_way(const struct topology *t, size_t from, size_t to, size_t room, size_t link[]);

#endif
