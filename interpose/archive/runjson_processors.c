/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/runjson_processors.h"

#include <stdlib.h>
#include <string.h>

#include "common/number_list.h"
#include "interpose/archive/jsontext.h"

static int by_confines(const struct log_header *x, const struct log_header *y)
{
	int order = strcmp(x->host, y->host);

	return order ? order : memcmp(&x->confines, &y->confines, sizeof(x->confines));
}

/* Those with the same are together, by rank. */
static int by_confines_and_rank(const void *a, const void *b)
{
	const struct log_header *x = *(const struct log_header *const *)a,
				*y = *(const struct log_header *const *)b;
	int order = by_confines(x, y);

	return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_rank(const void *a, const void *b)
{
	const struct log_header *const *x = *(const struct log_header *const *const *)a,
				       *const *y = *(const struct log_header *const *const *)b;

	return ((*x)->rank > (*y)->rank) - ((*x)->rank < (*y)->rank);
}

static void put_list(FILE *f, const char *key, size_t n, const uint32_t numbers[])
{
	fprintf(f, ", \"%s\": \"", key);
	number_list_put(f, n, numbers);
	fputc('"', f);
}

/* The ranks from *of on that have the same, n at most; numbers has room for all. */
static void put_row(FILE *f, const struct log_header *const *of, size_t n, uint32_t numbers[])
{
	const struct log_header *h = *of;
	size_t k;

	fputs("\n    { \"host\": ", f);
	json_put_text(f, h->host);
	for (k = 0; k < n && !by_confines(h, of[k]); k++)
		numbers[k] = of[k]->rank;
	put_list(f, "ranks", k, numbers);
	fprintf(f, ", \"of\": %u", h->cores);
	k = processor_set_list(&h->confines.processors, numbers);
	if (k)
		put_list(f, "may_use", k, numbers);
	if (h->confines.quota_milli)
		fprintf(f, ", \"quota\": %.3f, \"quota_group\": %lld",
			h->confines.quota_milli / 1000.0, json_count(h->confines.group));
	fputs(" }", f);
}

static int is_known(const struct log_header *h)
{
	return processor_set_count(&h->confines.processors) || h->confines.quota_milli;
}

void run_json_put_processors(FILE *f, const struct defs *d)
{
	const struct log_header **of = calloc(d->n_ranks + 1u, sizeof(*of));
	const struct log_header *const **rows = calloc(d->n_ranks + 1u, sizeof(*rows));
	uint32_t *numbers = calloc(d->n_ranks + (size_t)PROCESSOR_SET_ROOM, sizeof(*numbers));
	size_t n = 0, n_rows = 0;

	fputs(",\n  \"processors\": [", f);
	for (uint32_t i = 0; of && rows && numbers && i < d->n_ranks; i++)
		if (is_known(&d->ranks[i].header))
			of[n++] = &d->ranks[i].header;
	if (n)
		qsort(of, n, sizeof(*of), by_confines_and_rank);
	for (size_t k = 0; k < n; k++)
		if (!k || by_confines(of[k - 1], of[k]))
			rows[n_rows++] = &of[k];
	if (n_rows)
		qsort(rows, n_rows, sizeof(*rows), by_rank);
	for (size_t k = 0; k < n_rows; k++) {
		if (k)
			fputc(',', f);
		put_row(f, rows[k], n - (size_t)(rows[k] - of), numbers);
	}
	fputs("]", f);
	free(numbers);
	free(rows);
	free(of);
}
