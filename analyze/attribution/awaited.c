/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/awaited.h"

#include "analyze/attribution/envelope.h"
#include "analyze/attribution/hindered.h"

static int64_t awaited_ns(const struct rank *r)
{
	return r->core_awaited_ns;
}

int awaited_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		  struct err *err)
{
	struct hindered h;

	a->awaited_ns = 0;
	if (hindered_find(&h, t, m, a, awaited_ns, err))
		return -1;
	if (h.any) {
		for (uint32_t r = 0; r < t->n_ranks; r++)
			a->awaited_ns += envelope_doubt(&a->rank_budget[r], h.calls_ns[r]);
		envelope_doubt(&a->budget, a->awaited_ns);
		envelope_doubt(&a->blame, hindered_share_ns(a->awaited_ns, a->budget.contention.ns,
							    a->blame.contention.ns));
	}
	hindered_release(&h);
	return 0;
}
