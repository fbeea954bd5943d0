/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/buses.h"

#include "models/domain.h"

#include <math.h>

int buses_time(struct buses b, double bytes, struct buses_result *out, struct err *err)
{
	double one, waves;

	if (domain_whole("messages", b.messages, 0, err) ||
	    domain_whole("buses", b.buses, 1, err) ||
	    hockney_time(b.link, HOCKNEY_AFFINE, bytes, &one, err))
		return -1;
	waves = ceil(b.messages / b.buses);
	*out = (struct buses_result){waves, waves * one};
	return 0;
}
