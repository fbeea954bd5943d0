/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/alone.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/tools/instants.h"

#define INSTANTS 4096
#define ALONE    0.65 /* of them: at so many only one rank computes, */
#define AT_ONCE  0.5  /* of the instants at which several would by chance */
#define ENOUGH   32   /* so many fewer, at least */
#define ALWAYS   0.8  /* and at so many of these it is the same one */

struct sample {
	int64_t from_ns, until_ns;
	uint32_t computing[INSTANTS]; /* ranks that do, */
	uint32_t who[INSTANTS];       /* the last one of them */
	double none, one;             /* chance of that if each does at any time: none, just one */
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
	uint32_t near = 0, n = 0;

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
		n++;
	}
	s->one = (s->one * (INSTANTS - n) + s->none * n) / INSTANTS;
	s->none = s->none * (INSTANTS - n) / INSTANTS;
}

/* For how much of the span ranks may have waited for cores, all together; as far as is known. */
static double lacking(const struct trace *t, const struct sample *s)
{
	double sum = 0;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (t->ranks[r].core_awaited_ns > 0)
			sum += (double)t->ranks[r].core_awaited_ns;
		else if (trace_shares_core(t, r))
			sum = INFINITY;
	return sum / (double)(s->until_ns - s->from_ns);
}

/* Instants at which nobody computes and alone ones are counted: what of nobody's may be cores'. */
static double idle(const struct trace *t, const struct sample *s, uint32_t nobody, uint32_t alone)
{
	double many = INSTANTS - nobody - alone, by_chance = INSTANTS * (1 - s->none - s->one);

	if (many + ENOUGH > AT_ONCE * by_chance)
		return 0;
	return fmin(lacking(t, s), (double)nobody / INSTANTS);
}

/* Returns 0, or -1: out of memory. */
static int count(const struct trace *t, const struct sample *s, struct alone *out)
{
	uint32_t *times = calloc(t->n_ranks + 1u, sizeof(*times)), n = 0, nobody = 0;

	if (!times)
		return -1;
	for (uint32_t k = 0; k < INSTANTS; k++) {
		nobody += s->computing[k] == 0;
		if (s->computing[k] != 1)
			continue;
		n++;
		times[s->who[k]]++;
	}
	*out = (struct alone){.idle = idle(t, s, nobody, n), .rank = TRACE_NONE};
	out->share = fmin(n / (INSTANTS * (1 - out->idle)), 1);
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
		s->none = 1;
		for (uint32_t r = 0; r < t->n_ranks && s->until_ns > s->from_ns; r++)
			if (t->ranks[r].calls) /* else nothing tells what it did */
				look(t, r, s);
		ret = count(t, s, out);
	}
	free(s);
	return ret ? err_set(err, "out of memory for %u ranks", t->n_ranks) : 0;
}
