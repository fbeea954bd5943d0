/* SPDX-License-Identifier: BSD-3-Clause */
/* What the recorder adds to one call, measured on this machine in this process. */
#ifndef INTERPOSE_COST_H
#define INTERPOSE_COST_H

#include "interpose/log_format.h"

/*
 * Into cost_ns and request_ns, which stay when it cannot be measured. What chunks of the log
 * take is not in it: that is timed as it happens (writing_ticks). Takes well under a millisecond.
 */
void cost_note(struct log_header *h);

#endif
