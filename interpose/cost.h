/* SPDX-License-Identifier: BSD-3-Clause */
/* What the recorder adds to one call, measured on this machine in this process. */
#ifndef INTERPOSE_COST_H
#define INTERPOSE_COST_H

/* ns per call, or 0 when it could not be measured. Takes well under a millisecond. */
double cost_measure(void);

#endif
