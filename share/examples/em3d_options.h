/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What em3d.c is to do: the job, and the options that describe it.
 */
#ifndef EM3D_OPTIONS_H
#define EM3D_OPTIONS_H

#include <limits.h>

#include "example.h"

enum order { ORDER_ORIGINAL, ORDER_STAGGERED, ORDER_RANDOM };
enum send { SEND_SSEND, SEND_SEND, SEND_ISEND };

struct job {
	int nodes, degree, nonlocal, span, iterations, values, width, compute, parts, seed;
	int order, send; /* an enum order, an enum send */
	int window, edge_ns;
	int barrier, no_verify;
	int rank, ranks;
};

static const char *const order_names[] = {"original", "staggered", "random"};
static const char *const send_names[] = {"ssend", "send", "isend"};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"nodes", AT(nodes), 1, 10000000, 3200, NULL, "graph nodes of each kind, E and H"},
	{"degree", AT(degree), 1, 1000, 32, NULL, "neighbours of each node"},
	{"nonlocal", AT(nonlocal), 0, 100, 100, NULL, "per cent of the edges go to other ranks"},
	{"span", AT(span), 1, INT_MAX, 15, NULL, "those are at most so many ranks away"},
	{"iterations", AT(iterations), 1, INT_MAX / 2, 100, NULL, "updates of E and of H"},
	{"values", AT(values), 0, INT_MAX, 10, NULL, "values in a message; 0: no limit"},
	{"width", AT(width), 1, 100000, 1, NULL, "doubles in a value"},
	{"compute", AT(compute), 1, INT_MAX, 1, NULL, "work per edge, as a multiple"},
	{"parts", AT(parts), 0, 1000000, 0, NULL, "ranks the graph is drawn for; 0: all"},
	{"seed", AT(seed), 0, INT_MAX, 1, NULL, "of the graph and the random order"},
	{"order", AT(order), 0, 2, 0, order_names, "of destinations: original, staggered, random"},
	{"send", AT(send), 0, 2, 0, send_names, "ssend, send, isend"},
	{"window", AT(window), 0, INT_MAX, 0, NULL, "isends in flight; 0: all"},
	{"edge-ns", AT(edge_ns), 0, INT_MAX, 0, NULL, "besides, each edge takes so long, ns"},
	{"barrier", AT(barrier), 1, 1, 0, NULL, "all ranks start each exchange together"},
	{"no-verify", AT(no_verify), 1, 1, 0, NULL, "do not compare with a serial run"},
	{"verify", AT(no_verify), 0, 0, 0, NULL, "do"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

#endif
