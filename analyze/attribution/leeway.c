/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/leeway.h"

#include "analyze/tools/instants.h"

/* Part c may be so much less, or so much more, than it is. */
static void move(struct tally *t, enum cost c, int64_t less_ns, int64_t more_ns)
{
	t->has |= 1u << c;
	t->less_ns[c] = earlier(t->ns[c], t->less_ns[c] + less_ns);
	t->more_ns[c] += more_ns;
}

/* Part c may be so much more, unless other doubts have it so already. */
static void allow(struct tally *t, enum cost c, int64_t more_ns)
{
	t->has |= 1u << c;
	t->more_ns[c] = later(t->more_ns[c], more_ns);
}

/* Of what takes price_ns, a wrong clock may have hidden the rest. */
static void restore(struct tally *t, enum cost c, int64_t price_ns, int64_t error_ns)
{
	move(t, c, 0, earlier(error_ns, later(0, price_ns - t->ns[c])));
}

/* Does it lie between an instant of the sender and one of the receiver? */
static int lies_between(enum cost c)
{
	switch (c) {
	case COST_receiver_port:
	case COST_network_contention:
	case COST_handler_contention:
	case COST_inattention:
	case COST_uncollected:
	case COST_late_partner:
	case COST_not_identifiable:
		return 1;
	default:
		return 0;
	}
}

/* What the parts that are there may win and lose, each at most to most_ns. */
static void move_all(struct tally *t, int64_t error_ns, int64_t most_ns)
{
	t->within_ns = 0; /* a wrong clock moves it out of contention, too */
	for (int c = 0; c < COST_COUNT; c++)
		if (lies_between(c) && t->ns[c] > 0)
			move(t, c, error_ns, earlier(error_ns, later(0, most_ns - t->ns[c])));
}

static void restore_all(struct tally *t, const struct walk *w, int64_t error_ns)
{
	restore(t, COST_send_overhead, w->price->o_s_ns, error_ns);
	restore(t, COST_wire, w->price->wire_ns, error_ns);
	restore(t, COST_receive_overhead, w->price->o_r_ns, error_ns);
}

/* How much longer it took than it needs, ns; below 0: that it was faster. */
static int64_t excess_ns(const struct walk *w)
{
	const struct price *p = w->price;

	return w->end_ns - w->start_ns - p->o_s_ns - p->wire_ns - p->o_r_ns;
}

/*
 * What its clocks may be off at the time: what is left by the audit, and what this message proves.
 */
static int64_t error_of(const struct walk *w)
{
	return w->clock_error_ns == 0 ? 0 : later(clock_bound_ns(w->clock_error_ns), -excess_ns(w));
}

void leeway_message(const struct scene *s, uint32_t i, const struct walk *w, struct tally *t)
{
	const struct facts *x = &s->facts[i];
	int64_t e = error_of(w), asked_late_ns;

	if (e <= 0)
		return;
	asked_late_ns = x->asked_ns - walk_arrival_ns(w);
	move_all(t, e, INT64_MAX);
	restore_all(t, w, e);
	allow(t, COST_network_contention, e);
	if (x->flags & MESSAGE_SYNCHRONOUS)
		allow(t, COST_late_partner, earlier(e, e + x->posted_ns - x->sent_ns));
	/* it may have been there before the receiver asked for it */
	allow(t, COST_inattention, earlier(e, e + asked_late_ns));
	allow(t, COST_uncollected, earlier(e, e + asked_late_ns));
}

void leeway_call(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		 struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	int64_t took_ns = c->leave_ns - c->enter_ns, e = earlier(error_of(w), took_ns);
	/* so much later it may have been sent, and no more */
	int64_t later_ns = earlier(e, later(0, excess_ns(w)));
	int64_t sooner_ns = e - t->ns[COST_late_partner]; /* of what comes after it, in turn */
	int as_sender;

	if (e <= 0) /* before release is read, which is far from here in memory */
		return;
	as_sender = s->release[call].as_sender;
	if (as_sender && !(s->facts[i].flags & MESSAGE_SYNCHRONOUS))
		return;
	move_all(t, e, took_ns);
	restore_all(t, w, e);
	allow(t, COST_network_contention, e);
	allow(t, COST_late_partner, later_ns);
	if (as_sender)
		return;
	move(t, COST_send_overhead, later(later_ns, sooner_ns), 0);
	sooner_ns -= t->ns[COST_send_overhead];
	move(t, COST_wire, later(later_ns, sooner_ns), 0);
}

void leeway_last(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		 struct tally *t)
{
	const struct release *r = &s->release[call];
	int64_t late_ns = t->ns[COST_late_partner], less_late_ns, more_late_ns, less_ns, more_ns;

	if (!(s->facts[i].flags & MESSAGE_NETWORK))
		return;
	/* of one that was sent sooner less lies in the call: first of the wait for its sender */
	less_late_ns = earlier(r->sooner_ns, late_ns);
	less_ns = earlier(r->sooner_ns - less_late_ns, t->ns[COST_wire]);
	/* of one that was sent later more */
	more_ns = earlier(r->later_ns, later(0, w->price->wire_ns - t->ns[COST_wire]));
	more_late_ns = later(0, s->facts[i].sent_ns + r->later_ns - s->t->calls[call].enter_ns);
	more_late_ns = later(0, more_late_ns - late_ns);
	move(t, COST_late_partner, less_late_ns, more_late_ns);
	move(t, COST_wire, less_ns, more_ns);
	move(t, COST_network_contention, more_ns + more_late_ns, less_ns + less_late_ns);
}
