/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of a core this thread has had. Who measures never sleeps: he computes or looks for
 * messages, so what is missing others had, and what he measured took longer for it.
 */
#ifndef CALIBRATE_CORE_H
#define CALIBRATE_CORE_H

struct core_use {
	double wall_s, cpu_s;
	long slept; /* times that the thread gave up its core to wait, less those it was taken off */
};

/* So far: compare two of them. */
struct core_use core_used(void);

/*
 * The share of the time since then that it had a core, 0 to 1. Of an MPI that sleeps while it waits
 * nothing can be said: 1.
 */
double core_share(struct core_use then);

#endif
