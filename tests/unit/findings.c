/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const struct hotspot *h)
{
	printf("%s | %s | %s | %s | %g %g %g\n", h->kind, h->title, h->why, h->advice,
	       h->saves_low_s, h->saves_mid_s, h->saves_high_s);
	for (uint32_t k = 0; k < h->n_evidence; k++)
		printf("   %s %g\n", h->evidence[k].key, h->evidence[k].value);
}

struct hotspots findings_of(const struct tables *x, struct machine machine)
{
	static const struct clock_quality one_clock;
	struct attribution a;
	struct evidence_base base = {.t = &x->trace,
				     .m = &x->messages,
				     .c = &x->collectives,
				     .machine = &machine,
				     .a = &a};
	struct hotspots h;
	struct err err = {""};

	if (attribution_run(&x->trace, &x->messages, &x->collectives, &machine, &one_clock, &a,
			    &err) ||
	    evidence_find(&base, &err) || hotspots_find(&base, &h, &err))
		abort();
	evidence_release(&base);
	for (uint32_t i = 0; i < h.n && getenv("VERBOSE"); i++)
		print(&h.h[i]);
	attribution_release(&a);
	machine_release(&machine);
	return h;
}

const struct hotspot *findings_one(const struct hotspots *h, const char *kind)
{
	const struct hotspot *found = NULL;

	for (uint32_t i = 0; i < h->n; i++) {
		if (strcmp(h->h[i].kind, kind))
			continue;
		if (found)
			return NULL;
		found = &h->h[i];
	}
	return found;
}

uint32_t findings_contention(const struct hotspots *h)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->n; i++)
		n += strncmp(h->h[i].why, "not contention", strlen("not contention")) != 0;
	return n;
}

double findings_evidence(const struct hotspot *h, const char *key)
{
	for (uint32_t k = 0; k < h->n_evidence; k++)
		if (!strcmp(h->evidence[k].key, key))
			return h->evidence[k].value;
	return NAN;
}
