/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What became of each message on the simulated machine: the recorder's messages joined with the
 * simulator's flows. The parts are those of analyze/costs.def, and exact:
 *
 *	send_overhead       posting it
 *	late_partner        sent, but the receive that it waits for was not yet posted
 *	wire                what its flow takes alone
 *	network_contention  and how much longer it took
 *	inattention         arrived, the receiver outside MPI until it asks for it
 *	handler_contention  arrived, while the receiver handles others
 *	uncollected         arrived, the receiver in MPI for something else
 *	receive_overhead    its own handling
 *
 * What a rank sends itself is on no wire: its flow, through the host's memory, is the copy, which
 * is part of its own handling.
 *
 * Nothing of this is taken on trust: a flow must start when the recorder says the message was
 * sent (or met its receive), each call that waits must end when the flows say that it can,
 * and no message may be complete before it arrives. How far that is off is the residual.
 */
#ifndef TESTS_SMPI_FATES_H
#define TESTS_SMPI_FATES_H

#include "analyze/matching/messages.h"
#include "tests/smpi/flow_table.h"

#define FATES_ENVELOPE_BYTES 16 /* the simulator adds them to each message */

enum fate_part {
	FATE_SEND_OVERHEAD,
	FATE_LATE_PARTNER,
	FATE_WIRE,
	FATE_NETWORK_CONTENTION,
	FATE_INATTENTION,
	FATE_UNCOLLECTED,
	FATE_HANDLER_CONTENTION,
	FATE_RECEIVE_OVERHEAD,
	FATE_PARTS
};

extern const char *const fate_names[FATE_PARTS];

struct fate {
	double sent_s, start_s, arrived_s, done_s;
	double taken_s, handled_s; /* its own handling, once it is there */
	double part_s[FATE_PARTS];
	double residual_s; /* of its start, and of the call that took it */
	int is_eager;      /* on its way at once; the sender is let go */
	int joined;
};

/* How the simulator was told to send and to receive; see tests/smpi/run. */
struct fate_rules {
	double eager_bytes; /* messages below are on their way at once */
	double overhead_s;  /* what posting a send takes */
	double handler_s;   /* what receiving a message that was on its way takes */
};

struct fates {
	struct fate *fates; /* one a message, as in the table of messages */
	uint32_t joined;
	size_t other_flows; /* of collectives */
	double residual_s;  /* the largest, of calls that only send as well */
};

/* Returns 0, or -1 with *err set. flows is marked. Caller: fates_release. */
int fates_find(const struct trace *t, const struct messages *m, struct fate_rules rules,
	       struct flow_table *flows, struct fates *out, struct err *err);
void fates_release(struct fates *f);

/* The simulated host of a rank, as flows have it. */
unsigned fates_host_of(const struct trace *t, uint32_t rank);

#endif
