/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Labarta's buses (Labarta et al., Euro-Par 1996): of the messages that are ready only as many
 * travel at once as there are buses; the others follow in waves.
 * Pure; bytes and any one unit of time.
 */
#ifndef MODELS_BUSES_H
#define MODELS_BUSES_H

#include "common/err.h"
#include "models/hockney.h"

struct buses {
	struct hockney link;
	double messages; /* ready at the same time, a whole number */
	double buses;    /* a whole number of at least 1 */
};

struct buses_result {
	double waves;  /* ceil(messages / buses) */
	double time_s; /* waves (alpha + m beta) */
};

/* Returns 0, or -1 with *err set and *out untouched. */
int buses_time(struct buses b, double bytes, struct buses_result *out, struct err *err);

#endif
