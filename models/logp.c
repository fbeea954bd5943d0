/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/logp.h"

#include "models/domain.h"

#include <math.h>

int logp_message(struct logp p, double bytes, struct logp_message *out, struct err *err)
{
	const struct domain_value values[] = {
		{"m", bytes}, {"L", p.L_s}, {"o", p.o_s}, {"g", p.g_s}};
	double each = fmax(p.o_s, p.g_s);
	double packets;

	if (domain_all_not_negative(4, values, err) || domain_positive("w", p.w, err) ||
	    domain_whole("P", p.P, 2, err))
		return -1;
	packets = fmax(1, ceil(bytes / p.w));
	*out = (struct logp_message){
		.packets = packets,
		.time_s = 2 * p.o_s + p.L_s + packets * each,
		.occupied_s = p.o_s + (packets - 1) * each,
	};
	return 0;
}
