/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/script.h"

#include "tests/unit/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS  1000
#define ROUND_NS 1000000

void script_send(struct script *s, uint32_t p, uint32_t q, uint32_t step, uint64_t bytes)
{
	int64_t start = (int64_t)s->round * ROUND_NS + (int64_t)step * STEP_NS;

	if (s->n == s->room) {
		s->room = 2 * s->room + 256;
		s->d = reallocarray(s->d, s->room, sizeof(*s->d));
		CU_ASSERT_PTR_NOT_NULL_FATAL(s->d);
	}
	s->d[s->n++] = (struct delivery){.src = p,
					 .dst = q,
					 .sent_in = s->round,
					 .done_in = s->round,
					 .bytes = bytes,
					 .sent_ns = start,
					 .done_ns = start + STEP_NS / 2};
}

struct pattern script_pattern(uint32_t ranks, script_round *each, uint32_t a, uint32_t b)
{
	struct script s = {.ranks = ranks, .rounds = 12};
	struct traffic t;
	struct pattern p;
	struct err err;

	for (s.round = 0; s.round < s.rounds; s.round++)
		each(&s, a, b);
	CU_ASSERT_EQUAL_FATAL(traffic_build(ranks, s.n, s.d, &t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(pattern_find(&t, &p, &err), 0);
	traffic_release(&t);
	free(s.d);
	return p;
}

int script_is_named(const char *name, uint32_t ranks, script_round *each, uint32_t a, uint32_t b)
{
	struct pattern p = script_pattern(ranks, each, a, b);
	int right = !strcmp(p.best.name, name);

	if (!right)
		printf("\n    %u ranks (%u, %u): %s, should be %s", ranks, a, b, p.best.name, name);
	return right;
}

int script_is_also(const struct pattern *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_equivalent; i++)
		if (!strcmp(p->equivalent[i], name))
			return 1;
	return 0;
}
