/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every message as a row of CSV (RFC 4180): the columns of message_columns.def, then the parts of
 * its time, which add up to completed_ns - sent_ns. communicator_id is the place in trace.comms.
 */
#ifndef ANALYZE_MESSAGE_TABLE_H
#define ANALYZE_MESSAGE_TABLE_H

#include <stdio.h>

#include "analyze/attribution/attribution.h"

/* Returns 0, or -1: out cannot be written (errno says why). */
int message_table_write(const struct trace *t, const struct messages *m,
			const struct attribution *a, FILE *out);

#endif
