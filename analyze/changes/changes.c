/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/changes/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int change_kind(const struct evidence_base *b, const struct changes_asked *asked,
			struct changes *out, struct err *err);

static change_kind *const kinds[] = {change_order, change_servers, change_map, change_asynchronous,
				     change_ranks};

int changes_add(struct changes *x, const struct change *row, struct err *err)
{
	struct change *grown = realloc(x->row, ((size_t)x->n + 1) * sizeof(*grown));

	if (!grown)
		return err_set(err, "out of memory for %u changes", x->n + 1);
	x->row = grown;
	x->row[x->n++] = *row;
	return 0;
}

int changes_refuse(struct changes *x, const char *kind, const char *title, const char *why_not,
		   struct err *err)
{
	struct change row = {.kind = kind, .site = TRACE_NONE, .region = TRACE_NONE};

	snprintf(row.title, sizeof(row.title), "%s", title);
	snprintf(row.why_not, sizeof(row.why_not), "%s", why_not);
	return changes_add(x, &row, err);
}

static int by_saving(const void *a, const void *b)
{
	const struct what_if_saving *x = &((const struct change *)a)->saving;
	const struct what_if_saving *y = &((const struct change *)b)->saving;

	if (x->likely_s != y->likely_s)
		return (x->likely_s < y->likely_s) - (x->likely_s > y->likely_s);
	return (x->most_s < y->most_s) - (x->most_s > y->most_s);
}

int changes_find(const struct evidence_base *b, const struct changes_asked *asked,
		 struct changes *out, struct err *err)
{
	*out = (struct changes){0};
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		uint32_t first = out->n;

		if (kinds[k](b, asked, out, err)) {
			changes_release(out);
			return -1;
		}
		if (out->n > first)
			qsort(out->row + first, out->n - first, sizeof(*out->row), by_saving);
	}
	return 0;
}

void changes_release(struct changes *x)
{
	free(x->row);
	memset(x, 0, sizeof(*x));
}
