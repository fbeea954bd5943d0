/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run would take otherwise: contend predict. */
#include "analyze/document/document_parts.h"

#include "common/wording.h"

#include <stdio.h>

/*
 * How much of it: "twice the bandwidth", "3 times the bandwidth", "half the latency", "no latency".
 */
static void name_factor(struct wording *w, double factor, const char *what)
{
	if (factor == 2)
		wording_add(w, "twice the %s", what);
	else if (factor == 0.5)
		wording_add(w, "half the %s", what);
	else if (factor == 0)
		wording_add(w, "no %s", what);
	else
		wording_add(w, "%g times the %s", factor, what);
}

static void name_it(const struct what_if *x, size_t n, char text[n])
{
	const struct {
		double factor;
		const char *what;
	} of[] = {
		{x->machine.bandwidth, "bandwidth"},
		{x->machine.latency, "latency"},
		{x->machine.overhead, "overhead of MPI's calls"},
		{x->machine.processors, "speed of the program's own work"},
	};
	struct wording w = wording_begin(n, text);
	size_t left = 0, all = sizeof(of) / sizeof(*of);

	for (size_t k = 0; k < all; k++)
		left += of[k].factor != 1;
	for (size_t k = 0; k < all; k++) {
		if (of[k].factor == 1)
			continue;
		if (w.used)
			wording_add(&w, left == 1 ? " and " : ", ");
		name_factor(&w, of[k].factor, of[k].what);
		left--;
	}
}

void document_saving(const struct analysis *a, const struct what_if_saving *s, json_t *row)
{
	double wall_s = (double)a->trace->wall_ns / NS_PER_S, share = wall_s > 0 ? 1 / wall_s : 0;

	json_object_set_new(row, "saves_s",
			    json_pack("[f, f, f]", s->least_s, s->likely_s, s->most_s));
	json_object_set_new(row, "saves_share",
			    json_pack("[f, f, f]", s->least_s * share, s->likely_s * share,
				      s->most_s * share));
	json_object_set_new(row, "wall_s",
			    json_pack("[f, f, f]", wall_s - s->most_s, wall_s - s->likely_s,
				      wall_s - s->least_s));
}

static json_t *prediction(const struct analysis *a, const struct what_if *x,
			  const struct what_if_saving *s)
{
	char title[200];
	json_t *row;

	name_it(x, sizeof(title), title);
	row = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "name", x->name, "title", title,
			"bandwidth", x->machine.bandwidth, "latency", x->machine.latency,
			"overhead", x->machine.overhead, "processors", x->machine.processors);
	document_saving(a, s, row);
	return row;
}

json_t *document_predictions(const struct analysis *a)
{
	const struct predictions *p = a->predictions;
	json_t *list = json_array();

	for (uint32_t k = 0; k < p->n; k++)
		json_array_append_new(list, prediction(a, &p->what[k], &p->saving[k]));
	return list;
}
