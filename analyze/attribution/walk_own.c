/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/walk.h"

#include "analyze/tools/instants.h"

#define PART(name) COST_##name, COST_##name /* certain */

/* Did the call that completed its receive wait for nothing that came later? */
static int is_waited_for(const struct scene *s, uint32_t i)
{
	const struct facts *x = &s->facts[i];

	switch (x->taken_in) {
	case REGION_RECV:
	case REGION_WAIT:
		return 1;
	case REGION_SENDRECV:
	case REGION_WAITALL:
	case REGION_WAITSOME:
		return s->release[x->recv_done].message == i;
	default:
		return 0;
	}
}

/*
 * The copy is made by the call that sends it, if its receive is posted, or by one that receives it.
 * A call of its own that lasts is the copy; in one that had other messages as well it is somewhere.
 */
void walk_own(const struct scene *s, uint32_t i, struct walk *w)
{
	const struct facts *x = &s->facts[i];
	int64_t outside_ns;

	if (x->flags & MESSAGE_BLOCKING) /* its receive is another thread's, or was posted before */
		walk_to(w, earlier(x->posted_ns, x->left_ns), PART(late_partner));
	if (!(x->flags & MESSAGE_SENDRECV))
		walk_to(w, x->left_ns, PART(send_overhead));
	outside_ns = presence_outside_ns(s->presence, x->dst, x->recv_done, w->at_ns, x->asked_ns);
	walk_to(w, earlier(w->at_ns + outside_ns, x->asked_ns), PART(inattention));
	walk_to(w, x->asked_ns, COST_uncollected, COST_receive_overhead);
	if (is_waited_for(s, i))
		walk_to(w, w->end_ns, COST_receive_overhead, COST_uncollected);
	walk_to(w, w->end_ns, COST_uncollected, COST_receive_overhead);
	w->sender_n = w->n;
	w->sender_ns = w->at_ns;
}
