/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/file_calls.h"

#include <string.h>

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

/* MPI_File_iwrite_all is a call for one's own, but what it begins is not. */
static int is_of_all(const struct region *r)
{
	return r->is_of_files && (r->kind == REGION_COLLECTIVE || strstr(r->name, "_all"));
}

static uint32_t count(const struct trace *t)
{
	uint32_t regions = 0, n = 0;

	for (uint32_t k = 0; k < t->n_regions; k++)
		regions += is_of_all(&t->regions[k]);
	for (uint32_t c = 0; regions && c < t->n_calls; c++)
		n += is_of_all(&t->regions[t->calls[c].region]);
	return n;
}

int file_calls_init(struct file_calls *f, const struct trace *t, struct err *err)
{
	uint32_t n = count(t);

	*f = (struct file_calls){.t = t};
	if (!n)
		return 0;
	f->entry = table_calloc(n, sizeof(*f->entry));
	if (!f->entry)
		return err_set(err, "out of memory for %u calls of files", n);
	for (uint32_t c = 0; c < t->n_calls; c++)
		if (is_of_all(&t->regions[t->calls[c].region]))
			f->entry[f->n++] = (struct dated){t->calls[c].enter_ns, t->calls[c].rank};
	sort(f->entry, f->n, sizeof(*f->entry), dated_order);
	return 0;
}

void file_calls_release(struct file_calls *f)
{
	table_free(f->entry);
	memset(f, 0, sizeof(*f));
}

int64_t file_calls_joined_ns(const struct file_calls *f, uint32_t call)
{
	const struct call *c = &f->t->calls[call];
	struct instants entries = {&f->entry->ns, sizeof(*f->entry), f->n};
	uint32_t k = f->n ? instants_until(entries, 0, c->leave_ns - 1) : 0;

	for (; k > 0 && f->entry[k - 1].ns > c->enter_ns; k--)
		if (f->entry[k - 1].number != c->rank)
			return f->entry[k - 1].ns;
	return c->enter_ns;
}
