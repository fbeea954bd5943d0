/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of run.json on recordings whose events end before the program: full.h. */
#ifndef INTERPOSE_RUNJSON_FULL_H
#define INTERPOSE_RUNJSON_FULL_H

#include <stdio.h>

#include "interpose/archive/archive.h"

/* "events_end": when and why, and what was counted from then on. Nothing if no rank's did. */
void run_json_put_full(FILE *f, const struct defs *d, size_t n,
		       const struct archive_location locations[n]);

#endif
