/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the machine does when nobody is in the way: pLogP parameters per locality
 * class, from a machine file or, without one, from the trace's own lower envelope
 * (then confidence is low and the conditions say so).
 */
#ifndef ANALYZE_MACHINE_H
#define ANALYZE_MACHINE_H

#include "analyze/messages.h"

enum locality { LOCALITY_NODE, LOCALITY_NETWORK, LOCALITY_COUNT };

/* One size of the piecewise linear tables; seconds. Kielmann et al. 2000, section 2. */
struct machine_point {
	double bytes;
	double o_s_s;   /* send overhead */
	double o_r_s;   /* receive overhead */
	double g_s;     /* gap: shortest time between messages of this size through one port */
};

struct machine_class {
	double L_s;                    /* end-to-end latency: a message arrives L + g(m) after its send */
	uint32_t n;                    /* points, ascending bytes; 0 = class not known */
	struct machine_point *points;
	double uncertainty;            /* relative half-width of the 95 % interval, 0.1 = 10 % */
	uint64_t eager_bytes;          /* largest size that is sent without waiting for the receiver (T2) */
	uint32_t samples;              /* messages or measurements behind it */
};

enum machine_source { MACHINE_FILE, MACHINE_SELF_CALIBRATED };

struct machine {
	enum machine_source source;
	char *name;                    /* of the file, or NULL */
	struct machine_class classes[LOCALITY_COUNT];
};

/* Load and check a machine file ("contend-machine/1"). Caller frees with machine_release. */
int machine_load(const char *path, struct machine *out, struct err *err);

/* Estimate from the trace's own fastest messages. Caller frees with machine_release. */
int machine_from_trace(const struct trace *t, const struct messages *m, struct machine *out,
		       struct err *err);

void machine_release(struct machine *m);

#endif
