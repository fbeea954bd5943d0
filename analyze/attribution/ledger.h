/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rank view under one scenario: what each MPI call was spent on. For attribution*.c only.
 */
#ifndef ANALYZE_LEDGER_H
#define ANALYZE_LEDGER_H

#include "analyze/attribution/onesided.h"
#include "analyze/attribution/walk.h"
#include "analyze/flow/gathering.h"

#define LEDGER_OVERHEAD_NS 2000 /* of a call that need not have waited for anything */

/* What message i's call spends as its receiver, or as its sender: adds to t, exactly the call. */
void ledger_receive(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		    struct tally *t);
void ledger_send(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		 struct tally *t);

/* A call that no message released. */
void ledger_other(const struct scene *s, const struct gathering *g, const struct onesided *o,
		  uint32_t call, struct tally *t);

#endif
