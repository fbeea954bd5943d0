/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When in the run a part of ranks' time was. */
#ifndef REPORT_MOMENTS_H
#define REPORT_MOMENTS_H

#include <jansson.h>
#include <stddef.h>

/*
 * "half of the message handlers is between 3.10 s and 4.20 s of the run", where that is a small
 * part of what lies between MPI's start and end, of the largest part of communication. Into text,
 * which is returned; "": it is spread over the run, or there is next to none.
 */
const char *moments_of_largest(const json_t *document, size_t size, char text[size]);

#endif
