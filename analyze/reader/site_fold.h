/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths that end on the same line of the program, in the same MPI function, are one
 * call site: a library that communicates for its callers is reached on thousands of paths,
 * and what is done there is one thing.
 */
#ifndef ANALYZE_SITE_FOLD_H
#define ANALYZE_SITE_FOLD_H

#include "analyze/trace.h"

/*
 * After sites_resolve(): make one site of all of t's that have the same MPI function and the
 * same line, without a line the same function and address, and number t->sites and its calls'
 * anew, in the order in which they first appeared; each keeps the path on which most time was
 * spent. Returns 0, or -1 with *err set (out of memory) and t as it was.
 */
int sites_fold(struct trace *t, struct err *err);

#endif
