/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For how long the hosts' ports to the network can have been busy with what the trace knows to have
 * been under way: an upper bound, from the most that each transfer can take of a port, with
 * collectives by the algorithm that moves most. What others sent through the ports is not in it.
 */
#ifndef ANALYZE_OCCUPIED_H
#define ANALYZE_OCCUPIED_H

#include "analyze/machine/message_sizes.h"

enum occupied_side { OCCUPIED_OUT, OCCUPIED_IN, OCCUPIED_SIDES };

struct occupied {
	uint32_t bins;
	int64_t bin_ns;
	/*
	 * Of each host, side and bin: what began up to it, what was over with it, ns of the port.
	 * Real numbers, as a damaged archive's bytes have no bounds.
	 */
	double *begun_ns, *over_ns;
};

/* Returns 0, or -1 with *err set (out of memory). Caller: occupied_release. */
int occupied_find(struct occupied *o, const struct trace *t, const struct messages *m,
		  const struct sizes *sizes, const struct machine *machine, struct err *err);
void occupied_release(struct occupied *o);

/* Of that port in that time; it may be more than all of it. */
double occupied_ns(const struct occupied *o, uint32_t home, enum occupied_side side,
		   int64_t from_ns, int64_t to_ns);

#endif
