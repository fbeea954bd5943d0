/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/spread_saving.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/instants.h"
#include "analyze/retime.h"
#include "common/table.h"

/* What the others are the reason for, on the way of a message; of it, what only may be that. */
#define ON_THE_WAY \
	(1u << COST_receiver_port | 1u << COST_network_contention | 1u << COST_back_pressure)
#define PERHAPS (1u << COST_not_identifiable)

/* What a receiver does with its messages, and with its own sends while they fill its calls. */
#define HANDLING \
	(1u << COST_handler_contention | 1u << COST_receive_overhead | 1u << COST_back_pressure)

struct spread {
	const struct evidence_base *b;
	int64_t *less_ns; /* per message: its way is so much shorter */
	int64_t *rest_ns; /* per call: and so is its handling */
};

static int save(struct spread *x, uint32_t dst, double share, const uint8_t *without,
		uint32_t parts, double *saved_s, struct err *err)
{
	const struct evidence_base *b = x->b;
	struct retime how = {.less_ns = x->less_ns, .rest_ns = x->rest_ns};

	for (uint32_t i = b->m->by_dst[dst]; i < b->m->by_dst[dst + 1]; i++)
		if (!without || !without[b->m->m[i].place])
			x->less_ns[i] =
				earlier((int64_t)(share * slices_sum(&b->a->message, i, parts)),
					retime_way_ns(b, i));
	return retime_run(b, &how, saved_s, err);
}

int spread_saving_find(const struct evidence_base *b, uint32_t dst, double left,
		       const uint8_t *without, struct spread_saving *out, struct err *err)
{
	const struct rank *r = &b->t->ranks[dst];
	struct spread x = {.b = b};
	int ret = -1;

	x.less_ns = table_calloc((size_t)b->m->n + 1, sizeof(*x.less_ns));
	x.rest_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*x.rest_ns));
	if (!x.less_ns || !x.rest_ns) {
		err_set(err, "out of memory for %u messages", b->m->n);
	} else {
		for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++)
			x.rest_ns[c] = (int64_t)((1 - left) * slices_sum(&b->a->call, c, HANDLING));
		ret = save(&x, dst, 1 - left, without, ON_THE_WAY, &out->mid_s, err) ||
				      save(&x, dst, 1, without, ON_THE_WAY | PERHAPS, &out->high_s,
					   err)
			      ? -1
			      : 0;
		out->high_s = fmax(out->mid_s, out->high_s);
	}
	table_free(x.rest_ns);
	table_free(x.less_ns);
	return ret;
}
