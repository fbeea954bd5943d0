/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A port that serves its connections in turn, a packet each, as network interfaces and switches
 * do: whoever has something to send gets an equal share, and the messages of one connection
 * leave one after the other. With a single connection it is first come first served. For
 * flow.c only.
 */
#ifndef ANALYZE_TURNS_H
#define ANALYZE_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/*
 * For a job that something else holds up until limit_ns: it has no turns, but takes its work evenly
 * up to then, and leaves the others the rest.
 */
#define TURNS_APART UINT32_MAX

/* A message at a port; ns. */
struct turns_job {
	int64_t ready_ns;    /* there from then on */
	int64_t limit_ns;    /* the trace shows it gone by then, however long the port would take */
	int64_t work_ns;     /* what the port needs for it alone */
	uint32_t connection; /* or TURNS_APART */
	uint32_t message;    /* the caller's; of jobs ready at once the lower goes first */
	int64_t done_ns;     /* set by turns_serve(): never before ready + work, but limit */
};

/* Room to work in, for any number of ports one after the other. */
struct turns {
	uint32_t *last; /* per connection: its last job so far, or none */
	uint32_t *next; /* per job: that which follows it on its connection */
	double *end;    /* per job: when it would be done, in virtual time */
	struct turns_event *finish;
	struct turns_event *limit;
	struct turns_event *apart;
	size_t connections;
	size_t room;
};

/*
 * For connections 0 .. n - 1. Returns 0, or -1 with *err set (out of memory). Caller:
 * turns_release.
 */
int turns_init(struct turns *p, size_t connections, struct err *err);

/*
 * Serve the n jobs of one port; sorts them by ready if any of them is work. Returns 0, or -1 with
 * *err set (out of memory).
 */
int turns_serve(struct turns *p, struct turns_job *job, size_t n, struct err *err);
void turns_release(struct turns *p);

#endif
