/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock of the records. The time stamp counter where the kernel itself trusts
 * it (current_clocksource is tsc: constant, synchronous over cores), else
 * CLOCK_MONOTONIC in ns. Both are common to all processes of a node. Threads: any.
 */
#ifndef INTERPOSE_TICKS_H
#define INTERPOSE_TICKS_H

#include <stdint.h>
#include <time.h>

#include "interpose/job/simulated.h"
#include "interpose/log/log_format.h"

/*
 * Set once by ticks_init. Hidden, as -fvisibility says of definitions only: no table of addresses.
 */
extern int ticks_are_cycles __attribute__((visibility("hidden")));

void ticks_init(void);

/* A pair of readings taken together; the tick lies within some 50 ns of the time. */
struct log_anchor ticks_anchor(void);

static inline int64_t ticks_clock_ns(clockid_t clock)
{
	struct timespec ts;

	if (SIMULATED && clock != CLOCK_REALTIME)
		return simulated_ns();
	clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Only where ticks_are_cycles. */
static inline uint64_t ticks_cycles(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

static inline uint64_t ticks_now(void)
{
	return __builtin_expect(ticks_are_cycles, 1) ? ticks_cycles()
						     : (uint64_t)ticks_clock_ns(CLOCK_MONOTONIC);
}

/* About so many ms as ticks, at some 2.5 GHz: for what is due now and then. */
static inline uint64_t ticks_about_ms(uint64_t ms)
{
	return ms * (ticks_are_cycles ? 2500000 : 1000000);
}

/* ticks -> CLOCK_MONOTONIC ns by the line through the log's first anchor and its last. */
struct ticks_scale {
	uint64_t tick0;
	int64_t ns0;
	double ns_per_tick;
};

struct ticks_scale ticks_scale_of(const struct log_header *h);

static inline int64_t ticks_to_ns(const struct ticks_scale *s, uint64_t tick)
{
	return s->ns0 + (int64_t)((double)(int64_t)(tick - s->tick0) * s->ns_per_tick);
}

#endif
