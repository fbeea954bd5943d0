/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contention signature of a network (Steffenel 2006, section 7): an all-to-all of n processes
 * takes gamma times its lower bound and, from a size M on, delta more for each of the n - 1
 * simultaneous communications:
 *	T = (n - 1) (alpha + m beta) gamma               m < M
 *	T = (n - 1) ((alpha + m beta) gamma + delta)     m >= M
 * The report prints the parenthesis of the second line so that delta is outside the product;
 * its text says that delta is paid by each communication, which is what stands here.
 * The model holds where n processes saturate the network, and says nothing below.
 * Pure; bytes and any one unit of time.
 */
#ifndef MODELS_SIGNATURE_H
#define MODELS_SIGNATURE_H

#include "common/err.h"
#include "models/hockney.h"

struct signature {
	struct hockney link; /* alpha and beta of one message alone */
	double gamma;        /* contention ratio, above 0 */
	double delta;        /* start-up cost of each communication of m >= M, time */
	double M;            /* bytes */
};

/*
 * The time of an all-to-all of n processes, m bytes to each other one. Returns 0, or -1 with
 * *err set and *time untouched: n < 2, a parameter negative or no number.
 */
int signature_time(const struct signature *s, double n, double bytes, double *time,
		   struct err *err);

#endif
