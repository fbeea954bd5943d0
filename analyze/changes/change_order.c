/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Destinations in another order, at each place that sends to several ranks in a row: by replay of
 * its exchanges.
 */
#include "analyze/changes/changes.h"

#include <math.h>
#include <stdio.h>

/* Is there a choice: does a rank send to several in a row? */
static int has_order(const struct episodes *e)
{
	for (uint32_t k = 0; k < e->n; k++)
		if (e->e[k].steps > 1)
			return 1;
	return 0;
}

/* Contention with which the place's messages held up an average rank. */
static double held_s(const struct evidence_base *b, uint32_t key)
{
	int64_t ns = 0;

	for (uint32_t k = b->senders.at[key]; k < b->senders.at[key + 1]; k++)
		ns += b->a->held_ns[b->senders.message[k]];
	return (double)ns * 1e-9 / b->t->n_ranks;
}

static int try_place(const struct evidence_base *b, uint32_t key, const struct episodes *e,
		     enum order_wanted order, struct changes *out, struct err *err)
{
	struct change x = {.kind = "order",
			   .site = senders_site(&b->senders, key),
			   .region = senders_region(&b->senders, key)};
	double sure = 1 - attribution_core_doubt(b->a);
	int shared = trace_any_shares_core(b->t);
	struct order_saving s;
	double likely_s, least_s;

	if (order_saving_find(b, e, order, &s, err))
		return -1;
	order_saving_bound(&s, held_s(b, key));
	/* ranks that take turns on a core take messages in by turns, too */
	likely_s = shared && !order_saving_is_replayed(&s) ? 0 : s.mid_s * sure + 0.0; /* no -0 */
	least_s = s.low_s < 0 ? s.low_s : shared ? 0 : s.low_s * sure;
	x.saving = (struct what_if_saving){fmin(least_s, likely_s), likely_s,
					   fmax(likely_s, s.high_s)};
	snprintf(x.title, sizeof(x.title), "destinations in %s order",
		 order == ORDER_STAGGER_ONLY ? "staggered" : "random");
	return changes_add(out, &x, err);
}

int change_order(const struct evidence_base *b, const struct changes_asked *asked,
		 struct changes *out, struct err *err)
{
	uint32_t first = out->n;

	if (!asked->has_order)
		return 0;
	for (uint32_t key = 0; key < b->senders.keys; key++) {
		struct episodes e;
		int ret = 0;

		if (b->senders.at[key + 1] == b->senders.at[key])
			continue;
		if (episodes_cut(&e, &b->senders, key, err))
			return -1;
		if (has_order(&e))
			ret = try_place(b, key, &e, asked->order, out, err);
		episodes_release(&e);
		if (ret)
			return -1;
	}
	if (out->n > first)
		return 0;
	return changes_refuse(out, "order", "destinations in another order",
			      "no call site sends to several ranks in a row", err);
}
