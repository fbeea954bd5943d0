/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each rank's time really went on the simulated machine: its calls, and for each that waited
 * the fate of the message that it ended with (fates.h). A wait for a message is, in this order: for
 * the message to be sent or met, for what it takes alone, for how much longer it took, for others
 * to be handled, for its own handling. So the part of a wait that an idle network had saved is
 * network contention. A put or a get is one flow, from its call on (the simulator sends no request
 * first), and a call that ended with it waited for it. Collectives are their whole time: their own
 * messages have no truth here; fences are such, and waits for one that was begun. MPI_Probe waits
 * for somebody to send. Seconds.
 */
#ifndef TESTS_SMPI_WAITS_H
#define TESTS_SMPI_WAITS_H

#include "tests/smpi/fates.h"

enum wait_part {
	WAIT_COMPUTE,
	WAIT_SEND_OVERHEAD,
	WAIT_LATE_PARTNER,
	WAIT_WIRE,
	WAIT_NETWORK_CONTENTION,
	WAIT_HANDLER_CONTENTION,
	WAIT_RECEIVE_OVERHEAD,
	WAIT_COLLECTIVES,
	WAIT_UNKNOWN,
	WAIT_PARTS
};

struct waits {
	double (*rank_s)[WAIT_PARTS];
	uint32_t ranks;
	uint32_t transfers, lost; /* puts and gets of other ranks; without a flow */
};

/* After fates_find. Returns 0, or -1 with *err set (out of memory). Caller: waits_release. */
int waits_find(const struct trace *t, const struct messages *m, const struct fates *f,
	       struct flow_table *flows, struct waits *out, struct err *err);
void waits_release(struct waits *w);

/* As CSV, a line a rank and the sums. Returns 0, or -1 with *err set. */
int waits_write(const struct waits *w, const char *path, struct err *err);

#endif
