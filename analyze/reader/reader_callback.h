/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What callbacks for events share. Private to reader_events.c, reader_rma.c, reader_io.c and
 * reader_metrics.c.
 */
#ifndef ANALYZE_READER_CALLBACK_H
#define ANALYZE_READER_CALLBACK_H

#include "analyze/reader/reader_load.h"

/* Arguments that every event callback has in front, and the ones it hardly ever needs. */
#define EVENT                                                                       \
	OTF2_LocationRef where, OTF2_TimeStamp time, uint64_t position, void *data, \
		OTF2_AttributeList *list
#define UNUSED (void)where, (void)position, (void)list

static inline OTF2_CallbackCode went_on(int failed)
{
	return failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

#endif
