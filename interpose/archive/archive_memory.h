/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of OTF2's buffers. Left alone it keeps up to 128 MiB of each location's events until
 * the location is closed; here it gets a few chunks and writes them out when they are full.
 */
#ifndef INTERPOSE_ARCHIVE_MEMORY_H
#define INTERPOSE_ARCHIVE_MEMORY_H

#include <otf2/otf2.h>

/* Of a buffer of events; definitions take what they need. */
#define ARCHIVE_CHUNKS 2

/* Returns what OTF2 says. */
OTF2_ErrorCode archive_memory_set(OTF2_Archive *archive);

#endif
