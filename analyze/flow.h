/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where every message would be, by the machine's parameters alone: a replay of all
 * messages through one full-duplex port per rank (sending) and per host or rank
 * (receiving), see turns.h, and through each receiver's message handler.
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
	SCENARIO_HANDLERS, /* what may be o_r is all o_r */
	SCENARIO_CROWDS, /* where no message was seen alone, one alone takes no time at all, or its share */
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

/* One message in its receiver's handler queue. */
struct slot {
	int64_t arrive_ns;
	int64_t finish_ns;
	int64_t run_ns; /* begin of the busy run it belongs to */
};

#define FLOW_CACHE 256

struct flow {
	const struct scene *scene;
	const struct machine *machine;
	enum scenario scenario;
	int64_t *held_ns;        /* per message: by its sender's port */
	int64_t *arrive_ns;      /* per message: through the receiver's port */
	int64_t *handle_ns;      /* per message: its handler would begin */
	struct passing *passing; /* see flow.c */
	struct turns_job *job;
	struct turns turns;
	struct slot *slot; /* per message table range of a receiver, in order of arrival */
	struct {
		uint64_t key;
		struct price price;
	} cache[FLOW_CACHE];
	uint32_t asked; /* the message whose price was asked for last, or TRACE_NONE */
	const struct price *answer;
};

/* Make room for s's messages. Returns 0, or -1 with *err set (out of memory). Caller: flow_release. */
int flow_init(struct flow *f, const struct scene *s, const struct machine *machine,
	      struct err *err);

/* Can this scenario differ from the others, with this machine? */
int flow_has(const struct machine *machine, enum scenario scenario);

/* Replay one scenario, in place of the one before. Returns 0, or -1 with *err set (out of memory). */
int flow_run(struct flow *f, enum scenario scenario, struct err *err);
void flow_release(struct flow *f);

/* The price of message i, not the one that was asked for last. For flow_price(). */
const struct price *flow_look_up(struct flow *f, uint32_t i);

/* Of message i; it may change when another message's is asked for. */
static inline const struct price *flow_price(struct flow *f, uint32_t i)
{
	return i == f->asked ? f->answer : flow_look_up(f, i);
}

/* By the trace and the prices; held: the sender's port keeps it so much longer than alone. */
void flow_depart(struct flow *f, uint32_t i, int64_t held_ns, struct departure *d);

/*
 * The last instant up to when at which rank's handler would have had nothing to do:
 * when itself, or the begin of the busy run around it.
 */
int64_t flow_idle_ns(const struct flow *f, uint32_t rank, int64_t when);

#endif
