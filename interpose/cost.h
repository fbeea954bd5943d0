/* SPDX-License-Identifier: BSD-3-Clause */
/* What the recorder adds to one call, measured on this machine in this process. */
#ifndef INTERPOSE_COST_H
#define INTERPOSE_COST_H

struct cost {
	double call_ns;    /* a call: its call site found, its record filled */
	double request_ns; /* a request: put into the table, taken out, a record of its end */
};

/*
 * Zeroes when it could not be measured. What chunks of the log take is not in it: that is
 * timed as it happens (log_header.writing_ticks). Takes well under a millisecond.
 */
struct cost cost_measure(void);

#endif
