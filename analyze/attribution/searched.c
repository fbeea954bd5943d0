/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/searched.h"

#include "analyze/attribution/envelope.h"
#include "analyze/attribution/hindered.h"

static int64_t searched_ns(const struct rank *r)
{
	return r->searched_ns;
}

/* Returns how much of it is in doubt. */
static int64_t doubt(struct view *v, int64_t ns)
{
	return envelope_exchange(v, COST_network_contention, COST_handler_contention, ns);
}

int searched_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		   struct err *err)
{
	struct hindered h;

	a->searched_ns = 0;
	if (hindered_find(&h, t, m, a, searched_ns, err))
		return -1;
	if (h.any) {
		for (uint32_t r = 0; r < t->n_ranks; r++)
			a->searched_ns += doubt(&a->rank_budget[r], h.calls_ns[r]);
		doubt(&a->budget, a->searched_ns);
		doubt(&a->blame,
		      hindered_share_ns(a->searched_ns, a->budget.parts[COST_network_contention].ns,
					a->blame.parts[COST_network_contention].ns));
	}
	hindered_release(&h);
	return 0;
}
