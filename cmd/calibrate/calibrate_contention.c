/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate/calibrate_contention.h"

#include "cmd/calibrate/calibrate_unidentified.h"

#include <math.h>

json_t *calibrate_estimate_json(struct estimate e)
{
	return json_pack("{s:f, s:f, s:f, s:I, s:b}", "value", e.value, "low", e.low, "high",
			 e.high, "n", (json_int_t)e.n, "identifiable", estimate_is_identified(e));
}

/* A standard error that there is none of is no number. */
static json_t *number_or_null(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *rates_json(const struct contention_rates *r, int crowded)
{
	json_t *steps = json_array();
	int i;

	if (!r->n) {
		json_decref(steps);
		return json_null();
	}
	for (i = 0; i < r->n; i++)
		json_array_append_new(steps,
				      json_pack("{s:i, s:o}", "pairs", r->step[i].k, "bytes_per_s",
						calibrate_estimate_json(r->step[i].rate)));
	return json_pack("{s:I, s:b, s:b, s:o, s:{s:f, s:f, s:f, s:f, s:b, s:b}}", "bytes",
			 (json_int_t)r->bytes, "off_node", r->off_node, "crowded", crowded, "steps",
			 steps, "max_rate", "alpha_s", r->fit.alpha, "R_N", r->fit.R_N, "R_C",
			 r->fit.R_C, "R_i", r->fit.R_i, "R_i_clamped", r->clamped, "saturates",
			 r->saturates);
}

static json_t *fan_json(const struct contention_fan *f)
{
	json_t *steps = json_array();
	int i;

	for (i = 0; i < f->n; i++)
		json_array_append_new(steps, json_pack("{s:i, s:o}", "ranks", f->step[i].k, "time",
						       calibrate_estimate_json(f->step[i].time_s)));
	return json_pack("{s:I, s:b, s:o, s:f, s:o, s:b}", "bytes", (json_int_t)f->bytes,
			 "off_node", f->off_node, "steps", steps, "slope_s", f->slope_s,
			 "slope_se_s", number_or_null(f->slope_se_s), "identifiable",
			 f->slope_s > 2 * f->slope_se_s);
}

static json_t *stress_json(const struct contention_stress *s)
{
	json_t *steps = json_array();
	int i;

	for (i = 0; i < s->n; i++)
		json_array_append_new(
			steps, json_pack("{s:i, s:o, s:o}", "connections", s->step[i].k, "time",
					 calibrate_estimate_json(s->step[i].time_s), "slowest",
					 calibrate_estimate_json(s->step[i].slowest_s)));
	if (!s->messages) {
		json_decref(steps);
		return json_null();
	}
	return json_pack("{s:i, s:b, s:I, s:I, s:I, s:f, s:o, s:f, s:f, s:o}", "ranks", s->ranks,
			 "one_a_host", s->one_a_host, "bytes", (json_int_t)s->bytes, "messages",
			 (json_int_t)s->messages, "delayed", (json_int_t)s->delayed, "beta_F",
			 s->gap.beta_F, "beta_C",
			 s->delayed ? json_real(s->gap.beta_C) : json_null(), "rho", s->gap.rho,
			 "beta", s->beta, "steps", steps);
}

static json_t *regime_json(const struct signature_regime *r)
{
	const struct signature_fit *f = &r->fit;
	json_t *lack =
		f->tested ? json_pack("{s:f, s:f}", "F", f->lack_of_fit_F, "p", f->lack_of_fit_p)
			  : json_null();

	return json_pack(
		"{s:I, s:I, s:f, s:f, s:f, s:I, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:I, s:I, "
		"s:o, s:f, s:f, s:b}",
		"from_bytes", (json_int_t)r->from_bytes, "to_bytes", (json_int_t)r->to_bytes,
		"gamma", f->signature.gamma, "delta_s", f->signature.delta, "M_bytes",
		f->signature.M, "M_above_bytes", (json_int_t)f->M_above, "se_M_bytes",
		number_or_null(f->se_M), "M_low_bytes", f->M_low, "M_high_bytes", f->M_high,
		"se_gamma", f->se_gamma, "se_delta_s", f->se_delta, "half_gamma", f->half_gamma,
		"half_delta_s", f->half_delta, "delta_clamped", f->delta_clamped, "samples",
		(json_int_t)f->samples, "sizes", (json_int_t)f->sizes, "lack_of_fit", lack, "n_low",
		f->n_low, "n_high", f->n_high, "fails_below", f->n_below);
}

static json_t *signature_json(const struct contention *c)
{
	json_t *regimes = json_array(), *times = json_array();
	int i;

	for (i = 0; i < c->n_regimes; i++)
		json_array_append_new(regimes, regime_json(&c->regime[i]));
	for (i = 0; i < c->n_exchanges; i++)
		json_array_append_new(times,
				      json_pack("{s:i, s:I, s:o}", "ranks", c->exchange[i].n,
						"bytes", (json_int_t)c->exchange[i].bytes, "time",
						calibrate_estimate_json(c->exchange[i].time_s)));
	return json_pack("{s:s, s:i, s:f, s:f, s:o, s:o, s:o}", "algorithm", "MPI_Alltoall",
			 "ranks", c->ranks, "alpha_s", c->link.alpha_s, "beta_s_per_byte",
			 c->link.beta_s_per_byte, "regimes", regimes, "times", times, "why_not",
			 c->n_regimes ? json_null() : json_string(c->why_not.text));
}

/* Two pairs at once need two ranks on each of two nodes; all within one node is never so few. */
static json_t *why_no_rates(const struct contention_rates *r)
{
	return r->n ? json_null()
		    : json_string("one pair of ranks: two ranks on each of two nodes tell it");
}

json_t *calibrate_no_contention_json(const struct calibration *c)
{
	if (c->ranks < CONTENTION_RANKS_MIN)
		return json_sprintf("it takes %d ranks, these are %d", CONTENTION_RANKS_MIN,
				    c->ranks);
	return json_string("no time was given for it, --contention=SECONDS does");
}

json_t *calibrate_contention_json(const struct contention *c, int crowded)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:o}", "rates",
			 rates_json(&c->rates, crowded), "rates_why_not", why_no_rates(&c->rates),
			 "fan_in", fan_json(&c->in), "fan_out", fan_json(&c->out), "two_state",
			 stress_json(&c->stress), "signature", signature_json(c), "spent_s",
			 c->spent_s, "core_share", c->core_share, "why_unidentified",
			 calibrate_unidentified_contention_json(c, crowded));
}
