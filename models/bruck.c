/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/bruck.h"

#include "models/domain.h"

int bruck_time(struct bruck b, double bytes, double *time, struct err *err)
{
	double one;

	if (domain_whole("rounds", b.rounds, 0, err) ||
	    domain_at_least("slowdown", b.slowdown, 1, err) ||
	    hockney_time(b.link, HOCKNEY_AFFINE, bytes, &one, err))
		return -1;
	*time = b.slowdown * b.rounds * one;
	return 0;
}
