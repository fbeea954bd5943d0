/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/compare_sites.h"

#include "report/noise.h"
#include "report/pick.h"
#include "report/unlike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct place {
	const json_t *callsite; /* of the new run, if it has one */
	double base_s, new_s, base_calls, new_calls;
	int base_lines, new_lines; /* so many call sites of each run are in it */
	int moved;                 /* its lines: all of them are one place */
};

struct places {
	const json_t *base, *new;
	struct place *p;
	size_t n;
};

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int have_same(const char *key, const json_t *a, const json_t *b)
{
	return !strcmp(pick_text(a, key, ""), pick_text(b, key, ""));
}

/* Of a program that was built anew since, only addresses are known: they tell its places apart. */
int compare_same_place(const json_t *a, const json_t *b)
{
	const char *file = pick_text(a, "file", ""), *function = pick_text(a, "function", "");

	return have_same("mpi", a, b) && have_same("function", a, b) &&
	       !strcmp(without_folders(file), without_folders(pick_text(b, "file", ""))) &&
	       (*file || *function || have_same("address", a, b));
}

static int is_same_line(const json_t *a, const json_t *b)
{
	double line = pick_number(a, "line", 0.0);

	return line == pick_number(b, "line", 0.0) && (line > 0.0 || have_same("address", a, b));
}

/* Does a run have a call at this very line? */
static int has_line(const json_t *document, const json_t *callsite)
{
	const json_t *site;
	size_t i;

	json_array_foreach((json_t *)pick(document, "callsites"), i, site)
		if (compare_same_place(pick(site, "callsite"), callsite) &&
		    is_same_line(pick(site, "callsite"), callsite))
			return 1;
	return 0;
}

/* Is one of a place's calls in a run on a line that the other run has none on? */
static int has_own_line(const json_t *document, const json_t *other, const json_t *callsite)
{
	const json_t *site;
	size_t i;

	json_array_foreach((json_t *)pick(document, "callsites"), i, site)
		if (compare_same_place(pick(site, "callsite"), callsite) &&
		    !has_line(other, pick(site, "callsite")))
			return 1;
	return 0;
}

/*
 * Lines of a place moved if each run has some that the other has not: then only all of them
 * together compare.
 */
static int have_moved(const json_t *base, const json_t *new, const json_t *callsite)
{
	return has_own_line(base, new, callsite) && has_own_line(new, base, callsite);
}

static struct place *place_of(struct places *all, const json_t *callsite)
{
	int is_first = 1;

	for (size_t i = 0; i < all->n; i++) {
		if (!compare_same_place(all->p[i].callsite, callsite))
			continue;
		if (all->p[i].moved || is_same_line(all->p[i].callsite, callsite))
			return &all->p[i];
		is_first = 0; /* of lines that did not move */
	}
	all->p[all->n] =
		(struct place){.callsite = callsite,
			       .moved = is_first && have_moved(all->base, all->new, callsite)};
	return &all->p[all->n++];
}

static int by_change(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	double x = fabs(a->new_s - a->base_s), y = fabs(b->new_s - b->base_s);

	return (x < y) - (x > y);
}

/* Starting and ending MPI is left out: it is not judged. */
static void add_all(struct places *all, const json_t *document, int is_new)
{
	double share = 1.0 / fmax(unlike_ranks(document), 1.0);
	const json_t *site;
	size_t i;

	json_array_foreach((json_t *)pick(document, "callsites"), i, site) {
		double s = pick_number(site, "s", 0.0);
		struct place *p;

		if (pick_number(site, "parts.start_end", 0.0) > 0.5 * s)
			continue;
		p = place_of(all, pick(site, "callsite"));
		*(is_new ? &p->new_s : &p->base_s) += s * share;
		*(is_new ? &p->new_calls : &p->base_calls) +=
			pick_number(site, "calls", 0.0) * share;
		++*(is_new ? &p->new_lines : &p->base_lines);
	}
}

/* A place of several lines is not on one of them, one of several calls at none's address. */
static json_t *callsite_of(const struct place *p)
{
	json_t *out = json_copy((json_t *)p->callsite);

	if (p->base_lines <= 1 && p->new_lines <= 1)
		return out;
	if (p->moved)
		json_object_del(out, "line");
	json_object_del(out, "address");
	return out;
}

static const char *judge(const struct place *p, const json_t *base, const json_t *new, double noise)
{
	double wall_s = pick_number(base, "run.wall_s", 0.0);
	int is_more = p->new_s > p->base_s;
	double b = p->base_s + (is_more ? unlike_awaited_s(new) : 0.0);
	double n = p->new_s + (is_more ? 0.0 : unlike_awaited_s(base));

	if (noise_covers(p->base_s, p->new_s, noise, wall_s))
		return "same";
	if (noise_covers(b, n, noise, wall_s) || (n > b) != is_more)
		return "open";
	return is_more ? "more" : "less";
}

json_t *compare_sites(const json_t *base, const json_t *new, double noise)
{
	size_t most =
		json_array_size(pick(base, "callsites")) + json_array_size(pick(new, "callsites"));
	struct places all = {base, new, calloc(most + 1, sizeof(*all.p)), 0};
	json_t *list = all.p ? json_array() : NULL;

	if (!list) {
		free(all.p);
		return NULL;
	}
	add_all(&all, new, 1); /* first, so that its lines are told */
	add_all(&all, base, 0);
	qsort(all.p, all.n, sizeof(*all.p), by_change);
	for (size_t i = 0; i < all.n; i++) {
		const struct place *p = &all.p[i];

		json_array_append_new(list, json_pack("{s:o, s:f, s:f, s:f, s:f, s:s}", "callsite",
						      callsite_of(p), "base_s", p->base_s, "new_s",
						      p->new_s, "base_calls", p->base_calls,
						      "new_calls", p->new_calls, "change",
						      judge(p, base, new, noise)));
	}
	free(all.p);
	return list;
}
