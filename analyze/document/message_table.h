/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every message as a row of CSV (RFC 4180): who, what, when, from and to which places of the
 * program, and the parts of its time, which add up to completed_ns - sent_ns. Times are
 * ns from the trace's first event; what the trace does not say is empty. bytes were sent,
 * bytes_received are fewer where the receive had no room for all. communicator_id, the place in
 * trace.comms, tells apart communicators of one name.
 */
#ifndef ANALYZE_MESSAGE_TABLE_H
#define ANALYZE_MESSAGE_TABLE_H

#include <stdio.h>

#include "analyze/attribution/attribution.h"

/* Returns 0, or -1: out cannot be written (errno says why). */
int message_table_write(const struct trace *t, const struct messages *m,
			const struct attribution *a, FILE *out);

#endif
