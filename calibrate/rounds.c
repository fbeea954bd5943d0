/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/rounds.h"

/* So many times cheaper is cheap. */
#define CHEAPER 50

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

void rounds_shuffle(size_t order[], size_t n, uint64_t *random)
{
	size_t i, j, kept;

	for (i = n; i > 1; i--) {
		j = next_random(random) % i;
		kept = order[i - 1];
		order[i - 1] = order[j];
		order[j] = kept;
	}
}

size_t rounds_cheap(const double cost_s[], size_t n, size_t i, size_t cheap[])
{
	size_t many = 0, k;

	for (k = 0; k < n; k++)
		if (k != i && CHEAPER * cost_s[k] < cost_s[i])
			cheap[many++] = k;
	return many;
}
