/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Doubts about the numbers, for document_quality*.c only: each is a sentence in "conditions" and
 * may lower "confidence".
 */
#ifndef ANALYZE_DOCUMENT_QUALITY_H
#define ANALYZE_DOCUMENT_QUALITY_H

#include "analyze/document/document_parts.h"

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

struct quality {
	enum confidence confidence;
	json_t *conditions;
};

/* Add a sentence; confidence is at most what it allows. */
__attribute__((format(printf, 3, 4))) void
document_doubt(struct quality *q, enum confidence at_most, const char *format, ...);

/* What the idle machine does is not known well, or not from this machine. */
void document_doubt_machine(struct quality *q, const struct analysis *a);

/* Not everything was recorded, or the recording or its conditions changed what happened. */
void document_doubt_recording(struct quality *q, const struct analysis *a);

/* The share of wall time that recording took, as the recorder has it. NAN: not known. */
double document_recording_cost(const struct analysis *a);

static inline const char *document_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
