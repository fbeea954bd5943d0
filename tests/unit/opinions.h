/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model's opinion of handmade tables is. */
#ifndef TESTS_UNIT_OPINIONS_H
#define TESTS_UNIT_OPINIONS_H

#include "analyze/opinion/opinion.h"

#include "tests/unit/suite.h"
#include "tests/unit/tables.h"

#include <math.h>
#include <string.h>

static struct err err;

/* What the model says of x, which is released, and the machine, too. */
static inline struct opinion opinion_of(const char *model, struct tables x, struct machine machine)
{
	static const struct clock_quality one_clock;
	struct opinion found = {.name = NULL};
	struct patterns patterns;
	struct attribution a;
	struct opinions all;
	struct phases phases;
	struct evidence_base base = {
		.t = &x.trace, .m = &x.messages, .c = &x.collectives, .machine = &machine, .a = &a};

	CU_ASSERT_EQUAL_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &machine,
					      &one_clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(phases_find(&x.trace, &x.messages, &x.collectives, &phases, &err), 0);
	CU_ASSERT_EQUAL_FATAL(patterns_find(&x.trace, &x.messages, &phases, &patterns, &err), 0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&base, &err), 0);
	CU_ASSERT_EQUAL_FATAL(opinions_find(&base, &phases, &patterns, &all, &err), 0);
	evidence_release(&base);
	for (uint32_t k = 0; k < all.n && !found.name; k++)
		if (!strcmp(all.o[k].name, model))
			found = all.o[k];
	CU_ASSERT_PTR_NOT_NULL_FATAL(found.name);
	opinions_release(&all);
	patterns_release(&patterns);
	phases_release(&phases);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&machine);
	return found;
}

static inline double value(const struct opinion_values *of, const char *key)
{
	for (uint32_t i = 0; i < of->n; i++)
		if (!strcmp(of->v[i].key, key))
			return of->v[i].value;
	return NAN;
}

#endif
