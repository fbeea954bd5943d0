/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style of text output, from options, locale and terminal. */
#ifndef CMD_TERMINAL_H
#define CMD_TERMINAL_H

#include <jansson.h>

#include "common/err.h"
#include "report/style.h"

/* For standard output. Returns 0, or -1 with *err set (a bad option). */
int terminal_style(struct style *out, struct err *err);

/* A document to standard output. what: it is called. Returns 0, or -1 with *err set. */
int terminal_json(const json_t *document, const char *what, struct err *err);

/*
 * Can standard output have the page that is asked for? Returns 0, or -1 with *err set: a document
 * is, too, or it is a terminal.
 */
int terminal_page_check(const char *verb, struct err *err);

/* What failed, to standard error: one line, or on a terminal as many as it needs. */
void terminal_error(const char *text);

#endif
