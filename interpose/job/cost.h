/* SPDX-License-Identifier: BSD-3-Clause */
/* What the recorder adds to one call, measured on this machine in this process. */
#ifndef INTERPOSE_COST_H
#define INTERPOSE_COST_H

#include "interpose/log/log_format.h"

/*
 * Into cost_ns, request_ns and poll_ns, which stay when it cannot be measured: what a call, a
 * followed request and a poll in a flood take beside what they do without the recorder. What chunks
 * of the log and new call sites take is not in it: that is timed as it happens (writing_ticks,
 * unwinding_ticks). Takes well under a millisecond.
 */
void cost_note(struct log_header *h);

#endif
