/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/credit.h"

struct credit credit_of(size_t bytes)
{
	return (struct credit){.bytes = bytes, .least = -1, .most = -1};
}

void credit_add(struct credit *c, int n, struct look look)
{
	if (look.completed < 0)
		return;
	c->most = look.completed > c->most ? look.completed : c->most;
	if (look.completed == n)
		c->capped = 1;
	if (look.completed == n || !look.whole)
		return;
	c->capped = 0;
	c->least = c->looks && c->least < look.completed ? c->least : look.completed;
	c->looks++;
}

/* That at least none complete says nothing. */
static enum credit_says at_least(const struct credit *c)
{
	return c->most > 0 ? CREDIT_AT_LEAST : CREDIT_UNKNOWN;
}

enum credit_says credit_says(const struct credit *c, int busy)
{
	if (c->none)
		return CREDIT_FIXED;
	if (c->most < 0)
		return CREDIT_UNKNOWN;
	if (!c->looks || busy)
		return at_least(c);
	if (c->capped || c->least < c->most)
		return CREDIT_VARIES;
	return c->looks < CREDIT_LOOKS_LEAST ? at_least(c) : CREDIT_FIXED;
}

size_t credit_disorder(const struct credit credit[], size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = i + 1; k < n && credit[i].looks && !credit[i].capped; k++)
			if (credit[k].looks && credit[k].least > credit[i].most)
				return i;
	return n;
}
