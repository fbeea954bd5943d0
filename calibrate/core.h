/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of a core this thread has had. Who measures never sleeps: he computes or looks for
 * messages, so what is missing others had, and what he measured took longer for it. Who sleeps all
 * the same, as some MPI does where ranks share cores, waits for a core when he is woken up.
 */
#ifndef CALIBRATE_CORE_H
#define CALIBRATE_CORE_H

struct core_use {
	double wall_s, cpu_s;
	double awaited_s; /* ready to run, while others had its core; below 0: not known */
	long slept; /* how often the thread gave up its core to wait, less how often it lost it */
};

/* So far: compare two of them. */
struct core_use core_used(void);

/*
 * The share of the time since then that it had a core or did not want one, 0 to 1. Where the kernel
 * does not tell how long it waited for one, nothing can be said of an MPI that sleeps: 1.
 */
double core_share(struct core_use then);

#endif
