/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style of text output, from options, locale and terminal. */
#ifndef CMD_TERMINAL_H
#define CMD_TERMINAL_H

#include "common/err.h"
#include "report/style.h"

/* For standard output. Returns 0, or -1 with *err set (a bad option). */
int terminal_style(struct style *out, struct err *err);

/* What failed, to standard error: one line, or on a terminal as many as it needs. */
void terminal_error(const char *text);

#endif
