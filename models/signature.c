/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/signature.h"

#include "models/domain.h"
#include "models/total_exchange.h"

int signature_time(const struct signature *s, double n, double bytes, double *time, struct err *err)
{
	double lower;

	if (total_exchange_equal(s->link, n, bytes, &lower, err) ||
	    domain_positive("gamma", s->gamma, err) ||
	    domain_not_negative("delta", s->delta, err) || domain_not_negative("M", s->M, err))
		return -1;
	*time = lower * s->gamma + (bytes >= s->M ? (n - 1) * s->delta : 0);
	return 0;
}
