/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/joined_price.h"

#include <math.h>

#include "analyze/gains/end_costs.h"
#include "analyze/tools/instants.h"

/*
 * Where the machine is known by messages of one size only, what a longer one takes is not. Of such
 * small ones a port has no more to do for the bytes than for the message and its headers, and for a
 * byte no longer than at 100 Mbit/s, if these take less; within a node than at 500 MB/s.
 */
#define SMALL_BYTES 64
#define BYTE_S      80e-9
#define NODE_BYTE_S 2e-9
/* What they take one after the other over what one does: else they are long. */
#define PACE_GAIN   1.5

/*
 * What a message longer than all that an estimate is from has a port for, if a byte takes as long
 * as it did over all of these, as the last two of them may be off. 0: nothing is known of that.
 */
static double beyond_s(const struct machine_class *c, double bytes)
{
	const struct plogp_point *first = c->points, *last = first + c->n - 1;

	if (c->n < 2 || last->bytes <= SMALL_BYTES || bytes <= last->bytes)
		return 0;
	return last->g_s +
	       (bytes - last->bytes) * (last->g_s - first->g_s) / (last->bytes - first->bytes);
}

struct idle_price joined_price(const struct evidence_base *b, uint32_t src, uint32_t dst,
			       double bytes)
{
	struct idle_price one = evidence_price_of(b, src, dst, bytes);
	const struct machine_class *c = &b->machine->classes[one.class];
	double byte_s = one.class == LOCALITY_NETWORK ? BYTE_S : NODE_BYTE_S;

	if (b->machine->source == MACHINE_SELF_CALIBRATED)
		one.at.g_s = fmax(one.at.g_s, beyond_s(c, bytes));
	if (c->n == 1 && c->points->bytes <= SMALL_BYTES)
		one.at.g_s = fmin(one.at.g_s, c->points->g_s + bytes * byte_s);
	return one;
}

int joined_price_is_sure(const struct evidence_base *b, const struct idle_price *one)
{
	return b->machine->classes[one->class].n > 1;
}

double joined_price_waited_s(const struct evidence_base *b, uint32_t i,
			     const struct idle_price *one, double g_s)
{
	return (b->a->arrival_ns[i] - b->t->calls[b->m->m[i].send_call].enter_ns) * 1e-9 -
	       (one->L_s + g_s - one->at.o_r_s);
}

double joined_price_port_s(const struct evidence_base *b, const struct idle_price *one)
{
	if (one->class != LOCALITY_NETWORK || !joined_price_is_sure(b, one))
		return 0;
	return (1 - fmin(b->machine->classes[one->class].uncertainty, 1)) * one->at.g_s;
}

/* One message after the other: the slowest of port and both ends. */
static double pace_s(const struct idle_price *p)
{
	return fmax(p->at.g_s, fmax(p->at.o_s_s, p->at.o_r_s));
}

void joined_costs_add(struct joined_costs *all, const struct evidence_base *b, uint32_t i)
{
	const struct idle_price *price = evidence_price(b, i);

	all->n++;
	all->bytes += b->m->m[i].bytes;
	all->g_s += price->at.g_s;
	all->pace_s += pace_s(price);
	all->send_s += end_cost_sending_s(b, i);
	all->receive_s += end_cost_posting_s(b, i) + end_cost_taking_s(b, i);
}

int joined_is_worth_it(const struct joined_costs *all, const struct idle_price *one, int across)
{
	double L_s = across ? one->L_s : 0;

	return all->pace_s + all->n * L_s > PACE_GAIN * (pace_s(one) + L_s) ||
	       all->g_s + all->send_s + all->receive_s >
		       PACE_GAIN * (one->at.g_s + one->at.o_s_s + one->at.o_r_s);
}

/* Free at *free_ns it is needed from begin_ns on for g_s: so much later it can be had, s. */
static double pass_s(int64_t *free_ns, int64_t begin_ns, double g_s)
{
	int64_t begun_ns = later(begin_ns, *free_ns);

	*free_ns = begun_ns + (int64_t)(g_s * 1e9);
	return (begun_ns - begin_ns) * 1e-9;
}

void joined_port_pass(struct joined_port *port, const struct evidence_base *b, uint32_t i,
		      const struct idle_price *one)
{
	int64_t begin_ns = b->t->calls[b->m->m[i].send_call].enter_ns;

	port->behind_s = port->behind_least_s = 0;
	if (one->class != LOCALITY_NETWORK)
		return;
	port->behind_s = pass_s(&port->free_ns, begin_ns, one->at.g_s);
	port->behind_least_s = pass_s(&port->free_least_ns, begin_ns, joined_price_port_s(b, one));
}
