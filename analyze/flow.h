/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where every message would be, by the machine's parameters alone: a replay of all
 * messages through one full-duplex port per rank (sending) and per host or rank
 * (receiving), see turns.h; handler.h has each receiver's message handler.
 * Facts of the trace keep it on the ground: a port is done with a message when the trace
 * shows it complete. One flow per scenario. For attribution*.c only.
 */
#ifndef ANALYZE_FLOW_H
#define ANALYZE_FLOW_H

#include "analyze/scene.h"
#include "analyze/turns.h"

enum scenario {
	SCENARIO_MID,
	SCENARIO_LOW,      /* the parameters as small as they can be; what is joint, in L */
	SCENARIO_HIGH,     /* as large; what is joint, in g */
	SCENARIO_HANDLERS, /* what may be o_r is all o_r, and what is joint is no port's */
	SCENARIO_CROWDS, /* where no message was seen alone, one alone takes no time at all, or its share */
	SCENARIO_PROGRESS,   /* large messages move while their ends compute, if nothing tells */
	SCENARIO_EAGER,      /* what may leave without its receiver does */
	SCENARIO_RENDEZVOUS, /* and what may wait for it does */
	SCENARIO_COUNT
};

/* What one message costs on the idle machine, ns. */
struct price {
	int64_t o_s_ns;
	int64_t o_r_ns;
	int64_t g_ns;
	int64_t L_ns;
	int64_t empty_ns;     /* L of a message of no bytes */
	int64_t handshake_ns; /* one way, of a rendezvous */
	int64_t wire_ns;  /* L + g - o_s - o_r: from the end of the send overhead to being there */
	int64_t slack_ns; /* what the parameters' uncertainty makes of L + g */
	int64_t doubt_ns; /* so much of what it waits on its way may be the idle machine's as well */
	int known;        /* 0: the machine's class is not known, all else is 0 */
};

/* A message on its way, up to when its data leave. Later steps are never before earlier ones. */
struct departure {
	int64_t base_ns;     /* send overhead over */
	int64_t stall_ns;    /* eager send held back until here; INT64_MIN: it was not */
	int64_t request_ns;  /* rendezvous: the request is at the receiver, */
	int64_t met_ns;      /* the receive is posted, */
	int64_t attended_ns; /* the receiver is inside MPI to answer, */
	int64_t answer_ns;   /* the answer is at the sender, */
	int64_t resumed_ns;  /* who is inside MPI to act on it */
	int64_t data_ns;     /* the data leave, */
	int64_t held_ns;     /* so much more slowly as the sender's port has others as well */
};

/* What a rendezvous waits for: searched for once, asked for often. */
struct handshake {
	int64_t attended_ns;
	int64_t resumed_ns;
};

struct flow {
	const struct scene *scene;
	const struct machine *machine;
	enum scenario scenario;
	struct price *price;             /* of each size of the scene */
	int64_t *held_ns;                /* per message: by its sender's port */
	int64_t *arrive_ns;              /* per message: through the receiver's port */
	struct handshake *handshake;     /* per message; of a rendezvous */
	struct lines sending, receiving; /* of each port */
	unsigned hands;
	struct flow_room *room; /* of each hand, see flow.c */
};

/* Make room for s's messages. Returns 0, or -1 with *err set (out of memory). Caller: flow_release. */
int flow_init(struct flow *f, const struct scene *s, const struct machine *machine,
	      struct err *err);

/* Can this scenario differ from the others, with this machine? */
int flow_has(const struct machine *machine, enum scenario scenario);

/* Replay one scenario, in place of the one before. Returns 0, or -1 with *err set (out of memory). */
int flow_run(struct flow *f, enum scenario scenario, struct err *err);
void flow_release(struct flow *f);

static inline const struct price *flow_price(const struct flow *f, uint32_t i)
{
	return &f->price[f->scene->facts[i].size];
}

/* Of the messages of its class. */
static inline const struct machine_progress *flow_progress(const struct flow *f, uint32_t i)
{
	return &f->machine->classes[!!(f->scene->facts[i].flags & MESSAGE_NETWORK)].progress;
}

/* By the trace and the prices; held: the sender's port keeps it so much longer than alone. */
void flow_depart(const struct flow *f, uint32_t i, int64_t held_ns, struct departure *d);

#endif
