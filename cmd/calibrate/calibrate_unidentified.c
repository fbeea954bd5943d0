/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate/calibrate_unidentified.h"

#include "calibrate/derived.h"
#include "common/machine_schema.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>

/* Room for a name, and for a range in one: "gamma(64.0 KiB to 1.00 MiB)". */
enum { NAME = 96 };

/* of: what it was calculated from. */
static void add_estimate(json_t *why, const char *name, struct estimate e, const char *of)
{
	const struct number value = number_seconds(e.value), low = number_seconds(e.low);
	const struct number high = number_seconds(e.high);

	if (estimate_is_identified(e))
		return;
	if (!e.n)
		json_object_set_new(why, name, json_string("there was no time to measure it"));
	else if (e.value <= 0)
		json_object_set_new(why, name,
				    json_sprintf("%s is %s [%s to %s], and no time is below 0", of,
						 value.text, low.text, high.text));
	else
		json_object_set_new(why, name,
				    json_sprintf("%s is %s, but its interval reaches 0 [%s to %s]",
						 of, value.text, low.text, high.text));
}

static void add_size(json_t *why, const char *what, uint64_t bytes, struct estimate e,
		     const char *of)
{
	char name[NAME];

	snprintf(name, sizeof(name), "%s(%llu)", what, (unsigned long long)bytes);
	add_estimate(why, name, e, of);
}

/* What a byte takes is the largest size's gap. */
static void add_per_byte(json_t *why, const struct calibrated_direction *d)
{
	static const char *const names[] = {"G", "beta"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (derived_has_bytes(d))
			add_estimate(why, names[i], d->size[d->n - 1].g,
				     "g(m) of the largest size");
		else
			json_object_set_new(why, names[i],
					    json_string("no size above 0 B was measured"));
}

/* No number says how many complete where that depends on when one looks. */
static void add_credits(json_t *why, const struct credit credit[], int busy)
{
	size_t bad = credit_disorder(credit, CREDIT_SIZES), i;
	char name[NAME];

	for (i = 0; i < CREDIT_SIZES; i++) {
		const struct credit *c = &credit[i];

		snprintf(name, sizeof(name), "K(%zu)", c->bytes);
		if (credit_says(c, busy) == CREDIT_VARIES)
			json_object_set_new(
				why, name,
				json_sprintf("no fixed depth: %d to %s%d messages completed, in "
					     "%d looks",
					     c->least, c->capped ? "at least " : "", c->most,
					     c->looks));
		else if (i == bad && !busy)
			json_object_set_new(why, name,
					    json_sprintf("at most %d messages completed, but more "
							 "of a larger size",
							 c->most));
	}
}

json_t *calibrate_unidentified_json(const struct calibrated_direction *d)
{
	json_t *why = json_object();
	uint32_t i;

	add_estimate(why, "L", d->L, "RTT(0)/2 - g(0)");
	for (i = 0; i < d->n; i++) {
		const struct calibrated_size *z = &d->size[i];

		add_size(why, "o_s", z->bytes, z->o_s, "a send call less the clock's own time");
		add_size(why, "o_r", z->bytes, z->o_r, "a receive call less the clock's own time");
		add_size(why, "o_r_expected", z->bytes, z->expected,
			 "a wait for what is there less the clock's own time");
		add_size(why, "g", z->bytes, z->g,
			 z->bytes ? "RTT(m) - RTT(0) + g(0)" : "a flood's time for each");
		add_size(why, "L_g", z->bytes, derived_latency_and_gap(d, i), "RTT(m) - RTT(0)/2");
	}
	if (d->n) {
		add_estimate(why, "LogGP L", derived_loggp_latency(d),
			     "L + g(1) - o_s(1) - o_r(1)");
		add_estimate(why, "LogGP o", derived_loggp_overhead(d), "(o_s(1) + o_r(1)) / 2");
		add_estimate(why, "LogGP g", derived_loggp_gap(d), "g(1)");
		add_per_byte(why, d);
		add_estimate(why, "alpha", d->size[0].rtt, "RTT(0), which is twice as much,");
	}
	add_credits(why, d->thresholds.credit, d->core_share < MACHINE_CORE_ENOUGH);
	return why;
}

static void add(json_t *why, const char *name, int is_unknown, const char *text)
{
	if (is_unknown)
		json_object_set_new(why, name, json_string(text));
}

static void add_rates(json_t *why, const struct contention_rates *r, int crowded)
{
	if (!r->n) /* "rates_why_not" says why */
		return;
	add(why, "R_C", !estimate_is_identified(r->step[0].rate),
	    "one pair's time cannot be told from 0");
	add(why, "R_i", !r->tells_more, "it takes the rates of one pair and of more");
	add(why, "R_i", r->clamped, "a second pair brought less than nothing, it is set to 0");
	add(why, "R_N", crowded || !r->saturates,
	    crowded ? "ranks wait for cores, of which there are fewer"
		    : "no limit was reached, it is the most that was seen");
}

static void add_fan(json_t *why, const char *name, const struct contention_fan *f)
{
	if (f->slope_s > 2 * f->slope_se_s)
		return;
	if (isinf(f->slope_se_s)) {
		json_object_set_new(why, name,
				    json_sprintf("%d step%s: on a line whatever was measured, so "
						 "there is no standard error",
						 f->n, f->n == 1 ? "" : "s"));
		return;
	}
	json_object_set_new(why, name,
			    json_sprintf("one more takes %s more +- %s: not told from 0",
					 number_seconds(f->slope_s).text,
					 number_seconds(2 * f->slope_se_s).text));
}

static void add_two_state(json_t *why, const struct contention_stress *s)
{
	add(why, "two-state gap", !s->messages,
	    "no message was measured, or not what one alone takes");
	if (!s->messages)
		return;
	add(why, "beta_C", !s->delayed, "no message was delayed");
	add(why, "beta_F", s->delayed == s->messages,
	    "all messages were delayed, it is that of a message alone");
}

static void add_regime(json_t *why, const struct signature_regime *r)
{
	const struct signature_fit *f = &r->fit;
	char range[NAME], name[2 * NAME];

	snprintf(range, sizeof(range), "%s to %s", number_bytes((double)r->from_bytes).text,
		 number_bytes((double)r->to_bytes).text);
	snprintf(name, sizeof(name), "gamma(%s)", range);
	add(why, name, !(f->signature.gamma > f->half_gamma), "its interval reaches 0");
	snprintf(name, sizeof(name), "delta(%s)", range);
	add(why, name, f->delta_clamped,
	    "the best one is below 0, it is set to 0 and gamma fitted alone");
	add(why, name, !f->delta_clamped && !(f->signature.delta > f->half_delta),
	    "its interval reaches 0");
	snprintf(name, sizeof(name), "M(%s)", range);
	add(why, name, !(f->signature.delta > 0), "there is no delta that is paid from it on");
	if (!(f->signature.delta > 0) || !isinf(f->se_M))
		return;
	json_object_set_new(
		why, name,
		f->M_above > 0
			? json_sprintf(
				  "its interval reaches the smallest size, so it is at most %s",
				  number_bytes(f->M_high).text)
			: json_sprintf(
				  "delta is paid from the smallest size on, so it is at most %s",
				  number_bytes(f->M_high).text));
}

json_t *calibrate_unidentified_contention_json(const struct contention *c, int crowded)
{
	int is_measured = c->link.alpha_s > 0 || c->link.beta_s_per_byte > 0, i;
	const char *no_link = is_measured ? "of one message alone it is below 0, set to 0"
					  : "there was no time to measure one message alone";
	json_t *why = json_object();

	add_rates(why, &c->rates, crowded);
	add_fan(why, "fan-in", &c->in);
	add_fan(why, "fan-out", &c->out);
	add_two_state(why, &c->stress);
	add(why, "alpha", c->link.alpha_s <= 0, no_link);
	add(why, "beta", c->link.beta_s_per_byte <= 0, no_link);
	for (i = 0; i < c->n_regimes; i++)
		add_regime(why, &c->regime[i]);
	return why;
}
