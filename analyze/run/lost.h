/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of a job that did not finish its trace and that were cut, changed or gone: what run.json
 * says of them.
 */
#ifndef ANALYZE_LOST_H
#define ANALYZE_LOST_H

#include <stddef.h>

#include "analyze/run/run.h"

/* The files that something is lost of, for r that may be NULL. */
size_t lost_files(const struct run *r);

/*
 * One sentence, the first few files named: what is wrong with each, and until when it is used.
 * Empty when nothing is lost.
 */
void lost_text(const struct run *r, size_t n, char text[n]);

#endif
