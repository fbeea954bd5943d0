/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_port.h"

#include <math.h>

static void pass_on(struct replay_port *p, double s)
{
	if (p->n)
		p->passed_s += (s - p->at_s) / p->n;
	p->at_s = s;
}

static int is_before(const struct replay_passing *a, const struct replay_passing *b)
{
	return a->through_s != b->through_s ? a->through_s < b->through_s : a->entry < b->entry;
}

/* Two pairing heaps (Fredman et al. 1986) become one: the first of both is at its top. */
static uint32_t join(struct replay_passing *all, uint32_t a, uint32_t b)
{
	uint32_t top = a, below = b;

	if (a == REPLAY_NO_SEND || b == REPLAY_NO_SEND)
		return a == REPLAY_NO_SEND ? b : a;
	if (is_before(&all[b], &all[a])) {
		top = b;
		below = a;
	}
	all[below].beside = all[top].below;
	all[top].below = below;
	return top;
}

/* The heaps side by side from this one on become one: each with its neighbour, then all those. */
static uint32_t join_all(struct replay_passing *all, uint32_t heap)
{
	uint32_t pairs = REPLAY_NO_SEND, top = REPLAY_NO_SEND;

	while (heap != REPLAY_NO_SEND) {
		uint32_t a = heap, b = all[a].beside, pair;

		heap = b == REPLAY_NO_SEND ? b : all[b].beside;
		pair = join(all, a, b);
		all[pair].beside = pairs;
		pairs = pair;
	}
	while (pairs != REPLAY_NO_SEND) {
		uint32_t pair = pairs;

		pairs = all[pair].beside;
		top = join(all, top, pair);
	}
	return top;
}

void replay_port_enter(struct replay_port *p, struct replay_passing *all, uint32_t send, double g_s,
		       double s)
{
	pass_on(p, s);
	all[send] = (struct replay_passing){p->passed_s + g_s, p->entries++, REPLAY_NO_SEND,
					    REPLAY_NO_SEND};
	p->first = join(all, p->first, send);
	p->n++;
}

double replay_port_next_s(const struct replay_port *p, const struct replay_passing *all)
{
	return p->at_s + fmax(0, all[p->first].through_s - p->passed_s) * p->n;
}

uint32_t replay_port_leave(struct replay_port *p, struct replay_passing *all, double s)
{
	uint32_t send = p->first;

	p->passed_s = all[send].through_s;
	p->at_s = s;
	p->first = join_all(all, all[send].below);
	p->n--;
	return send;
}
