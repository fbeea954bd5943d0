/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * K(m): how many messages of m bytes a receiver has room for while it is outside MPI, as a machine
 * file says. What can be between the sizes that were measured is between what they can be: nothing
 * has room for more of larger messages.
 */
#ifndef ANALYZE_MACHINE_CREDIT_H
#define ANALYZE_MACHINE_CREDIT_H

#include <stdint.h>

#include "common/err.h"

struct json_t;
struct machine_class;

#define CREDIT_UNKNOWN UINT32_MAX

struct machine_credit {
	uint64_t bytes;
	uint32_t least; /* so many surely fit */
	uint32_t most;  /* and no more than that; or CREDIT_UNKNOWN */
};

/* Set c's credits from those of a file's class. Returns 0, or -1 with *err set (out of memory). */
int machine_credits_take(const struct json_t *class, const char *path, struct machine_class *c,
			 struct err *err);

/* For messages of so many bytes; least 0 and most CREDIT_UNKNOWN where nothing is known. */
struct machine_credit machine_credit_at(const struct machine_class *c, uint64_t bytes);

#endif
