/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checksums of a log's parts, by which its reader notices that they were changed. One changed
 * byte always is noticed, other changes but for one in 2^64. Not against malice. Pure.
 */
#ifndef INTERPOSE_LOG_SEAL_H
#define INTERPOSE_LOG_SEAL_H

#include <stddef.h>
#include <stdint.h>

#include "interpose/log/log_format.h"

/* Of the numbers in a chunk's head and the bytes that they announce. */
uint64_t log_seal_chunk(const struct log_chunk *head, const void *bytes);

/* Of what process_describe() puts into a header and times or places depend on. Never 0. */
uint64_t log_seal_header(const struct log_header *h);

/* Of how and when its process ended, in this log and no other. Never 0. */
uint64_t log_seal_end(const struct log_header *h);

/* When its process ended; NULL: it has not noted that, or what it noted was changed. */
const struct log_anchor *log_sealed_end(const struct log_header *h);

#endif
