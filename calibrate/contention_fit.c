/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/contention_fit.h"

#include <math.h>

/* A message is delayed when it takes so many times as long as one alone. */
#define DELAYED 1.5

void contention_fit_rates(struct contention_rates *r, double alpha)
{
	const struct contention_step *one = &r->step[0], *next = NULL, *before = one, *last = one;
	double first = one->rate.value, most = first;
	int i;

	for (i = 1; i < r->n; i++) {
		const struct contention_step *s = &r->step[i];

		if (!s->rate.n)
			continue;
		most = fmax(most, s->rate.value);
		next = next ? next : s;
		before = last;
		last = s;
	}
	r->tells_more = one->rate.n && next;
	r->fit = (struct max_rate){alpha, most, first, first};
	if (r->tells_more)
		r->fit.R_i = (next->rate.value - first) / (next->k - one->k);
	r->clamped = r->fit.R_i < 0;
	r->fit.R_i = fmax(0, r->fit.R_i);
	/* the last one that joined brought less than half of its own rate */
	r->saturates = r->tells_more &&
		       last->rate.value - before->rate.value < 0.5 * first * (last->k - before->k);
}

void contention_fit_fan(struct contention_fan *f)
{
	double k = 0, y = 0, kk = 0, ky = 0, rest = 0, off;
	int i;

	for (i = 0; i < f->n; i++) {
		k += f->step[i].k / (double)f->n;
		y += f->step[i].time_s.value / f->n;
	}
	for (i = 0; i < f->n; i++) {
		kk += (f->step[i].k - k) * (f->step[i].k - k);
		ky += (f->step[i].k - k) * (f->step[i].time_s.value - y);
	}
	f->slope_s = kk > 0 ? ky / kk : 0;
	for (i = 0; i < f->n; i++) {
		off = f->step[i].time_s.value - y - f->slope_s * (f->step[i].k - k);
		rest += off * off;
	}
	f->slope_se_s = f->n > 2 && kk > 0 ? sqrt(rest / (f->n - 2) / kk) : INFINITY;
}

void contention_split_gaps(const struct samples *each, struct hockney link,
			   struct contention_stress *out)
{
	double one = link.alpha_s + (double)out->bytes * link.beta_s_per_byte;
	double delayed_s = 0, free_s = 0;
	struct err err;
	size_t i, frees;

	out->messages = one > 0 ? each->n : 0; /* else nothing says what is delayed */
	for (i = 0; i < each->n; i++) {
		if (each->s[i] > DELAYED * one) {
			out->delayed++;
			delayed_s += each->s[i];
		} else {
			free_s += each->s[i];
		}
	}
	frees = each->n - out->delayed;
	out->gap.beta_F = (frees ? free_s / (double)frees : one) / (double)out->bytes;
	out->gap.beta_C = out->delayed ? delayed_s / (double)out->delayed / (double)out->bytes : 0;
	out->gap.rho = each->n ? (double)out->delayed / (double)each->n : 0;
	if (two_state_gap(out->gap, &out->beta, &err))
		out->messages = 0;
}
