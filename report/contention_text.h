/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a machine file about contention, for people. */
#ifndef REPORT_CONTENTION_TEXT_H
#define REPORT_CONTENTION_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* Nothing when the file has no such part. */
void contention_text(const json_t *contention, FILE *out);

#endif
