/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/envelope.h"

#include "analyze/tools/instants.h"

#include <assert.h>

static void take(struct part *p, int64_t ns, int64_t less_ns, int64_t more_ns, int is_first)
{
	int64_t low_ns = later(0, ns - less_ns), high_ns = ns + more_ns;

	if (is_first) {
		*p = (struct part){ns, low_ns, high_ns};
		return;
	}
	p->low_ns = earlier(low_ns, p->low_ns);
	p->high_ns = later(high_ns, p->high_ns);
}

void envelope_take(struct view *v, const struct tally *t, int is_first)
{
	int64_t less_ns = -t->within_ns, more_ns = less_ns;

	for (int c = 0; c < COST_COUNT; c++) {
		take(&v->parts[c], t->ns[c], t->less_ns[c], t->more_ns[c], is_first);
		v->total_ns += is_first ? t->ns[c] : 0;
		less_ns += cost_is_contention(c) ? t->less_ns[c] : 0;
		more_ns += cost_is_contention(c) ? t->more_ns[c] : 0;
	}
	take(&v->contention, tally_contention_ns(t), less_ns, more_ns, is_first);
}

int64_t envelope_doubt(struct view *v, int64_t ns)
{
	int64_t most_ns = earlier(ns, v->contention.ns);

	for (int c = 0; c < COST_COUNT; c++)
		if (cost_is_contention(c))
			v->parts[c].low_ns -= earlier(v->parts[c].low_ns, ns);
	v->contention.low_ns -= earlier(v->contention.low_ns, ns);
	v->parts[COST_not_identifiable].high_ns += most_ns;
	return most_ns;
}

int64_t envelope_exchange(struct view *v, enum cost part, enum cost that, int64_t ns)
{
	int64_t most_ns = earlier(ns, v->parts[part].ns);

	assert(cost_is_contention(part) && cost_is_contention(that));
	v->parts[part].low_ns -= earlier(v->parts[part].low_ns, ns);
	v->parts[that].high_ns += most_ns;
	return most_ns;
}

static void bound(struct part *p, int64_t least_ns, int64_t most_ns)
{
	p->high_ns = later(p->ns, earlier(p->high_ns, most_ns));
	p->low_ns = earlier(p->ns, later(p->low_ns, least_ns));
}

void envelope_bound(struct view *v)
{
	int64_t least = 0, most = 0, no_contention_least = 0, no_contention_most = 0;

	for (int c = 0; c < COST_COUNT; c++) {
		/* More than all no part is, whatever a damaged size would take. */
		v->parts[c].high_ns = earlier(v->parts[c].high_ns, v->total_ns);
		least += v->parts[c].low_ns;
		most += v->parts[c].high_ns;
		if (cost_is_contention(c))
			continue;
		no_contention_least += v->parts[c].low_ns;
		no_contention_most += v->parts[c].high_ns;
	}
	for (int c = 0; c < COST_COUNT; c++) {
		struct part *p = &v->parts[c];

		bound(p, v->total_ns - (most - p->high_ns), v->total_ns - (least - p->low_ns));
	}
	bound(&v->contention, v->total_ns - no_contention_most, v->total_ns - no_contention_least);
}
