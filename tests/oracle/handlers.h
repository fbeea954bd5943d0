/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine that LoPC models (Frank, Agarwal, Vernon 1997, sections 2 and 4.4), event by
 * event: a node's thread works, sends a request and waits; a message that arrives
 * interrupts the work, runs its handler to the end, first come first served, and the work
 * goes on where it was. The request's handler sends the reply, the reply's wakes the thread.
 * Sending costs nothing, the network has no contention. Tests only.
 */
#ifndef TESTS_ORACLE_HANDLERS_H
#define TESTS_ORACLE_HANDLERS_H

#include <stddef.h>
#include <stdint.h>

struct handlers {
	size_t nodes;
	size_t servers; /* 0: all ask all others; else the last so many nodes only serve */
	double W, S_o, S_l;
	double C2;    /* of the handlers' times; work is constant */
	size_t width; /* latency in proportion to Manhattan distance on a mesh so wide, with
		       * mean S_l; 0: always S_l */
	uint64_t seed;
	size_t cycles; /* to simulate per thread, the first tenth not counted */
};

struct handlers_result {
	double R;             /* mean cycle */
	double R_w, R_q, R_y; /* of it work, request at its node, reply at home */
	double X;             /* cycles of all threads per unit of time */
};

struct handlers_result handlers_simulate(const struct handlers *h);

#endif
