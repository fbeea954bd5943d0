/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/alone.h"

#include <stdlib.h>

#include "analyze/tools/instants.h"

#define INSTANTS 4096
#define ALONE    0.75 /* of them: at so many only one rank computes, */
#define ALWAYS   0.8  /* and at so many of these it is the same one */

struct sample {
	int64_t from_ns, until_ns;
	uint32_t computing[INSTANTS]; /* ranks that do, */
	uint32_t who[INSTANTS];       /* the last one of them */
};

/* Spread evenly, but not in step with what the program repeats: the golden ratio's multiples. */
static int64_t instant_ns(const struct sample *s, uint32_t k)
{
	const double golden = 0.6180339887498949;
	double within = (k + 1) * golden - (double)(uint32_t)((k + 1) * golden);

	return s->from_ns + (int64_t)((double)(s->until_ns - s->from_ns) * (k + within) / INSTANTS);
}

/* Between the last start and the first end of a rank's MPI. */
static void find_span(const struct trace *t, struct sample *s)
{
	s->from_ns = 0;
	s->until_ns = t->wall_ns;
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];
		uint32_t first = rank->first_call, last = first + rank->calls - 1;

		if (!rank->calls)
			continue;
		if (trace_call_kind(t, first) == REGION_INIT)
			s->from_ns = later(s->from_ns, t->calls[first].leave_ns);
		s->until_ns = earlier(s->until_ns, trace_call_kind(t, last) == REGION_FINALIZE
							   ? t->calls[last].enter_ns
							   : rank->end_ns);
	}
}

static void look(const struct trace *t, uint32_t r, struct sample *s)
{
	const struct rank *rank = &t->ranks[r];
	struct instants enters = {&t->calls[rank->first_call].enter_ns, sizeof(*t->calls),
				  rank->calls};
	uint32_t near = 0;

	for (uint32_t k = 0; k < INSTANTS; k++) {
		int64_t ns = instant_ns(s, k);
		uint32_t call;

		near = instants_until(enters, near, ns);
		call = rank->first_call + near - 1;
		if (near > 0 && t->calls[call].leave_ns > ns &&
		    trace_call_kind(t, call) != REGION_OTHER)
			continue;
		s->computing[k]++;
		s->who[k] = r;
	}
}

/* Returns 0, or -1: out of memory. */
static int count(const struct trace *t, const struct sample *s, struct alone *out)
{
	uint32_t *times = calloc(t->n_ranks + 1u, sizeof(*times)), n = 0;

	if (!times)
		return -1;
	for (uint32_t k = 0; k < INSTANTS; k++) {
		if (s->computing[k] != 1)
			continue;
		n++;
		times[s->who[k]]++;
	}
	*out = (struct alone){(double)n / INSTANTS, 0, TRACE_NONE};
	for (uint32_t r = 0; r < t->n_ranks && n > 0; r++) {
		if ((double)times[r] / n <= out->most)
			continue;
		out->most = (double)times[r] / n;
		out->rank = r;
	}
	free(times);
	return 0;
}

int alone_is_by_turns(const struct alone *x)
{
	return x->share >= ALONE && x->most < ALWAYS;
}

int alone_find(const struct trace *t, struct alone *out, struct err *err)
{
	struct sample *s = calloc(1, sizeof(*s));
	int ret = -1;

	*out = (struct alone){.rank = TRACE_NONE};
	if (s) {
		find_span(t, s);
		for (uint32_t r = 0; r < t->n_ranks && s->until_ns > s->from_ns; r++)
			if (t->ranks[r].calls) /* else nothing tells what it did */
				look(t, r, s);
		ret = count(t, s, out);
	}
	free(s);
	return ret ? err_set(err, "out of memory for %u ranks", t->n_ranks) : 0;
}
