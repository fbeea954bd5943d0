/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that leaves a node, and all that comes to it from others, passes a port of the node's, first
 * come first served: how long each message waits there for others if its ranks are on these nodes.
 */
#ifndef ANALYZE_NODE_PORTS_H
#define ANALYZE_NODE_PORTS_H

#include "analyze/gains/evidence_base.h"

/* Which rank is on which node, and how long a message is in a port. */
struct node_ports {
	uint32_t nodes;
	const uint32_t *node;  /* per place, */
	const uint32_t *place; /* and per rank, where it is */
	const double *port_s;  /* per price of the evidence */
};

/*
 * wait_ns, per message, filled in; 0 within a node. sooner_ns: per call, it is entered so much
 * sooner than recorded (retime.h). Returns 0, or -1 with *err set (out of memory).
 */
int node_ports_wait(const struct evidence_base *b, const struct node_ports *p,
		    const int64_t *sooner_ns, int64_t *wait_ns, struct err *err);

#endif
