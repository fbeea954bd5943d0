/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/opinion_pairs.h"

#include "analyze/opinion/dialogue.h"
#include "models/lopc_general.h"

#include <math.h>
#include <stdlib.h>

#define S(ns) ((double)(ns)*1e-9)

/* The model's arrays, in one piece of memory, and what goes into them. */
struct asking {
	const struct evidence_base *b;
	const struct phase_load *load;
	size_t ranks;
	struct dialogue d;
	struct phase_time *time; /* per rank */
	double *W, *S_o, *R;
};

/* Handlers of a rank are those of requests to it and of replies to its own. */
static double handlers(const struct speaker *x)
{
	return x->replies + x->requests;
}

static double mean_handler_s(const struct asking *a, const struct speaker *x)
{
	return handlers(x) > 0 ? (x->handler_s + x->requests * a->load->o_r_s) / handlers(x) : 0;
}

/* How unlike the handlers of one rank are, a mean over all. */
static double handlers_cv2(const struct asking *a)
{
	double sum = 0, n = 0, o_r_s = a->load->o_r_s;

	for (size_t r = 0; r < a->ranks; r++) {
		const struct speaker *x = &a->d.speaker[r];
		double mean = mean_handler_s(a, x);
		double squares = x->squares + x->requests * o_r_s * o_r_s;

		if (mean > 0)
			sum += squares / (mean * mean) - handlers(x);
		n += handlers(x);
	}
	return n > 0 ? fmax(sum / n, 0) : 0;
}

/* Each rank's work and handlers, and its row of V. */
static void fill(struct asking *a, struct pairs_opinion *o)
{
	double asked = 0, handled = 0;

	for (size_t r = 0; r < a->ranks; r++) {
		const struct speaker *x = &a->d.speaker[r];
		double outside_s = S(a->time[r].spent_ns - a->time[r].inside_ns) - x->thought_s;

		a->S_o[r] = mean_handler_s(a, x);
		a->W[r] = INFINITY;
		o->S_o_s += a->S_o[r] * handlers(x);
		handled += handlers(x);
		if (!x->requests)
			continue;
		a->W[r] = fmax(outside_s, 0) / x->requests + a->load->o_s_s;
		o->W_s += a->W[r] * x->requests;
		asked += x->requests;
		for (size_t k = 0; k < a->ranks; k++)
			a->d.asked[r * a->ranks + k] /= x->requests;
	}
	o->W_s /= asked;
	o->S_o_s /= handled;
	o->S_l_s = a->load->latency_s;
	o->C2 = handlers_cv2(a);
	o->lower_s = o->W_s + 2 * o->S_l_s + o->S_o_s * handled / asked;
}

static void conclude(const struct asking *a, struct pairs_opinion *o)
{
	double asked = 0;

	for (size_t r = 0; r < a->ranks; r++) {
		double n = a->d.speaker[r].requests, measured_s = S(a->time[r].spent_ns);

		if (!n)
			continue;
		asked += n;
		o->R_s += a->R[r] * n;
		o->most_s = fmax(o->most_s, a->R[r]);
		o->measured_s += measured_s;
		o->measured_most_s = fmax(o->measured_most_s, measured_s / n);
	}
	o->R_s /= asked;
	o->measured_s /= asked;
}

static int solve(struct asking *a, struct pairs_opinion *out, struct err *err)
{
	struct lopc_general m = {.nodes = a->ranks, .W = a->W, .S_o = a->S_o};
	struct lopc_general_result r = {.R = a->R};
	struct pairs_opinion o = {0};

	fill(a, &o);
	m.V.value = a->d.asked;
	m.S_l = o.S_l_s;
	m.C2 = o.C2;
	if (lopc_general_solve(&m, &r, err))
		return -1;
	conclude(a, &o);
	o.V = a->d.asked;
	a->d.asked = NULL;
	*out = o;
	return 0;
}

int opinion_pairs(const struct evidence_base *b, const struct phases *phases,
		  const struct phase_load *x, struct pairs_opinion *out, struct err *err)
{
	struct asking a = {.b = b, .load = x, .ranks = b->t->n_ranks};
	uint32_t phase = x->found->phase - 1;
	int ret = -1;

	if (a.ranks > OPINION_PAIRS_RANKS)
		return err_set(err, "who asks whom among %zu ranks is too much to look at",
			       a.ranks);
	if (dialogue_find(b, phases, phase, DIALOGUE_OF_PAIRS, &a.d, err))
		return -1;
	a.time = calloc(a.ranks + 1, sizeof(*a.time));
	a.W = calloc(3 * a.ranks + 1, sizeof(*a.W));
	if (!a.time || !a.W) {
		err_set(err, "out of memory for %zu ranks", a.ranks);
	} else {
		a.S_o = a.W + a.ranks;
		a.R = a.S_o + a.ranks;
		phases_time(b->t, phases, phase, a.time);
		ret = solve(&a, out, err);
	}
	free(a.W);
	free(a.time);
	dialogue_release(&a.d);
	return ret;
}
