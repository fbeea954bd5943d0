/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to come in a replay, the earliest first; simultaneous ones in order of their making. */
#ifndef ANALYZE_REPLAY_EVENTS_H
#define ANALYZE_REPLAY_EVENTS_H

#include <stddef.h>
#include <stdint.h>

enum replay_event_kind {
	EVENT_BEGIN,     /* of a rank's turn */
	EVENT_REQUEST,   /* a receiver is asked whether it takes a message */
	EVENT_PORT,      /* a message is at its receiver's port */
	EVENT_THROUGH,   /* the next of those side by side is through that port */
	EVENT_DELIVERED, /* it is there */
	EVENT_READY,     /* a send call has returned, and its rank has done what it does then */
	EVENT_OVER       /* what one that waits for nobody began is over */
};

struct replay_event {
	double s;
	uint64_t serial;
	enum replay_event_kind kind;
	uint32_t rank; /* the sender; of EVENT_THROUGH the receiver */
	uint32_t send; /* index into replay.send; of EVENT_THROUGH which of the port's plans */
};

struct replay_events {
	struct replay_event *heap; /* the caller's, with room for all */
	size_t n;
	uint64_t serial;
};

void replay_events_push(struct replay_events *q, double s, enum replay_event_kind kind,
			uint32_t rank, uint32_t send);

/* The earliest, which goes. There must be one. */
struct replay_event replay_events_pop(struct replay_events *q);

#endif
