/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/plogp.h"

#include "models/domain.h"

#include <assert.h>
#include <math.h>

/* a + (b - a) * at, each parameter; never negative, so that extrapolation cannot be either. */
static struct plogp_point mix(const struct plogp_point *a, const struct plogp_point *b, double at)
{
	struct plogp_point x = {
		.bytes = a->bytes + (b->bytes - a->bytes) * at,
		.o_s_s = fmax(0, a->o_s_s + (b->o_s_s - a->o_s_s) * at),
		.o_r_s = fmax(0, a->o_r_s + (b->o_r_s - a->o_r_s) * at),
		.g_s = fmax(0, a->g_s + (b->g_s - a->g_s) * at),
	};

	return x;
}

int plogp_check(struct plogp p, struct err *err)
{
	if (p.n < 1)
		return err_set(err, "a pLogP table needs at least one size");
	if (domain_not_negative("L", p.L_s, err))
		return -1;
	for (size_t i = 0; i < p.n; i++) {
		const struct plogp_point *x = &p.points[i];
		const struct domain_value values[] = {{"the size", x->bytes},
						      {"o_s", x->o_s_s},
						      {"o_r", x->o_r_s},
						      {"g", x->g_s}};

		if (domain_all_not_negative(4, values, err))
			return -1;
		if (i > 0 && x->bytes <= x[-1].bytes)
			return err_set(err, "size %g of the table is not above the one before",
				       x->bytes);
	}
	return 0;
}

int plogp_check_size(double bytes, struct err *err)
{
	return domain_not_negative("m", bytes, err);
}

struct plogp_point plogp_at(struct plogp p, double bytes)
{
	const struct plogp_point *first = p.points, *last = p.points + p.n - 1;
	struct plogp_point x;
	size_t low = 0, high = p.n - 1;

	assert(p.n >= 1);
	if (bytes <= first->bytes || p.n == 1) {
		x = *first;
		x.bytes = bytes;
		if (bytes > first->bytes && first->bytes > 0)
			x.g_s *= bytes / first->bytes;
		return x;
	}
	if (bytes >= last->bytes) {
		double at = (bytes - last[-1].bytes) / (last->bytes - last[-1].bytes);

		x = mix(last - 1, last, at);
		x.g_s = fmax(x.g_s, last->g_s); /* more bytes never pass faster */
		return x;
	}
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (p.points[mid].bytes <= bytes)
			low = mid;
		else
			high = mid;
	}
	return mix(&p.points[low], &p.points[high],
		   (bytes - p.points[low].bytes) / (p.points[high].bytes - p.points[low].bytes));
}

double plogp_time(struct plogp p, double bytes)
{
	return p.L_s + plogp_at(p, bytes).g_s;
}

double plogp_burst_time(struct plogp p, size_t n, const double bytes[n])
{
	double sum_s = 0;

	for (size_t i = 0; i < n; i++)
		sum_s += plogp_at(p, bytes[i]).g_s;
	return p.L_s + sum_s;
}

struct loggp plogp_to_loggp(struct plogp p)
{
	struct plogp_point one = plogp_at(p, 1);
	const struct plogp_point *last = p.points + p.n - 1;
	struct loggp m = {
		.o_s = (one.o_s_s + one.o_r_s) / 2,
		.L_s = fmax(0, p.L_s + one.g_s - one.o_s_s - one.o_r_s),
		.g_s = one.g_s,
		.G_s_per_byte = last->bytes > 0 ? last->g_s / last->bytes : 0,
	};

	return m;
}
