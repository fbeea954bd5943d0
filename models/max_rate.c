/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/max_rate.h"

#include "models/domain.h"

#include <math.h>

/* The least k with R_C + (k - 1) R_i >= R_N; 0 = none. */
static double saturating(struct max_rate m)
{
	if (m.R_C >= m.R_N)
		return 1;
	return m.R_i > 0 ? 1 + ceil((m.R_N - m.R_C) / m.R_i) : 0;
}

int max_rate_time(struct max_rate m, double k, double bytes, struct max_rate_result *out,
		  struct err *err)
{
	double rate;

	if (domain_not_negative("m", bytes, err) || domain_not_negative("alpha", m.alpha, err) ||
	    domain_whole("k", k, 1, err) || domain_positive("R_N", m.R_N, err) ||
	    domain_positive("R_C", m.R_C, err) || domain_not_negative("R_i", m.R_i, err))
		return -1;
	rate = fmin(m.R_N, m.R_C + (k - 1) * m.R_i);
	*out = (struct max_rate_result){m.alpha + k * bytes / rate, rate, saturating(m)};
	return 0;
}
