/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine file as one page for a browser, with everything in it: what was measured and fitted. */
#ifndef REPORT_MACHINE_PAGE_H
#define REPORT_MACHINE_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "common/err.h"

/* Returns 0, or -1 with *err set: no classes, or it cannot be written. */
int machine_page(const json_t *machine, FILE *out, struct err *err);

#endif
