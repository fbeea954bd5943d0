/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_port.h"

#include <math.h>

static void pass_on(struct replay_port *p, double s)
{
	if (p->n)
		p->passed_s += (s - p->at_s) / p->n;
	p->at_s = s;
}

void replay_port_enter(struct replay_port *p, struct replay_passing *all, uint32_t send, double g_s,
		       double s)
{
	uint32_t *at = &p->first;

	pass_on(p, s);
	all[send].through_s = p->passed_s + g_s;
	if (p->n && all[p->last].through_s <= all[send].through_s) /* as all of one size are */
		at = &all[p->last].after;
	while (*at != REPLAY_NO_SEND && all[*at].through_s <= all[send].through_s)
		at = &all[*at].after;
	all[send].after = *at;
	*at = send;
	if (all[send].after == REPLAY_NO_SEND)
		p->last = send;
	p->n++;
}

double replay_port_next_s(const struct replay_port *p, const struct replay_passing *all)
{
	return p->at_s + fmax(0, all[p->first].through_s - p->passed_s) * p->n;
}

uint32_t replay_port_leave(struct replay_port *p, const struct replay_passing *all, double s)
{
	uint32_t send = p->first;

	p->passed_s = all[send].through_s;
	p->at_s = s;
	p->first = all[send].after;
	p->n--;
	return send;
}
