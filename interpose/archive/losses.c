/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/losses.h"

#include <stdlib.h>
#include <string.h>

#include "common/schema.h"
#include "interpose/archive/jsontext.h"

#define NAMED_MOST 3

struct loss *losses_add(struct losses *all, unsigned rank, unsigned thread, const char *why,
			struct err *err)
{
	struct loss *l = realloc(all->l, (all->n + 1) * sizeof(*l));

	if (!l) {
		err_set(err, "out of memory for what is lost of %zu logs", all->n + 1);
		return NULL;
	}
	all->l = l;
	l += all->n++;
	*l = (struct loss){.rank = rank, .thread = thread};
	snprintf(l->why, sizeof(l->why), "%s", why);
	return l;
}

void losses_release(struct losses *all)
{
	free(all->l);
	*all = (struct losses){0};
}

int losses_order(unsigned rank, unsigned thread, unsigned other_rank, unsigned other_thread)
{
	if (rank != other_rank)
		return rank < other_rank ? -1 : 1;
	return thread < other_thread ? -1 : thread > other_thread;
}

static int by_rank_and_thread(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	return losses_order(x->rank, x->thread, y->rank, y->thread);
}

void losses_sort(struct losses *all)
{
	if (all->n)
		qsort(all->l, all->n, sizeof(*all->l), by_rank_and_thread);
}

static double until_s(const struct loss *l, int64_t first_ns)
{
	return l->until_ns > first_ns ? (double)(l->until_ns - first_ns) * 1e-9 : 0.0;
}

void losses_put_json(FILE *f, const struct losses *all, int64_t first_ns)
{
	size_t i;

	if (!all || !all->n)
		return;
	fputs(",\n  \"lost\": [", f);
	for (i = 0; i < all->n; i++) {
		const struct loss *l = &all->l[i];

		fprintf(f,
			"%s\n    { \"rank\": %u, \"thread\": %u, \"file\": \"" SCHEMA_LOG_DIR
			"/%u.%u.log\", \"why\": ",
			i ? "," : "", l->rank, l->thread, l->rank, l->thread);
		json_put_text(f, l->why);
		if (l->is_used)
			fprintf(f, ", \"until_s\": %.9f", until_s(l, first_ns));
		fputs(" }", f);
	}
	fputs("]", f);
}

void losses_text(const struct losses *all, int64_t first_ns, size_t n, char text[n])
{
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < all->n && i < NAMED_MOST && used < n; i++) {
		const struct loss *l = &all->l[i];

		used += (size_t)snprintf(text + used, n - used, "%s" SCHEMA_LOG_DIR "/%u.%u.log %s",
					 i ? "; " : "", l->rank, l->thread, l->why);
		if (used < n && l->is_used)
			used += (size_t)snprintf(text + used, n - used, " and is used up to %.4g s",
						 until_s(l, first_ns));
	}
	if (all->n > NAMED_MOST && used < n)
		snprintf(text + used, n - used, "; and so on, %zu logs in all", all->n);
}
