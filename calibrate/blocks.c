/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/blocks.h"

#include <math.h>

int blocks_add(struct blocks *b, struct samples *block)
{
	int bad = 0;
	size_t i;

	if (block->n)
		bad = samples_add(&b->median, samples_median(block).value);
	for (i = 0; i < block->n && !bad; i++)
		bad = samples_add(&b->all, block->s[i]);
	samples_release(block);
	return bad;
}

void blocks_release(struct blocks *b)
{
	samples_release(&b->all);
	samples_release(&b->median);
}

struct estimate blocks_range(struct blocks *b)
{
	struct estimate e = samples_median(&b->all);

	if (samples_median(&b->median).n) { /* and so sorted */
		e.low = b->median.s[0];
		e.high = b->median.s[b->median.n - 1];
	}
	return e;
}

struct estimate blocks_median(struct blocks *b)
{
	struct estimate e = samples_median(&b->all), between = samples_median(&b->median);

	if (e.n) {
		e.low = fmin(e.low, between.low);
		e.high = fmax(e.high, between.high);
	}
	return e;
}
