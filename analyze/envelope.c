/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/envelope.h"

#include "analyze/instants.h"

void envelope_take(struct view *v, const struct tally *t, int is_first)
{
	for (int c = 0; c < COST_COUNT; c++) {
		struct part *p = &v->parts[c];
		int64_t low = later(0, t->ns[c] - t->less_ns[c]), high = t->ns[c] + t->more_ns[c];

		if (is_first) {
			*p = (struct part){t->ns[c], low, high};
			v->total_ns += t->ns[c];
			continue;
		}
		p->low_ns = earlier(low, p->low_ns);
		p->high_ns = later(high, p->high_ns);
	}
}

void envelope_bound(struct view *v)
{
	int64_t least = 0, most = 0;

	for (int c = 0; c < COST_COUNT; c++) {
		least += v->parts[c].low_ns;
		most += v->parts[c].high_ns;
	}
	for (int c = 0; c < COST_COUNT; c++) {
		struct part *p = &v->parts[c];
		int64_t others_least = least - p->low_ns, others_most = most - p->high_ns;

		p->high_ns = later(p->ns, earlier(p->high_ns, v->total_ns - others_least));
		p->low_ns = earlier(p->ns, later(p->low_ns, v->total_ns - others_most));
	}
}
