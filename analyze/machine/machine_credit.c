/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_credit.h"

#include "analyze/machine/machine.h"

#include <stdlib.h>

#include <jansson.h>

static uint32_t number_or(const json_t *o, const char *key, uint32_t otherwise)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0 ||
	    json_integer_value(v) >= CREDIT_UNKNOWN)
		return otherwise;
	return (uint32_t)json_integer_value(v);
}

/* One row: a depth, at least one, or from the least of the looks to the most of them. */
static struct machine_credit credit_of(const json_t *o)
{
	struct machine_credit k = {
		.bytes = (uint64_t)json_integer_value(json_object_get(o, "bytes"))};
	uint32_t depth = number_or(o, "messages", CREDIT_UNKNOWN);

	k.least = depth != CREDIT_UNKNOWN ? depth : number_or(o, "least", 0);
	k.most = depth != CREDIT_UNKNOWN ? depth : number_or(o, "most", CREDIT_UNKNOWN);
	if (json_is_true(json_object_get(o, "at_least")))
		k.most = CREDIT_UNKNOWN;
	return k;
}

static int by_bytes(const void *a, const void *b)
{
	const struct machine_credit *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

int machine_credits_take(const json_t *class, const char *path, struct machine_class *c,
			 struct err *err)
{
	static const char *const way[] = {"there", "back"};
	const json_t *list[2], *o;
	size_t i, n = 0;

	for (int k = 0; k < 2; k++) {
		list[k] = json_object_get(json_object_get(class, way[k]), "credits");
		n += json_array_size(list[k]);
	}
	if (n == 0)
		return 0;
	c->credits = calloc(n, sizeof(*c->credits));
	if (!c->credits)
		return err_set(err, "%s: out of memory for %zu credits", path, n);
	for (int k = 0; k < 2; k++)
		json_array_foreach((json_t *)list[k], i, o)
			c->credits[c->n_credits++] = credit_of(o);
	qsort(c->credits, n, sizeof(*c->credits), by_bytes);
	return 0;
}

struct machine_credit machine_credit_at(const struct machine_class *c, uint64_t bytes)
{
	struct machine_credit at = {bytes, 0, CREDIT_UNKNOWN};
	uint32_t above = 0; /* rows of the two ways may be of one size */

	for (uint32_t k = 0; k < c->n_credits && c->credits[k].bytes <= bytes; k++) {
		const struct machine_credit *x = &c->credits[k];

		if (k == 0 || c->credits[k - 1].bytes != x->bytes)
			at.most = 0;
		at.most = x->most > at.most ? x->most : at.most;
	}
	while (above < c->n_credits && c->credits[above].bytes < bytes)
		above++;
	for (uint32_t k = above; k < c->n_credits; k++) {
		const struct machine_credit *x = &c->credits[k];

		if (x->bytes != c->credits[above].bytes)
			break;
		at.least = k == above || x->least < at.least ? x->least : at.least;
	}
	return at;
}
