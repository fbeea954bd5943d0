/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs that ended before the program was done, as a document tells: their wall time is not that of
 * the work.
 */
#ifndef REPORT_CUT_SHORT_H
#define REPORT_CUT_SHORT_H

#include <jansson.h>
#include <stddef.h>

/* Did a rank end without MPI_Finalize? Of a trace whose end is not known: no. */
int cut_short(const json_t *document);

/* Into text: by what, as "was ended by SIGSEGV (rank 1)"; "" when it was not. */
void cut_short_text(const json_t *document, size_t n, char text[n]);

#endif
