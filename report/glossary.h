/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the words of a report mean: those of words.def, and the parts of time. */
#ifndef REPORT_GLOSSARY_H
#define REPORT_GLOSSARY_H

#include "report/layout.h"

/* All of them. */
void glossary_put_all(struct layout *l);

/* What the columns of the message table are, those of message_columns.def and costs.def. */
void glossary_put_columns(struct layout *l);

/*
 * Those that this text has, but for those that say what they mean themselves: a section, or
 * nothing. Returns 0, or -1: out of memory.
 */
int glossary_put_used(struct layout *l, const char *text);

#endif
