/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Diamond DAG's opinion of a pipeline: its makespan, and the best number of blocks. */
#include "analyze/opinion/opinion_facts.h"
#include "analyze/opinion/pipeline_load.h"
#include "common/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The messages of the phase. NULL: out of memory. Caller frees with table_free. */
static uint32_t *list_messages(const struct opinion_facts *f, uint32_t phase, uint32_t *n)
{
	const struct messages *m = f->b->m;
	uint32_t *list = table_alloc((size_t)m->n + 1, sizeof(*list));

	*n = 0;
	for (uint32_t i = 0; list && i < m->n; i++)
		if (f->phases->of_message[f->b->a->by_send[i]] == phase)
			list[(*n)++] = f->b->a->by_send[i];
	return list;
}

static void put_makespan(const struct opinion_facts *f, const struct pipeline_load *x,
			 struct opinion *o)
{
	struct diamond_stripes now, then;
	double best;

	opinion_put(&o->inputs, "P", x->P);
	opinion_put(&o->inputs, "sweeps", x->sweeps);
	opinion_put(&o->inputs, "b", x->blocks);
	opinion_put(&o->inputs, "bytes", x->bytes);
	opinion_put(&o->inputs, "W_s", x->work_s);
	opinion_put(&o->measured, "makespan_s", x->makespan_s);
	if (pipeline_stripes(f->b, x, x->blocks, &now)) {
		opinion_refuse(o, "the machine's parameters are not known for its messages");
		return;
	}
	opinion_put(&o->inputs, "O_s_s", now.O_s);
	opinion_put(&o->inputs, "O_r_s", now.O_r);
	opinion_put(&o->inputs, "hop_s", now.hop);
	opinion_put(&o->inputs, "gap_s", now.gap);
	if (pipeline_is_uneven(x, &now)) {
		snprintf(o->why_not, sizeof(o->why_not),
			 "it asks that all ranks have as much to do for a block; one has %.1f "
			 "times as much",
			 x->slowest_s / x->work_s);
		return;
	}
	best = pipeline_best_blocks(f->b, x);
	pipeline_stripes(f->b, x, best, &then);
	opinion_put(&o->predicted, "makespan_s", diamond_makespan(&now, x->blocks));
	opinion_put(&o->predicted, "b_best", best);
	opinion_put(&o->predicted, "makespan_best_s", diamond_makespan(&then, best));
	o->valid = 1;
}

void opinion_diamond(const struct opinion_facts *f, struct opinion *o)
{
	struct some_messages some;
	struct pipeline_load x;
	const char *why_not;
	struct err err;
	uint32_t *list;
	int is_pipeline;

	if (!opinion_is_named(f, "1-D sweep")) {
		opinion_refuse(o, strstr(f->load.found->p.best.name, "-D sweep")
					  ? "it has stripes along one line; this sweep goes over a "
					    "grid of ranks"
					  : "the pattern is not a sweep along a line (pipeline)");
		return;
	}
	if (pipeline_lacks_cores(f->b->t)) {
		opinion_refuse(o, "ranks were without a core at times: then what they do for a "
				  "block is not its work, and sweeps are told wrongly");
		return;
	}
	list = list_messages(f, f->load.found->phase - 1, &some.n);
	if (!list) {
		opinion_refuse(o, "there is not enough memory for its messages");
		return;
	}
	some.message = list;
	is_pipeline = pipeline_load_find(f->b, some, &x, &why_not, &err);
	if (is_pipeline > 0)
		put_makespan(f, &x, o);
	else
		opinion_refuse(o, is_pipeline < 0 ? err.text : why_not);
	table_free(list);
}
