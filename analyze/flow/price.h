/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a message costs on the idle machine, by the parameters as each scenario has them. For
 * attribution*.c only.
 */
#ifndef ANALYZE_PRICE_H
#define ANALYZE_PRICE_H

#include "analyze/machine/machine.h"

enum scenario {
	SCENARIO_MID,
	SCENARIO_LOW,        /* the parameters as small as they can be; what is joint, in L */
	SCENARIO_HIGH,       /* as large; what is joint, in g */
	SCENARIO_HANDLERS,   /* what may be o_r is all o_r, and what is joint is no port's */
	SCENARIO_CROWDS,     /* what was never seen alone takes no time alone, or its share */
	SCENARIO_PROGRESS,   /* large ones move while ends compute, if nothing tells; joint: in L */
	SCENARIO_EAGER,      /* what may leave without its receiver does */
	SCENARIO_RENDEZVOUS, /* and what may wait for it does */
	SCENARIO_COUNT
};

/* What one message costs on the idle machine, ns. */
struct price {
	int64_t o_s_ns;
	int64_t o_r_ns;
	int64_t g_ns;
	int64_t L_ns;
	int64_t empty_ns;     /* L of a message of no bytes */
	int64_t handshake_ns; /* one way, of a rendezvous */
	int64_t wire_ns;  /* L + g - o_s - o_r: from the end of the send overhead to being there */
	int64_t slack_ns; /* what the parameters' uncertainty makes of L + g */
	int64_t doubt_ns; /* so much of what it waits on its way may be the idle machine's too */
	int known;        /* 0: the machine's class is not known, all else is 0 */
	int joint;        /* L and g are known as a sum only */
};

/*
 * Of so many bytes. Where L and g are known as a sum only, the default has as much as can be in g
 * and the low scenario all of it in L: what the ports add is then nothing.
 */
struct price price_at(const struct machine_class *c, enum scenario scenario, uint64_t bytes);

#endif
