/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The document of contend info ("contend-info/1") as text. */
#ifndef REPORT_INVENTORY_H
#define REPORT_INVENTORY_H

#include <jansson.h>

#include "common/err.h"
#include "report/style.h"

/* Returns 0, or -1 with *err set. */
int inventory_text(const json_t *document, const struct style *style, FILE *out, struct err *err);

#endif
