/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/slices.h"

#include "common/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NS_BELOW (INT64_C(1) << SLICES_NS_BITS)

int slices_init(struct slices *s, size_t items, unsigned parts, struct err *err)
{
	assert(parts <= SLICES_MOST);
	memset(s, 0, sizeof(*s));
	s->parts = parts;
	s->first = table_calloc(items + 1, sizeof(*s->first));
	s->block = calloc(SLICES_BLOCKS, sizeof(*s->block));
	if (s->first && s->block)
		return 0;
	slices_release(s);
	return err_set(err, "out of memory for the costs of %zu calls or messages", items);
}

/* A new block for this pen. */
static int turn_page(struct slices *s, struct slices_pen *pen, struct err *err)
{
	uint32_t block = __atomic_fetch_add(&s->blocks, 1, __ATOMIC_RELAXED);

	if (block < SLICES_BLOCKS)
		s->block[block] = table_alloc(SLICES_BLOCK, sizeof(**s->block));
	if (block >= SLICES_BLOCKS || !s->block[block]) {
		*pen = (struct slices_pen){0};
		return err_set(err, "out of memory for the costs of calls or messages");
	}
	pen->next = block * SLICES_BLOCK;
	pen->end = pen->next + (SLICES_BLOCK - 1);
	pen->next += block == 0; /* 0 is nobody's */
	return 0;
}

int slices_put(struct slices *s, struct slices_pen *pen, uint32_t item, uint32_t has,
	       const int64_t *ns, struct err *err)
{
	union slice *x, *first, *head = NULL;

	if (pen->end - pen->next < 2 * s->parts && turn_page(s, pen, err))
		return -1;
	x = first = &s->block[pen->next / SLICES_BLOCK][pen->next % SLICES_BLOCK];
	for (; has; has &= has - 1) {
		unsigned part = (unsigned)__builtin_ctz(has);
		int64_t above = ns[part] >> SLICES_NS_BITS;

		if (!ns[part])
			continue;
		head = x++;
		*head = (union slice){.ns = (uint32_t)(ns[part] & (NS_BELOW - 1)),
				      .part = part & (SLICES_MOST - 1),
				      .is_long = above != 0};
		if (above)
			*x++ = (union slice){.above = (int32_t)above};
	}
	s->first[item] = head ? pen->next : 0;
	if (head)
		head->last = 1;
	pen->next += (uint32_t)(x - first);
	return 0;
}

/* An item's first word, or NULL. */
static const union slice *first_of(const struct slices *s, uint32_t item)
{
	uint32_t n = s->first[item];

	return n ? &s->block[n / SLICES_BLOCK][n % SLICES_BLOCK] : NULL;
}

static int64_t ns_of(const union slice *x)
{
	return x->ns + (x->is_long ? x[1].above * NS_BELOW : 0);
}

/* The item's next one, or NULL. */
static const union slice *after(const union slice *x)
{
	return x->last ? NULL : x + 1 + x->is_long;
}

int64_t slices_sum(const struct slices *s, uint32_t item, uint32_t parts)
{
	int64_t ns = 0;

	for (const union slice *x = first_of(s, item); x; x = after(x))
		if (parts & UINT32_C(1) << x->part)
			ns += ns_of(x);
	return ns;
}

int64_t slices_part(const struct slices *s, uint32_t item, unsigned part)
{
	return slices_sum(s, item, UINT32_C(1) << part);
}

uint32_t slices_add(const struct slices *s, uint32_t item, int64_t *sums)
{
	uint32_t has = 0;

	for (const union slice *x = first_of(s, item); x; x = after(x)) {
		sums[x->part] += ns_of(x);
		has |= UINT32_C(1) << x->part;
	}
	return has;
}

void slices_release(struct slices *s)
{
	for (uint32_t k = 0; s->block && k < s->blocks && k < SLICES_BLOCKS; k++)
		table_free(s->block[k]);
	free(s->block);
	table_free(s->first);
	memset(s, 0, sizeof(*s));
}
