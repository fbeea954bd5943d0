/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/site_fold.h"

#include <stdlib.h>
#include <string.h>

struct fold {
	const struct trace *t;
	uint32_t *region; /* per site: which its calls are; TRACE_NONE: it has no calls */
	uint32_t *sorted; /* sites, those of one place together, in their order */
	uint32_t *first;  /* per site: the first one at its place; */
	uint32_t *number; /* what it is from now on */
	int64_t *ns;      /* per path: what its calls took; */
	int64_t *all_ns;  /* per site that remains: all of its paths' */
};

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

/* The frames that name two sites without a line, as they were recorded. */
static int compare_frames(const struct site *a, const struct site *b)
{
	const char *x = a->path + a->frame, *y = b->path + b->frame;
	size_t n = strcspn(x, ";"), k = strcspn(y, ";");
	int order = memcmp(x, y, n < k ? n : k);

	return order ? order : (n > k) - (n < k);
}

static int compare_places(const struct fold *f, uint32_t i, uint32_t k)
{
	const struct site *a = &f->t->sites[i], *b = &f->t->sites[k];
	int order = (f->region[i] > f->region[k]) - (f->region[i] < f->region[k]);

	order = order ? order : compare_text(a->file, b->file);
	order = order ? order : (a->line > b->line) - (a->line < b->line);
	order = order ? order : compare_text(a->function, b->function);
	return order || a->line ? order : compare_frames(a, b);
}

static int by_place(const void *pa, const void *pb, void *fold)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int order = compare_places(fold, a, b);

	return order ? order : (a > b) - (a < b);
}

static void add_calls(struct fold *f)
{
	const struct trace *t = f->t;

	for (uint32_t i = 0; i < t->n_sites; i++) {
		f->region[i] = TRACE_NONE;
		f->sorted[i] = i;
	}
	for (uint32_t i = 0; i < t->n_calls; i++) {
		const struct call *c = &t->calls[i];

		if (c->site >= t->n_sites)
			continue;
		f->region[c->site] = c->region;
		f->ns[c->site] += c->leave_ns - c->enter_ns;
	}
}

static void find_first(struct fold *f)
{
	uint32_t n = f->t->n_sites;

	qsort_r(f->sorted, n, sizeof(*f->sorted), by_place, f);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t site = f->sorted[i];
		int same = i > 0 && !compare_places(f, f->sorted[i - 1], site);

		f->first[site] = same ? f->first[f->sorted[i - 1]] : site;
	}
}

/* Site i goes into the one that remains, which takes its path if more time was spent on it. */
static void merge(struct fold *f, struct trace *t, uint32_t i)
{
	uint32_t first = f->first[i];
	struct site *kept = &t->sites[f->number[first]];

	f->all_ns[first] += f->ns[i];
	kept->paths++;
	if (f->ns[i] > f->ns[first]) {
		char *path = kept->path;

		f->ns[first] = f->ns[i];
		kept->path = t->sites[i].path;
		kept->frame = t->sites[i].frame;
		kept->rebuilt = t->sites[i].rebuilt;
		t->sites[i].path = path;
	}
	site_release(&t->sites[i]);
}

/* The sites that remain move up; the others are gone. */
static void renumber(struct fold *f, struct trace *t)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->n_sites; i++) {
		f->number[i] = f->first[i] == i ? kept++ : f->number[f->first[i]];
		if (f->first[i] == i) {
			t->sites[f->number[i]] = t->sites[i];
			t->sites[f->number[i]].paths = 1;
			f->all_ns[i] = f->ns[i];
		} else {
			merge(f, t, i);
		}
	}
	for (uint32_t i = 0; i < t->n_sites; i++)
		if (f->first[i] == i && f->all_ns[i] > 0)
			t->sites[f->number[i]].share = (double)f->ns[i] / (double)f->all_ns[i];
	for (uint32_t i = 0; kept < t->n_sites && i < t->n_calls; i++)
		if (t->calls[i].site < t->n_sites)
			t->calls[i].site = f->number[t->calls[i].site];
	t->n_sites = kept;
}

int sites_fold(struct trace *t, struct err *err)
{
	uint32_t n = t->n_sites;
	uint32_t *room = calloc(n ? n : 1, 4 * sizeof(*room));
	int64_t *ns = calloc(n ? n : 1, 2 * sizeof(*ns));
	struct fold f = {.t = t};

	if (!room || !ns) {
		free(ns);
		free(room);
		return err_set(err, "%s: out of memory for %u call sites", t->anchor, n);
	}
	f.region = room;
	f.sorted = f.region + n;
	f.first = f.sorted + n;
	f.number = f.first + n;
	f.ns = ns;
	f.all_ns = ns + n;
	add_calls(&f);
	find_first(&f);
	renumber(&f, t);
	free(ns);
	free(room);
	return 0;
}
