/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/stretches.h"

#include "analyze/tools/find_first.h"
#include "common/table.h"

#include <stdlib.h>

int stretches_find(struct stretches *s, const struct trace *t)
{
	uint32_t n = 0, r, i;

	*s = (struct stretches){.of = calloc((size_t)t->n_ranks + 1, sizeof(*s->of))};
	for (i = 0; !t->dated && i < t->n_ops; i++)
		n += t->ops[i].kind == OP_RESUME;
	s->resumed_ns = table_alloc((size_t)n + 1, sizeof(*s->resumed_ns));
	if (!s->of || !s->resumed_ns)
		return -1;
	for (r = n = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];

		for (i = rank->first_op; !t->dated && i < rank->first_op + rank->ops; i++)
			if (t->ops[i].kind == OP_RESUME)
				s->resumed_ns[n++] = t->ops[i].time_ns;
		s->of[r + 1] = n;
	}
	return 0;
}

uint32_t stretches_at(const struct stretches *s, uint32_t rank, int64_t ns)
{
	uint32_t at = s->of[rank];

	FIND_FIRST(at, s->of[rank + 1], s->resumed_ns[at] > ns);
	return at - s->of[rank];
}

void stretches_release(struct stretches *s)
{
	free(s->of);
	table_free(s->resumed_ns);
	*s = (struct stretches){0};
}
