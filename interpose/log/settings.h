/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options that a run is recorded with, kept in its log: who finishes the trace later has
 * another environment.
 */
#ifndef INTERPOSE_SETTINGS_H
#define INTERPOSE_SETTINGS_H

#include <stddef.h>

#include "common/options.h"

struct setting {
	enum option_id option;
	enum option_origin origin;
	const char *value; /* in the text that was read */
};

/* The options of `contend record` that have a value, as text; those without room are left out. */
void settings_write(size_t n, char text[n]);

/* The setting at *at, and step over it. Returns 0 at the end. Start with *at = 0. */
int settings_next(size_t n, const char text[n], size_t *at, struct setting *out);

#endif
