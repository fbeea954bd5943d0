/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_correct.h"

#include "analyze/tools/instants.h"

#include <math.h>

struct correction {
	struct trace *t;
	struct messages *m;
	const struct clock_course *course;
};

static int64_t corrected(const struct correction *c, uint32_t rank, int64_t ns)
{
	return ns + llround(clock_course_at(c->course, c->t->ranks[rank].clock, ns));
}

/* The times of one rank, and of the messages that it receives; all less begin_ns. */
static void correct_rank(struct correction *c, uint32_t r, int64_t begin_ns)
{
	struct trace *t = c->t;
	struct rank *rank = &t->ranks[r];
	uint32_t i;

	rank->begin_ns = corrected(c, r, rank->begin_ns) - begin_ns;
	rank->end_ns = corrected(c, r, rank->end_ns) - begin_ns;
	for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		t->calls[i].enter_ns = corrected(c, r, t->calls[i].enter_ns) - begin_ns;
		t->calls[i].leave_ns = corrected(c, r, t->calls[i].leave_ns) - begin_ns;
	}
	for (i = rank->first_op; i < rank->first_op + rank->ops; i++)
		t->ops[i].time_ns = corrected(c, r, t->ops[i].time_ns) - begin_ns;
	for (i = c->m->by_dst[r]; i < c->m->by_dst[r + 1]; i++) {
		struct message *x = &c->m->m[i];

		x->sent_ns = corrected(c, x->src, x->sent_ns) - begin_ns;
		x->done_ns = corrected(c, r, x->done_ns) - begin_ns;
		x->send_done_ns = corrected(c, x->src, x->send_done_ns) - begin_ns;
		if (x->not_here_ns != INT64_MIN)
			x->not_here_ns = corrected(c, r, x->not_here_ns) - begin_ns;
	}
}

void clock_correct(struct trace *t, struct messages *m, const struct clock_course *course)
{
	struct correction c = {t, m, course};
	int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN, lost_ns = t->wall_ns;
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++) {
		int64_t from_ns = corrected(&c, r, t->ranks[r].begin_ns);
		int64_t to_ns = corrected(&c, r, t->ranks[r].end_ns);

		if (t->ranks[r].absent)
			continue;
		begin_ns = from_ns < begin_ns ? from_ns : begin_ns;
		end_ns = to_ns > end_ns ? to_ns : end_ns;
		lost_ns = earlier(lost_ns, t->wall_ns - t->ranks[r].end_ns);
	}
	t->wall_ns = end_ns - begin_ns + later(0, lost_ns); /* of all ranks' last part */
	for (r = 0; r < t->n_ranks; r++)
		correct_rank(&c, r, begin_ns);
}
