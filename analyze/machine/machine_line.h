/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes that were never seen alone beside the lines through others, their neighbours first and then
 * those that were: a message of m bytes takes a + G m (LogGP, Alexandrov et al. 1995). For
 * machine_known.c only.
 */
#ifndef ANALYZE_MACHINE_LINE_H
#define ANALYZE_MACHINE_LINE_H

#include "analyze/machine/machine_known.h"

/*
 * Of each size that was never seen alone: sets line_s if it took more than others, with as many
 * legs and near enough, say that it would alone; or alone, if it took what those say.
 */
void line_find(struct known known[SAMPLE_BINS]);

#endif
