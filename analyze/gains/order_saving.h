/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What another destination order at a call site would save, or its sends begun together, by replay
 * of all its exchanges one after the other: who comes late to one was late in those before. With
 * the ports that come closer to what was measured.
 */
#ifndef ANALYZE_ORDER_SAVING_H
#define ANALYZE_ORDER_SAVING_H

#include "analyze/gains/evidence_base.h"
#include "analyze/gains/replay_exchanges.h"

#define ORDER_CLOSURE_GOOD    0.1 /* a replay this near to the measured time is taken as it is, */
#define ORDER_CLOSURE_USELESS 0.5 /* one farther off says nothing */

struct order_saving {
	double low_s, mid_s, high_s; /* of the run's wall time */
	double closure; /* relative error of the replay in the recorded order; < 0: no replay */
	int fitted;     /* 1: with a port's time by which it is that near, as it is not known */
};

/*
 * Which order likely is sent in: of the first two the other one is in the interval, too, and what
 * saves nothing is not taken; of the others it may take longer, which saves less than 0. The last
 * two are the recorded one with all sends of an exchange begun, and waited for before what its
 * ranks do after the last one, or after that.
 */
enum order_wanted {
	ORDER_STAGGER,
	ORDER_SHUFFLE,
	ORDER_STAGGER_ONLY,
	ORDER_SHUFFLE_ONLY,
	ORDER_BEGUN,
	ORDER_BEGUN_BESIDE
};

/* How a replay takes the ports to be, and how long the recorded order takes so. */
struct order_reading {
	enum replay_ports ports;
	double share; /* of L + g that a message is in the port; < 0: by the machine */
	double recorded_s;
	double closure;
};

/* A site's exchanges, and all readings of its ports: to ask for several orders. */
struct order_replay {
	const struct evidence_base *b;
	struct replay_exchanges x;
	struct order_reading reading[2 * REPLAY_PORTS];
	int n;          /* 0: there is nothing to replay */
	double closure; /* with the ports as the machine has them */
};

/* Returns 0, or -1 with *err set (out of memory). Caller: order_replay_release. */
int order_replay_init(struct order_replay *r, const struct evidence_base *b,
		      const struct episodes *e, struct err *err);
void order_replay_release(struct order_replay *r);

/* Returns 0, or -1 with *err set (out of memory). */
int order_replay_ask(struct order_replay *r, enum order_wanted wanted, struct order_saving *out,
		     struct err *err);

/* The same of one order alone. */
int order_saving_find(const struct evidence_base *b, const struct episodes *e,
		      enum order_wanted wanted, struct order_saving *out, struct err *err);

/*
 * Without a replay, or with one that is far from what was measured: nothing for certain, at most
 * all contention with which the site's messages held up a rank, held_s of an average one.
 */
void order_saving_bound(struct order_saving *s, double held_s);

/* Is the replay as good as what was measured? */
int order_saving_is_replayed(const struct order_saving *s);

#endif
