/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are not whole: logs of a job that did not finish its trace and that were cut, changed
 * or gone, as run.json says; and what the archive itself lacks.
 */
#ifndef ANALYZE_LOST_H
#define ANALYZE_LOST_H

#include <stddef.h>

#include "analyze/run/run.h"
#include "analyze/trace.h"

/* The files that something is lost of. Each of r and t may be NULL. */
size_t lost_files(const struct run *r, const struct trace *t);

/* The ranks that the archive lacks files of. */
uint32_t lost_ranks(const struct trace *t);

/*
 * One sentence, the first few files named: what is wrong with each, and until when it is used.
 * Empty when nothing is lost.
 */
void lost_text(const struct run *r, const struct trace *t, size_t n, char text[n]);

#endif
