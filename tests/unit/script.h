/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pattern of messages that a few lines of a test make, round after round. */
#ifndef TESTS_UNIT_SCRIPT_H
#define TESTS_UNIT_SCRIPT_H

#include "analyze/patterns/pattern.h"

#define SCRIPT_BYTES 4000

/* Messages in rounds, made by a function as below. */
struct script {
	uint32_t ranks;
	uint32_t rounds;
	uint32_t round;
	size_t n, room;
	struct delivery *d;
};

/* p sends in a step of this round; it is there half a step later. */
void script_send(struct script *s, uint32_t p, uint32_t q, uint32_t step, uint64_t bytes);

/* One round; a, b: of the pattern. */
typedef void script_round(struct script *s, uint32_t a, uint32_t b);

/* What twelve rounds are called. A test that calls this ends if there is no memory. */
struct pattern script_pattern(uint32_t ranks, script_round *each, uint32_t a, uint32_t b);

/* Is it called so? Otherwise it is printed. And is it also called so? */
int script_is_named(const char *name, uint32_t ranks, script_round *each, uint32_t a, uint32_t b);
int script_is_also(const struct pattern *p, const char *name);

#endif
