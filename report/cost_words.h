/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What recording cost a run, in a few words. */
#ifndef REPORT_COST_WORDS_H
#define REPORT_COST_WORDS_H

#include <jansson.h>
#include <stddef.h>

/*
 * What recording took of the ranks' time, and where it may matter, by what that made the run
 * longer, and so the writing of the trace, after it. "" if the document does not say.
 */
void cost_words(const json_t *document, size_t size, char text[size]);

#endif
