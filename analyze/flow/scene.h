/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all scenarios of the attribution share: the tables, who was inside MPI when, and
 * what can be read off a message without a model. For attribution*.c only.
 */
#ifndef ANALYZE_SCENE_H
#define ANALYZE_SCENE_H

#include "analyze/clock/clock.h"
#include "analyze/flow/census.h"
#include "analyze/flow/lines.h"
#include "analyze/flow/unseen.h"
#include "analyze/machine/machine.h"
#include "analyze/machine/message_sizes.h"
#include "analyze/matching/presence.h"

/* Bits of facts.flags. */
#define MESSAGE_NETWORK      1u   /* between hosts; else within one */
#define MESSAGE_SYNCHRONOUS  2u   /* the send returns only after the receive has begun */
#define MESSAGE_RENDEZVOUS   4u   /* handshake before the data */
#define MESSAGE_BLOCKING     8u   /* the posting call itself returns when the send is done */
#define MESSAGE_CLOCKS       16u  /* the ends have different clocks */
#define MESSAGE_SENDRECV     32u  /* the posting call receives as well */
#define MESSAGE_DATED        64u  /* the receive was seen to complete before its call returned */
#define MESSAGE_OPEN         128u /* whether it is a rendezvous is not known */
/* By scene.release, what it ended: */
#define MESSAGE_ENDS_RECEIVE 256u  /* the call that completed its receive, */
#define MESSAGE_ENDS_PROBE   512u  /* the Probe before that, */
#define MESSAGE_ENDS_SEND    1024u /* the call that completed its send */
#define MESSAGE_ENDS         (MESSAGE_ENDS_RECEIVE | MESSAGE_ENDS_PROBE | MESSAGE_ENDS_SEND)
#define MESSAGE_TESTED       2048u  /* a Test or Iprobe did not find it: not_here_ns */
#define MESSAGE_SSEND        4096u  /* synchronous by its function, whatever its size */
#define MESSAGE_UNPOSTED     8192u  /* its receive was posted nobody knows when, but before */
#define MESSAGE_SHARES_CORE  16384u /* an end of it is on a core that it has to share, */
#define MESSAGE_LACKS_CORE   32768u /* or was without one at times */

/* Who ended a call's wait: a message, as its sender or its receiver. Small: each call has one. */
struct release {
	uint32_t message; /* or TRACE_NONE */
	uint32_t as_sender : 1;
	/* Others that came nearly as late, and may have been the last, were sent so much */
	uint32_t sooner_ns : 31;
	uint32_t later_ns : 31;
};

#define RELEASE_MOST_NS   INT32_MAX
#define RELEASE_BY_NOBODY ((struct release){.message = TRACE_NONE})

/* What scenarios ask of a message again and again, gathered in one cache line. */
struct facts {
	int64_t sent_ns;   /* the send was called; */
	int64_t left_ns;   /* that call returned */
	int64_t posted_ns; /* the receive was posted, or before if MESSAGE_UNPOSTED; */
	int64_t asked_ns;  /* since then the receiver asks for its completion; */
	int64_t done_ns;   /* it has it */
	uint32_t src;
	uint32_t dst;
	uint32_t recv_done; /* calls, as the message's */
	uint32_t send_done;
	uint32_t size; /* which of the sizes it is */
	uint16_t flags;
	uint8_t taken_in; /* enum region_kind of the call that completed the receive */
	/* Did that call complete the message before it as well, at its end? */
	uint8_t with_before : 1;
	uint8_t is_first : 1; /* of a piece */
};

struct scene {
	const struct trace *t;
	const struct messages *m;
	struct unseen unseen;
	const struct presence *presence; /* the attribution's */
	const struct clock_quality *clock;
	struct facts *facts;       /* per message, and one more that is all 0 */
	const struct sizes *sizes; /* the attribution's */
	struct lines by_send;    /* of each call: the messages that it posted; so of each source */
	uint32_t *to;            /* messages: in each piece in order of source, then send entry */
	uint32_t most;           /* messages of the longest piece */
	struct release *release; /* per call */
	struct census census[LOCALITY_COUNT];
};

/* Returns 0, or -1 with *err set (out of memory). The tables must outlive s. */
int scene_init(struct scene *s, const struct trace *t, const struct messages *m,
	       const struct sizes *sizes, const struct machine *machine, struct err *err);
void scene_release(struct scene *s);

/*
 * Take all messages that may be one for a rendezvous, or none. Returns 1, or 0, and nothing has
 * changed: that is what they are taken for by default.
 */
int scene_take_open(struct scene *s, int for_rendezvous);

/*
 * Did a call of its sender wait for this synchronous message alone, and so tells when it was over?
 */
static inline int scene_let_go(const struct scene *s, uint32_t i)
{
	const struct facts *x = &s->facts[i];

	return x->flags & MESSAGE_SYNCHRONOUS && x->send_done != TRACE_NONE &&
	       x->flags & (MESSAGE_BLOCKING | MESSAGE_ENDS_SEND);
}

/*
 * The messages to a receiver are in pieces: whatever is in one was sent when all before it were
 * complete, so that they have nothing to do with each other. Each fits, with what is worked out
 * about it, into a core's cache, if the program pauses often enough. Of the piece that begins with
 * message i, of those up to end: where does the next one begin?
 */
static inline uint32_t scene_piece_end(const struct scene *s, uint32_t i, uint32_t end)
{
	do
		i++;
	while (i < end && !s->facts[i].is_first);
	return i;
}

/* Was it completed together with others, at an unknown moment of the call? */
static inline int scene_is_together(const struct scene *s, uint32_t i)
{
	return s->facts[i].with_before | s->facts[i + 1].with_before;
}

/* How far message i's time on the way may be off for its clocks, ns; see clock_pair_error_ns. */
int64_t scene_clock_error_ns(const struct scene *s, uint32_t i);

#endif
