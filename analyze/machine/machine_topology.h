/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network that a machine file describes: its shape, and which host is at which node of it.
 * Nobody can measure that from a trace, which names hosts, not the links between them.
 */
#ifndef ANALYZE_MACHINE_TOPOLOGY_H
#define ANALYZE_MACHINE_TOPOLOGY_H

#include "analyze/trace.h"
#include "models/topology.h"

struct json_t;

struct machine_topology {
	struct topology shape;     /* dimensions 0: not known */
	int64_t width;             /* so many links that lead the same way count as one of theirs */
	double channel_s_per_byte; /* a byte holds a link so long; 0: not said */
	size_t n_hosts;            /* 0: the trace's hosts, in its order, are the nodes */
	char **hosts;              /* by node */
};

/*
 * From the object "topology" of the file; its last size varies fastest, as MPI_Cart_create's. NULL:
 * nothing is known. Returns 0, or -1 with *err set, and *out to be released all the same.
 */
int machine_topology_take(const struct json_t *o, const char *path, struct machine_topology *out,
			  struct err *err);
void machine_topology_release(struct machine_topology *m);

/*
 * The node at which each of the trace's hosts is: node has room for t->nodes; NULL: whether they
 * have one. Returns 0, or -1 with *err set: a host is not in the file's list, or there are more
 * hosts than nodes.
 */
int machine_topology_place(const struct machine_topology *m, const struct trace *t, size_t *node,
			   struct err *err);

#endif
