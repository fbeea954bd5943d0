/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a document: values by a path of keys such as "run.wall_s". What is
 * missing, null or of another type gives the default, so that a renderer never
 * fails on a document of an older version. Results are borrowed from the document.
 */
#ifndef REPORT_PICK_H
#define REPORT_PICK_H

#include <jansson.h>

#include "common/err.h"

const json_t *pick(const json_t *document, const char *path);
double pick_number(const json_t *document, const char *path, double otherwise);
const char *pick_text(const json_t *document, const char *path, const char *otherwise);

/* Number k, from 0, of a list: 0 where there is none. */
double pick_item(const json_t *document, const char *path, size_t k);

/* How severe a hotspot is by this key: 0 low (as what is missing), 1 medium, 2 high. */
enum { PICK_SEVERITIES = 3 };
size_t pick_severity(const json_t *hotspot, const char *key);

/* Is it a document of a version that report/ understands? 0, or -1 with *err set. */
int pick_check(const json_t *document, struct err *err);

#endif
