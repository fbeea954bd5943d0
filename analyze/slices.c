/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/slices.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int slices_init(struct slices *s, size_t items, unsigned parts, struct err *err)
{
	assert(parts <= SLICES_MOST);
	memset(s, 0, sizeof(*s));
	s->parts = parts;
	s->cap = items + items / 2 + SLICES_MOST;
	s->n = 1; /* all[0] is nobody's */
	s->first = calloc(items + 1, sizeof(*s->first));
	s->all = malloc(s->cap * sizeof(*s->all));
	if (s->first && s->all)
		return 0;
	slices_release(s);
	return err_set(err, "out of memory for the costs of %zu calls or messages", items);
}

static int grow(struct slices *s, struct err *err)
{
	size_t cap = s->cap + s->cap / 4 + SLICES_MOST;
	struct slice *all = cap < UINT32_MAX ? realloc(s->all, cap * sizeof(*all)) : NULL;

	if (!all)
		return err_set(err, "out of memory for %zu costs of calls or messages", cap);
	s->all = all;
	s->cap = cap;
	return 0;
}

int slices_put(struct slices *s, uint32_t item, const int64_t *ns, struct err *err)
{
	uint32_t first = s->n;

	if (s->n + s->parts > s->cap && grow(s, err))
		return -1;
	for (unsigned part = 0; part < s->parts; part++)
		if (ns[part])
			s->all[s->n++] = (struct slice){.ns = ns[part], .part = part};
	s->first[item] = s->n > first ? first : 0;
	if (s->n > first)
		s->all[s->n - 1].last = 1;
	return 0;
}

int64_t slices_part(const struct slices *s, uint32_t item, unsigned part)
{
	for (const struct slice *x = &s->all[s->first[item]]; x > s->all; x++) {
		if (x->part == part)
			return x->ns;
		if (x->last)
			break;
	}
	return 0;
}

void slices_add(const struct slices *s, uint32_t item, int64_t *sums)
{
	for (const struct slice *x = &s->all[s->first[item]]; x > s->all; x++) {
		sums[x->part] += x->ns;
		if (x->last)
			break;
	}
}

void slices_release(struct slices *s)
{
	free(s->all);
	free(s->first);
	memset(s, 0, sizeof(*s));
}
