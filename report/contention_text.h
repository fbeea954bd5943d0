/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a machine file about contention, for people. */
#ifndef REPORT_CONTENTION_TEXT_H
#define REPORT_CONTENTION_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* The whole file is given. Nothing when it has no such part and no reason for that. */
void contention_text(const json_t *machine, FILE *out);

#endif
