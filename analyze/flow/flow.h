/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where every message would be, by the machine's parameters alone: a replay of all
 * messages through one full-duplex port per rank (sending) and per host or rank
 * (receiving), see turns.h, and through the links in between where the machine file has them,
 * crossings.h; handler.h has each receiver's message handler.
 * Facts of the trace keep it on the ground: a port is done with a message when the trace
 * shows it complete. One flow per scenario. For attribution*.c only.
 */
#ifndef ANALYZE_FLOW_H
#define ANALYZE_FLOW_H

#include "analyze/flow/crossings.h"
#include "analyze/flow/price.h"
#include "analyze/flow/scene.h"
#include "analyze/flow/turns.h"
#include "analyze/tools/instants.h"

/* A message's way: found once, asked for often. */
struct passage {
	int64_t attended_ns; /* a rendezvous: its receiver is inside MPI to answer the request */
	int64_t data_ns; /* then its sender to act on that; an eager send is no longer held back */
	int64_t held_ns; /* its data leave so much more slowly: its sender's port has others too, */
	int64_t arrive_ns; /* and are through the receiver's port, and all links on the way */
};

struct flow {
	const struct scene *scene;
	const struct machine *machine;
	enum scenario scenario;
	struct price *price;     /* of each size of the scene */
	struct passage *passage; /* of n messages from first on: of all, or those to one receiver */
	uint32_t first, n;
	int64_t *ported_ns; /* per message: so far the ports alone would hold it; with links only */
	struct lines sending, receiving; /* of each port */
	struct crossings crossings;      /* of the network's links, if they are known */
	unsigned hands;
	struct flow_room *room; /* of each hand, see flow.c */
};

/*
 * Make room for s's messages. Returns 0, or -1 with *err set (out of memory). Caller: flow_release.
 */
int flow_init(struct flow *f, const struct scene *s, const struct machine *machine,
	      struct err *err);

/* Can this scenario differ from the others, with this machine? */
int flow_has(const struct machine *machine, enum scenario scenario);

/*
 * Replay one scenario, in place of the one before. Returns 0, or -1 with *err set (out of memory).
 */
int flow_run(struct flow *f, enum scenario scenario, struct err *err);
void flow_release(struct flow *f);

/*
 * One in which no port holds up anybody: the messages to one receiver find their ways without all
 * others. x becomes a flow of it, to which the caller gives a passage; it needs f. Returns 1, or 0:
 * it is none, or -1 with *err set (out of memory). Caller: flow_unbranch.
 */
int flow_branch(struct flow *x, const struct flow *f, enum scenario scenario, struct err *err);
void flow_unbranch(struct flow *x);

/* The ways of a piece of the messages to a receiver, in place of the one before. */
void flow_receive(struct flow *x, uint32_t first, uint32_t n);

/* That of any message where no port holds it up. */
struct passage flow_pass(const struct flow *f, uint32_t i);

static inline const struct price *flow_price(const struct flow *f, uint32_t i)
{
	return &f->price[f->scene->facts[i].size];
}

/* Of the messages of its class. */
static inline const struct machine_progress *flow_progress(const struct flow *f, uint32_t i)
{
	return &f->machine->classes[!!(f->scene->facts[i].flags & MESSAGE_NETWORK)].progress;
}

/* The send overhead of a message is over. */
static inline int64_t flow_base_ns(const struct facts *x, const struct price *p)
{
	return earlier(x->left_ns, x->sent_ns + p->o_s_ns);
}

/* That of message i, which is one of the n. */
static inline struct passage *flow_at(const struct flow *f, uint32_t i)
{
	return &f->passage[i - f->first];
}

/* That of any message. */
static inline struct passage flow_passage(const struct flow *f, uint32_t i)
{
	return i - f->first < f->n ? *flow_at(f, i) : flow_pass(f, i);
}

/* Was an eager send held back, and not only by its port? */
static inline int flow_is_stalled(const struct flow *f, uint32_t i)
{
	const struct facts *x = &f->scene->facts[i];

	return !(x->flags & MESSAGE_RENDEZVOUS) &&
	       flow_at(f, i)->data_ns > flow_base_ns(x, flow_price(f, i));
}

/* With the links that the machine file has. Returns 0, or -1 with *err set (out of memory). */
int flow_cross(struct flow *f, struct err *err);

/* The network's ports serve their connections in turn; memory is copied as the calls come. */
static inline int flow_is_in_turn(const struct flow *f, uint32_t i)
{
	return f->scene->facts[i].flags & MESSAGE_NETWORK && f->scenario != SCENARIO_LOW;
}

/*
 * Does each message have a turn of its own, as if none were of one connection? Where that is not
 * known, by the scenario in which ports hold up most.
 */
static inline int flow_is_side_by_side(const struct flow *f, uint32_t i)
{
	int known = f->machine->classes[LOCALITY_NETWORK].side_by_side;

	return flow_is_in_turn(f, i) && (known > 0 || (known < 0 && f->scenario == SCENARIO_HIGH));
}

/*
 * By then message i had passed all ports, whatever the replay says: it is complete, or an eager
 * synchronous send has returned. Other sends return as soon as some buffer has the data.
 */
static inline int64_t flow_limit_ns(const struct flow *f, uint32_t i)
{
	const struct facts *x = &f->scene->facts[i];
	unsigned all = MESSAGE_BLOCKING | MESSAGE_SYNCHRONOUS | MESSAGE_RENDEZVOUS;
	int told = (x->flags & all) == (MESSAGE_BLOCKING | MESSAGE_SYNCHRONOUS);

	return told ? earlier(x->left_ns, x->done_ns) : x->done_ns;
}

/* So long only the ports are what holds up message i. */
static inline int64_t flow_ported_ns(const struct flow *f, uint32_t i)
{
	return f->crossings.links ? f->ported_ns[i] : flow_at(f, i)->arrive_ns;
}

#endif
