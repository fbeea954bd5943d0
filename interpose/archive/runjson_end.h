/* SPDX-License-Identifier: BSD-3-Clause */
/* How the job ended and what the ranks did that did not finalize: a part of run.json. */
#ifndef INTERPOSE_RUNJSON_END_H
#define INTERPOSE_RUNJSON_END_H

#include <stdio.h>

#include "interpose/archive/archive.h"

/* first_ns: where the run's time begins. */
void run_json_put_end(FILE *f, const struct defs *d, size_t n,
		      const struct archive_location locations[n], int64_t first_ns);

#endif
