/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All-to-alls of a machine file as a chart: what was measured and what its signature says, by
 * range.
 */
#ifndef REPORT_SIGNATURE_PAGE_H
#define REPORT_SIGNATURE_PAGE_H

#include <jansson.h>
#include <stdio.h>

/* signature: the file's object. Without times nothing is written. */
void signature_page(const json_t *signature, FILE *out);

#endif
