/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What differs between two launches of the same job on an idle machine and cannot be seen in one:
 * the memory that the ranks and their MPI happen to get, and the cores' state then. New buffers,
 * new communicators and swapped cores within a launch do not show it: in 50 launches each of Open
 * MPI 4.1 and MPICH 4.0 within a virtual machine of two processors (AMD EPYC), whose cores were as
 * near in all that are compared, 95 % of the pairs of launches had round trips within 0.14 to 0.26
 * of each other (Open MPI, up to 64 KiB) and 0.25 to 0.48 (MPICH), and medians over such draws were
 * no closer than medians of one. So it is assumed, by class and size. Pure. Seconds, bytes.
 */
#ifndef CALIBRATE_LAUNCHES_H
#define CALIBRATE_LAUNCHES_H

#include "calibrate/calibration.h"

/*
 * Of what a wire takes, not much: packets of 1500 B that have to wait for their turn leave as much
 * later than they could as a timer is late, and that depends on the processors.
 */
#define LAUNCHES_WIRE 0.025

/* What is assumed of a size's values under an MPI, by its name as machine files have it. */
struct launches launches_assumed(const char *mpi, enum nearness near, uint64_t bytes);

/*
 * An estimate for whoever launches again: it reaches further by that share of what the processors
 * take of the value, at most all of it, and by LAUNCHES_WIRE of the rest, in quadrature. Who had a
 * core for a share of the time only may have measured what takes that share of it on an idle
 * machine.
 */
struct estimate launches_reach(struct estimate e, double share, double processors_s,
			       double core_share);

/* Of a round trip the processors' part is between nodes what an empty one takes; else all. */
double launches_processors_s(enum nearness near, struct estimate empty);

/* At last: all estimates of a direction. */
void launches_widen(struct calibrated_direction *d, const char *mpi, enum nearness near);

#endif
