/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/order_saving.h"

#include <math.h>

#include "analyze/gains/replay_order.h"

#define RANDOM_ORDERS 3
#define CLOSURE_ALIKE 0.1  /* ports whose closures differ by less may both be meant */
#define CLOSURE_ROUGH 0.25 /* a replay that is farther off proves nothing */
#define VAGUE         0.1  /* a machine whose values may be further off than this says little */
#define FIT_STEPS     6
#define FIT_ENOUGH    0.01
#define ERROR_LEAST   0.1 /* of a replay, however near it is to what was measured */

enum {
	ORDER_AS_RECORDED,
	ORDER_ALL_BEGUN, /* the same */
	ORDER_STAGGERED,
	ORDER_FIRST_RANDOM,
	ORDERS = ORDER_FIRST_RANDOM + RANDOM_ORDERS
};

static int replay_in(struct order_replay *r, const struct order_reading *how, int order,
		     int rests_last, double *taken_s, struct err *err)
{
	enum replay_order in = order <= ORDER_ALL_BEGUN   ? REPLAY_RECORDED
			       : order == ORDER_STAGGERED ? REPLAY_STAGGERED
							  : REPLAY_RANDOM;

	replay_exchanges_reset(&r->x, how->share);
	r->x.replay.rests_last = rests_last;
	if (order == ORDER_ALL_BEGUN)
		replay_exchanges_begin(&r->x);
	r->x.replay.ports = how->ports;
	return replay_reorder(&r->x.replay, in, order, err)
		       ? -1
		       : replay_run(&r->x.replay, taken_s, err);
}

static int replay_recorded(struct order_replay *r, struct order_reading *how, struct err *err)
{
	if (replay_in(r, how, ORDER_AS_RECORDED, 0, &how->recorded_s, err))
		return -1;
	how->closure = fabs(how->recorded_s - r->x.measured_s) / r->x.measured_s;
	return 0;
}

/*
 * Where only messages that waited for each other were seen, what of it the ports take is not known:
 * so much that the replay is as long as what was measured, if they can.
 */
static int fit(struct order_replay *r, struct order_reading *how, struct err *err)
{
	double low = 0, high = 1, measured_s = r->x.measured_s, low_s, high_s;

	how->share = low;
	if (replay_recorded(r, how, err))
		return -1;
	low_s = how->recorded_s;
	how->share = high;
	if (replay_recorded(r, how, err))
		return -1;
	high_s = how->recorded_s;
	for (int k = 0; k < FIT_STEPS && how->closure > FIT_ENOUGH; k++) {
		if (low_s >= measured_s || high_s <= measured_s)
			break;
		how->share = low + (high - low) * (measured_s - low_s) / (high_s - low_s);
		if (replay_recorded(r, how, err))
			return -1;
		if (how->recorded_s < measured_s) {
			low = how->share;
			low_s = how->recorded_s;
		} else {
			high = how->share;
			high_s = how->recorded_s;
		}
	}
	return 0;
}

/*
 * So much of the time may be left out if taken_s of recorded_s is saved, with an error e of both.
 */
static double at_most(double saved, double e)
{
	if (saved < 0)
		return fmin(0, saved + e);
	return fmax(saved, fmin(saved * (1 + e), 1 - (1 - saved) * (1 - fmin(e, 1))));
}

/* Is there no choice between several? */
static int is_asked(enum order_wanted wanted)
{
	return wanted != ORDER_STAGGER && wanted != ORDER_SHUFFLE;
}

static int is_wanted(enum order_wanted wanted, int order)
{
	switch (wanted) {
	case ORDER_BEGUN:
	case ORDER_BEGUN_BESIDE:
		return order == ORDER_ALL_BEGUN;
	case ORDER_STAGGER_ONLY:
		return order == ORDER_STAGGERED;
	case ORDER_SHUFFLE_ONLY:
		return order >= ORDER_FIRST_RANDOM;
	default:
		return order >= ORDER_STAGGERED;
	}
}

static double at_least(double saved, double e)
{
	return saved < 0 ? saved - e : fmax(0, saved * (1 - e));
}

/* The exchanges' share that is saved: the range over the orders, widened by the closure error. */
static int try_orders(struct order_replay *r, const struct order_reading *how,
		      enum order_wanted wanted, struct order_saving *out, struct err *err)
{
	double e = fmax(how->closure, ERROR_LEAST);
	double all_s = fmin(r->x.measured_s / r->x.share, r->b->wall_s);
	double least = 1, most = -INFINITY, random = 0, mid = 0, taken_s;

	for (int k = ORDER_ALL_BEGUN; k < ORDERS; k++) {
		double saved;

		if (!is_wanted(wanted, k))
			continue;
		if (replay_in(r, how, k, wanted == ORDER_BEGUN, &taken_s, err))
			return -1;
		saved = 1 - taken_s / how->recorded_s;
		if (!is_asked(wanted)) /* it need not be taken */
			saved = fmax(0, saved);
		if (k < ORDER_FIRST_RANDOM)
			mid = saved;
		else
			random += saved / RANDOM_ORDERS;
		least = fmin(least, saved);
		most = fmax(most, saved);
	}
	if (wanted == ORDER_SHUFFLE || wanted == ORDER_SHUFFLE_ONLY)
		mid = random;
	/* If they last longer than their replay, the order can save the replayed part only. */
	mid *= fmin(1, how->recorded_s / r->x.measured_s);
	*out = (struct order_saving){.low_s = fmin(at_least(least, e), mid) * all_s,
				     .mid_s = mid * all_s,
				     .high_s = at_most(most, e) * all_s,
				     .closure = how->closure,
				     .fitted = how->share >= 0};
	return 0;
}

/*
 * That ports fit to be near are near proves nothing: what is saved for certain is what is with the
 * machine's own ports, too, as far as these are near. Does this reading count for that?
 */
static int bounds_fitted(const struct order_replay *r, const struct order_reading *best,
			 const struct order_reading *how, enum order_wanted wanted)
{
	/* where nothing is certain they make the least less only of what may take longer */
	if (r->closure > CLOSURE_ROUGH && !is_asked(wanted))
		return 0;
	return best->share >= 0 && how->share < 0 && how->closure <= r->closure + CLOSURE_ALIKE;
}

/*
 * What the orders save by all readings that are as close to what was measured as the closest. Of
 * sends that wait for nobody the order need not matter: if it does not for one of those, it likely
 * does not.
 */
static int compare(struct order_replay *r, enum order_wanted wanted, struct order_saving *out,
		   struct err *err)
{
	const struct order_reading *best = r->reading;
	struct order_saving also;

	for (int k = 1; k < r->n; k++)
		if (r->reading[k].closure < best->closure)
			best = &r->reading[k];
	if (best->recorded_s <= 0)
		return 0;
	if (try_orders(r, best, wanted, out, err))
		return -1;
	for (const struct order_reading *how = r->reading; how < r->reading + r->n; how++) {
		int is_near = how->closure <= best->closure + CLOSURE_ALIKE;

		if (how == best || how->recorded_s <= 0 ||
		    (!is_near && !bounds_fitted(r, best, how, wanted)))
			continue;
		if (try_orders(r, how, wanted, &also, err))
			return -1;
		out->low_s = fmin(out->low_s, also.low_s);
		if (!is_near)
			continue;
		if (!r->x.waits && how->closure <= best->closure + FIT_ENOUGH &&
		    fabs(also.mid_s) < fabs(out->mid_s))
			out->mid_s = also.mid_s;
		out->high_s = fmax(out->high_s, also.high_s);
	}
	return 0;
}

/* How far off what is known of the machine's ways may be, of those that the place's messages go. */
static double vagueness(const struct evidence_base *b, const struct episodes *e)
{
	double most = 0;

	if (b->machine->source == MACHINE_FILE)
		return 0;
	for (uint32_t k = 0; k < e->n; k++) {
		uint32_t i = b->senders.message[e->e[k].first];

		most = fmax(most, b->machine->classes[evidence_price(b, i)->class].uncertainty);
	}
	return most;
}

/* The machine's ports as they are known; and, where that is not much, as they would fit. */
static int read_ports(struct order_replay *r, int is_vague, struct err *err)
{
	r->closure = INFINITY;
	for (int p = 0; p < REPLAY_PORTS; p++) {
		struct order_reading *how = &r->reading[r->n++];

		*how = (struct order_reading){.ports = p, .share = -1};
		if (replay_recorded(r, how, err))
			return -1;
		r->closure = fmin(r->closure, how->closure);
	}
	is_vague |= r->b->machine->source != MACHINE_FILE && r->closure > CLOSURE_ALIKE;
	for (int p = 0; is_vague && p < REPLAY_PORTS; p++) {
		r->reading[r->n] = (struct order_reading){.ports = p};
		if (r->reading[p].closure > FIT_ENOUGH && fit(r, &r->reading[r->n++], err))
			return -1;
	}
	return 0;
}

int order_replay_init(struct order_replay *r, const struct evidence_base *b,
		      const struct episodes *e, struct err *err)
{
	*r = (struct order_replay){.b = b};
	if (replay_exchanges_init(&r->x, b, e, err))
		return -1;
	if (r->x.sends == 0 || !(r->x.measured_s > 0))
		return 0;
	if (!read_ports(r, vagueness(b, e) > VAGUE, err))
		return 0;
	order_replay_release(r);
	return -1;
}

void order_replay_release(struct order_replay *r)
{
	replay_exchanges_release(&r->x);
}

int order_replay_ask(struct order_replay *r, enum order_wanted wanted, struct order_saving *out,
		     struct err *err)
{
	*out = (struct order_saving){.closure = -1};
	if (!r->n)
		return 0;
	if (compare(r, wanted, out, err))
		return -1;
	if (out->fitted)
		out->closure = r->closure;
	if (out->fitted && r->closure > CLOSURE_ROUGH)
		out->low_s = fmin(0, out->low_s);
	/* With endless buffers the order makes no difference. */
	if (r->x.recorded[0].mode == REPLAY_EAGER)
		out->low_s = fmin(0, out->low_s);
	return 0;
}

int order_saving_find(const struct evidence_base *b, const struct episodes *e,
		      enum order_wanted wanted, struct order_saving *out, struct err *err)
{
	struct order_replay r;
	int ret;

	if (order_replay_init(&r, b, e, err))
		return -1;
	ret = order_replay_ask(&r, wanted, out, err);
	order_replay_release(&r);
	return ret;
}

void order_saving_bound(struct order_saving *s, double held_s)
{
	if (s->fitted || (s->closure >= 0 && s->closure <= ORDER_CLOSURE_USELESS))
		return;
	s->low_s = 0;
	s->mid_s = held_s / 2;
	s->high_s = held_s;
}

int order_saving_is_replayed(const struct order_saving *s)
{
	return s->closure >= 0 && s->closure <= ORDER_CLOSURE_GOOD;
}
