/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts and numbers as JSON has them, whatever damaged logs say. */
#ifndef INTERPOSE_JSONTEXT_H
#define INTERPOSE_JSONTEXT_H

#include <stdint.h>
#include <stdio.h>

/* Controls are escaped, what is not UTF-8 is replaced by '?'. */
void json_put_text(FILE *f, const char *text);

/* Whole numbers end at INT64_MAX, and what is no number is 0. */
static inline long long json_count(uint64_t n)
{
	return n < INT64_MAX ? (long long)n : INT64_MAX;
}

static inline double json_real(double x)
{
	return x - x == 0 ? x : 0;
}

#endif
