/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/taken_turns.h"

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

int taken_turns_init(struct taken_turns *x, const struct evidence_base *b, struct err *err)
{
	size_t room = (size_t)messages_most(b->m, b->t->n_ranks) + 1;

	x->behind_ns = table_calloc(room, sizeof(*x->behind_ns));
	x->took_ns = table_calloc(room, sizeof(*x->took_ns));
	if (x->behind_ns && x->took_ns)
		return 0;
	return err_set(err, "out of memory for %zu messages of a receiver", room);
}

void taken_turns_release(struct taken_turns *x)
{
	table_free(x->took_ns);
	table_free(x->behind_ns);
}

/* How long the first n messages, of which the first is m, were on their way until then, in all. */
static int64_t taken_ns(const struct taken_turns *x, const struct message *m, uint32_t n,
			int64_t ns)
{
	struct instants done = {&m->done_ns, sizeof(*m), n};
	uint32_t k = instants_until(done, n, ns);
	int64_t left_ns;

	if (k == n)
		return x->took_ns[n];
	left_ns = x->took_ns[k + 1] - x->took_ns[k] - (m[k].done_ns - ns);
	return x->took_ns[k] + later(0, left_ns);
}

void taken_turns_find(struct taken_turns *x, const struct evidence_base *b, uint32_t dst)
{
	uint32_t first = b->m->by_dst[dst], n = b->m->by_dst[dst + 1] - first;
	const struct message *m = &b->m->m[first];
	int64_t before_ns = INT64_MIN;

	for (uint32_t k = 0; k < n; k++) {
		int64_t late_ns = slices_part(&b->a->message, first + k, COST_late_partner);
		int64_t begun_ns = later(before_ns, m[k].done_ns - retime_way_ns(b, first + k));

		x->behind_ns[k] = 0;
		if (late_ns > 0 && message_is_posted(b->t, &m[k])) {
			int64_t posted_ns = b->t->calls[m[k].recv_call].enter_ns;

			x->behind_ns[k] = taken_ns(x, m, k, posted_ns) -
					  taken_ns(x, m, k, posted_ns - late_ns);
		}
		x->took_ns[k + 1] = x->took_ns[k] + later(0, m[k].done_ns - begun_ns);
		before_ns = later(before_ns, m[k].done_ns);
	}
}

int taken_turns_has(const struct taken_turns *x, uint32_t k, uint32_t n)
{
	return x->behind_ns[k] > 0 || (k + 1 < n && x->behind_ns[k + 1] > 0);
}
