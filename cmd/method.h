/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way from a run to its document, for report, predict and diff. */
#ifndef CMD_METHOD_H
#define CMD_METHOD_H

#include <jansson.h>

#include "analyze/changes/changes.h"
#include "analyze/gains/what_if.h"

/* What is wanted beside the document; {0}: nothing. */
struct method_extras {
	const char *messages;            /* where its messages are written as CSV; NULL: nowhere */
	struct predictions *predictions; /* for the document; NULL: none */
	const struct changes_asked *changes; /* likewise */
	int with_machine; /* by a machine file that was asked for: no document has that */
};

/*
 * The document of a run: analyzed, or as read when path is a .json file. path NULL =
 * the newest run. A new reference, or NULL with *err set.
 */
json_t *method_document(const char *path, struct method_extras extras, struct err *err);

#endif
