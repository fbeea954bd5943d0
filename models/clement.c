/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/clement.h"

#include "models/domain.h"

int clement_time(struct clement c, double bytes, double *time, struct err *err)
{
	if (domain_not_negative("m", bytes, err) || domain_not_negative("l", c.l, err) ||
	    domain_positive("W", c.W, err) || domain_at_least("gamma", c.gamma, 1, err))
		return -1;
	*time = c.l + bytes * c.gamma / c.W;
	return 0;
}
