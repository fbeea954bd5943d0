/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/derived.h"

#include <math.h>

/* A change of protocol may save some time; no protocol is so much worse for smaller messages. */
#define DISORDER_TIMES 3

/* LogP's and LogGP's size is a byte, or the only one there is. */
static uint32_t one_of(const struct calibrated_direction *d)
{
	return d->n > 1;
}

struct derived_models derived_models(const struct calibrated_direction *d)
{
	const struct calibrated_size *one = &d->size[one_of(d)], *last = &d->size[d->n - 1];
	double G = last->bytes ? last->g.value / (double)last->bytes : 0;

	return (struct derived_models){
		.L_s = d->L.value + one->g.value - one->o_s.value - one->o_r.value,
		.o_s = (one->o_s.value + one->o_r.value) / 2,
		.g_s = one->g.value,
		.G_s_per_byte = G,
		.alpha_s = d->size[0].rtt.value / 2,
		.beta_s_per_byte = G,
	};
}

struct estimate derived_latency_and_gap(const struct calibrated_direction *d, uint32_t i)
{
	struct estimate half = estimate_times(0.5, d->size[0].rtt);

	return i ? estimate_difference(d->size[i].rtt, half) : half;
}

/* From L + g, which a round trip tells better than either. */
struct estimate derived_loggp_latency(const struct calibrated_direction *d)
{
	const struct calibrated_size *one = &d->size[one_of(d)];

	return estimate_difference(derived_latency_and_gap(d, one_of(d)),
				   estimate_sum(one->o_s, one->o_r));
}

struct estimate derived_loggp_overhead(const struct calibrated_direction *d)
{
	const struct calibrated_size *one = &d->size[one_of(d)];

	return estimate_times(0.5, estimate_sum(one->o_s, one->o_r));
}

struct estimate derived_loggp_gap(const struct calibrated_direction *d)
{
	return d->size[one_of(d)].g;
}

int derived_has_bytes(const struct calibrated_direction *d)
{
	return d->n > 0 && d->size[d->n - 1].bytes > 0;
}

double derived_uncertainty(const struct calibrated_direction *d)
{
	double worst = 0;
	uint32_t i, told = 0;

	for (i = 0; i < d->n; i++) {
		const struct calibrated_size *z = &d->size[i];

		if (!estimate_is_identified(z->g))
			continue;
		worst = fmax(worst, estimate_half_width(z->g));
		told += z->bytes > 0;
	}
	return told ? fmin(1, worst) : 1;
}

struct derived_disorder derived_disorder(const struct calibrated_direction *d)
{
	struct derived_disorder worst = {0};
	const struct calibrated_size *least = NULL;
	double most = DISORDER_TIMES, times;
	uint32_t i;

	for (i = d->n; i-- > 0;) { /* least: the fastest of the larger ones */
		const struct calibrated_size *z = &d->size[i];

		if (!estimate_is_identified(z->g))
			continue;
		times = least ? z->g.value / least->g.value : 0;
		if (times > most && estimates_differ(z->g, least->g)) {
			most = times;
			worst = (struct derived_disorder){z->bytes, least->bytes, z->g.value,
							  least->g.value};
		}
		if (!least || z->g.value < least->g.value)
			least = z;
	}
	return worst;
}

struct derived_asymmetry derived_asymmetry(const struct calibrated_class *c)
{
	const struct calibrated_direction *a = &c->way[0], *b = &c->way[1];
	struct derived_asymmetry worst = {0};
	double far = -1, ratio, at;
	uint32_t i = 0, k = 0;
	int beyond;

	while (i < a->n && k < b->n) {
		const struct calibrated_size *x = &a->size[i], *y = &b->size[k];

		i += x->bytes <= y->bytes;
		k += y->bytes <= x->bytes;
		if (x->bytes != y->bytes || !estimate_is_identified(x->g) ||
		    !estimate_is_identified(y->g))
			continue;
		ratio = y->g.value / x->g.value;
		beyond = estimates_differ(x->g, y->g);
		at = fabs(log(ratio)) + (beyond ? 1e3 : 0); /* what noise explains comes last */
		if (at <= far)
			continue;
		far = at;
		worst = (struct derived_asymmetry){x->bytes, ratio, beyond};
	}
	return worst;
}
