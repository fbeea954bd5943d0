/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine file for people: a table of what was measured, and what it does not tell. */
#ifndef REPORT_MACHINE_TEXT_H
#define REPORT_MACHINE_TEXT_H

#include <jansson.h>
#include <stdio.h>

#include "common/err.h"

/* path: where the file is, for the last line. Returns 0, or -1 with *err set. */
int machine_text(const json_t *machine, const char *path, FILE *out, struct err *err);

#endif
