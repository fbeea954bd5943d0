/* SPDX-License-Identifier: BSD-3-Clause */
/* Is there room on the disk for the trace of a run? OTF2 does not survive a disk that fills. */
#ifndef INTERPOSE_ROOM_H
#define INTERPOSE_ROOM_H

#include "common/err.h"

/* Returns 0 when dir's logs will fit as a trace beside them, or -1 with *err set. */
int room_check(const char *dir, struct err *err);

#endif
