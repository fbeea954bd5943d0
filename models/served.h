/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients that ask servers, event by event: what LoPC's model of servers (lopc_server.h) says in
 * closed form of clients that choose at random, for any choice and for times as they were measured.
 * Who asks in turn with even times hardly ever meets others at a server.
 * Pure: no I/O, no allocation kept, no globals; the same inputs give the same result. Seconds.
 */
#ifndef MODELS_SERVED_H
#define MODELS_SERVED_H

#include "common/err.h"

#include <stddef.h>

enum served_choice {
	SERVED_IN_TURN,  /* each client asks one server after the other, each begins at its own */
	SERVED_AT_RANDOM /* any of them, as likely as another */
};

struct served {
	size_t clients, servers;
	double way_s; /* there and back, and what the client takes with the answer */
	size_t works, handlers;
	const double *work_s;    /* what a client does before it asks; any of these is as likely */
	const double *handler_s; /* what a server does for a request, likewise */
};

/*
 * Requests served in a second, when all have asked for a while. Returns 0, or -1 with *err set and
 * *per_s unchanged: no client, server, work or handler, no time at all, or out of memory.
 */
int served_per_s(const struct served *m, enum served_choice choice, double *per_s, struct err *err);

#endif
