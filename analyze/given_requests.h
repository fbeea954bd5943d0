/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests that a wait was given which never returned, as our own recorder notes them
 * (schema.h).
 */
#ifndef ANALYZE_GIVEN_REQUESTS_H
#define ANALYZE_GIVEN_REQUESTS_H

#include "analyze/trace.h"

/* Is the record of one? */
int given_requests_is(const struct trace *t, const struct op *op);

/* The send or receive that is open, if it is. Returns whether it is. */
int given_requests_note(struct endpoints *e, const struct trace *t, const struct op *op);

#endif
