/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way from a run to its document, for report and diff. Implemented in cmd_report.c. */
#ifndef CMD_METHOD_H
#define CMD_METHOD_H

#include <jansson.h>

#include "common/err.h"

/*
 * The document of a run: analyzed, or as read when path is a .json file. path NULL =
 * the newest run. messages: where its messages are written as CSV; NULL: nowhere. A new
 * reference, or NULL with *err set.
 */
json_t *method_document(const char *path, const char *messages, struct err *err);

#endif
