/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/ports.h"

#include "models/domain.h"
#include "models/total_exchange.h"

#include <math.h>

int ports_bound(struct ports p, size_t n, const double w[], struct ports_bounds *out,
		struct err *err)
{
	struct total_exchange duplex;
	struct ports_bounds b = {0};

	if (domain_not_negative("node_rate", p.node_rate, err) ||
	    total_exchange_bounds(p.link, n, w, &duplex, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		double messages = 0, bytes = 0;

		for (size_t j = 0; j < n; j++) {
			double sent = j == i ? 0 : w[i * n + j];
			double got = j == i ? 0 : w[j * n + i];

			messages += (sent > 0) + (got > 0);
			bytes += sent + got;
			if (sent > 0)
				b.multi_port = fmax(b.multi_port,
						    p.link.alpha_s + sent * p.link.beta_s_per_byte);
		}
		b.single_port = fmax(b.single_port,
				     messages * p.link.alpha_s + bytes * p.link.beta_s_per_byte);
		if (p.node_rate > 0)
			b.bounded = fmax(b.bounded, bytes / p.node_rate);
	}
	b.bounded = fmax(b.bounded, b.multi_port);
	b.full_duplex = duplex.port;
	*out = b;
	return 0;
}
