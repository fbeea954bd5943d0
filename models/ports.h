/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long an exchange takes at least, by what a process can do at a time (Legrand's lecture on
 * communication models, 2008): talk with anybody at once (multi-port), the same with a bound
 * on the sum of its rates (bounded multi-port), talk with one other only (pure single-port),
 * or send to one and receive from one (full-duplex single-port).
 * Pure: no I/O, no allocation, no globals; safe from any thread. Bytes, any one unit of time.
 */
#ifndef MODELS_PORTS_H
#define MODELS_PORTS_H

#include <stddef.h>

#include "common/err.h"
#include "models/hockney.h"

struct ports {
	struct hockney link; /* one message */
	double node_rate;    /* bounded multi-port: bytes/time, in and out together; 0 = no bound */
};

struct ports_bounds {
	double multi_port;  /* max alpha + w_ij beta */
	double bounded;     /* and max over processes of (bytes in + bytes out) / node_rate */
	double single_port; /* max over processes of its messages' times, in and out */
	double full_duplex; /* max over processes of those out, and of those in */
};

/*
 * The bounds for weights w[i n + j], bytes from i to j; 0 is no message, and so is what a process
 * sends itself. Returns 0, or -1 with *err set and *out untouched: n < 2, a value that is
 * negative or no number.
 */
int ports_bound(struct ports p, size_t n, const double w[], struct ports_bounds *out,
		struct err *err);

#endif
