/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The replay of all messages through the network's links, where the machine file describes its
 * shape (machine_topology.h): each message's way is its sender's port, the links between the hosts
 * and its receiver's port. All pass it at the same time, and each serves its connections in turn,
 * so the one that is last to be done with a message decides; what that leaves of the others' time
 * is other messages' there. That comes near to sharing all links fairly in the max-min sense, in so
 * many rounds. For flow.c only.
 */
#ifndef ANALYZE_CROSSINGS_H
#define ANALYZE_CROSSINGS_H

#include "analyze/flow/scene.h"
#include "analyze/flow/turns.h"

struct crossings {
	const struct scene *s;
	const struct machine_topology *topology;
	int side_by_side; /* each message is a connection of its own */
	/*
	 * 0: the network's shape is not known, and nothing else is set; else the links between
	 * hosts,
	 */
	uint32_t links;
	uint32_t all;         /* then the ranks' ports out and the hosts' ports in */
	uint32_t *first;      /* of each link, where its messages begin; all + 1 */
	uint32_t *message;    /* of each link */
	int64_t *done_ns;     /* each of these is through that link */
	uint32_t *connection; /* per message: messages of one are on the same way */
	int64_t *through_ns;  /* per message: through all; INT64_MIN: it is within a node */
	unsigned hands;
	struct crossing_room *room; /* of each hand, see crossings.c */
};

/*
 * Find all ways. Returns 0, or -1 with *err set (out of memory). That the topology has no place for
 * all hosts of the trace is no error: then it is not known. Caller: crossings_release.
 */
int crossings_init(struct crossings *c, const struct scene *s, const struct machine *machine,
		   struct err *err);
void crossings_release(struct crossings *c);

/*
 * How message i comes to a link, or to a port: sets ready_ns, limit_ns and work_ns; connection is
 * set.
 */
typedef void crossings_job(const void *flow, uint32_t i, int is_port, struct turns_job *j);

/* Set through_ns. Returns 0, or -1 with *err set (out of memory). */
int crossings_run(struct crossings *c, crossings_job *job_of, const void *flow, struct err *err);

#endif
