/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_ranges.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#define LOOK_AT 100000 /* messages */

/* The ends of an interval, none below 0; where there is none, the value. */
static struct machine_range ends_of(const json_t *estimate, double value)
{
	double low = json_number_value(json_object_get(estimate, "low"));
	double high = json_number_value(json_object_get(estimate, "high"));

	if (!json_is_object(estimate))
		return (struct machine_range){value, value};
	return (struct machine_range){fmax(0, fmin(low, value)), fmax(high, value)};
}

/* The tables of c->ends: of o_s, o_r and g, and of L + g in the column of g. */
enum end { LEAST, MOST, LEAST_SUM, MOST_SUM, ENDS };

static struct plogp_point *table(const struct machine_class *c, enum end end)
{
	return c->ends + (size_t)end * c->n;
}

/* All intervals of the i-th point. Where L and g are a sum only, that is what g is. */
static void take_ends(const json_t *point, struct machine_class *c, size_t i)
{
	const struct plogp_point *p = &c->points[i];
	const double sum_s = machine_latency_s(c, (uint64_t)p->bytes) + p->g_s;
	struct machine_range o_s = ends_of(json_object_get(point, "o_s"), p->o_s_s);
	struct machine_range o_r = ends_of(json_object_get(point, "o_r"), p->o_r_s);
	struct machine_range g = ends_of(json_object_get(point, "g"), p->g_s);
	struct machine_range sum = ends_of(json_object_get(point, "L_g"), sum_s);

	if (c->joint & MACHINE_JOINT_SUM)
		g = sum;
	table(c, LEAST)[i] = (struct plogp_point){p->bytes, o_s.least, o_r.least, g.least};
	table(c, MOST)[i] = (struct plogp_point){p->bytes, o_s.most, o_r.most, g.most};
	table(c, LEAST_SUM)[i] = (struct plogp_point){.bytes = p->bytes, .g_s = sum.least};
	table(c, MOST_SUM)[i] = (struct plogp_point){.bytes = p->bytes, .g_s = sum.most};
}

int machine_ranges_take(const json_t *list, const char *path, struct machine_class *c,
			struct err *err)
{
	const json_t *o;
	size_t i;

	json_array_foreach((json_t *)list, i, o)
		if (!json_is_object(json_object_get(o, "L_g")))
			return 0;
	c->ends = calloc((size_t)c->n * ENDS, sizeof(*c->ends));
	if (!c->ends)
		return err_set(err, "%s: out of memory for %u points", path, c->n);
	json_array_foreach((json_t *)list, i, o)
		take_ends(o, c, i);
	return 0;
}

/* +- so much of a value. */
static struct machine_range about(double value, double uncertainty)
{
	return (struct machine_range){value * fmax(0, 1 - uncertainty), value * (1 + uncertainty)};
}

static struct machine_range both(struct machine_range a, struct machine_range b)
{
	return (struct machine_range){fmin(a.least, b.least), fmax(a.most, b.most)};
}

/* As times a value; of 0 there is no such range. */
static struct machine_range times(struct machine_range ends, double value)
{
	return value > 0 ? (struct machine_range){ends.least / value, ends.most / value}
			 : (struct machine_range){1, 1};
}

static struct machine_ranges ranges_inside(const struct machine_class *c, double bytes,
					   const struct plogp_point *x)
{
	struct plogp_point end[ENDS];
	double L_s = machine_latency_s(c, (uint64_t)bytes);
	struct machine_range g = {0, 0}, sum;
	int k;

	for (k = 0; k < ENDS; k++)
		end[k] = plogp_at((struct plogp){0, c->n, table(c, k)}, bytes);
	if (x->g_s > 0) /* else it counts as 0, and all of the sum as L */
		g = (struct machine_range){end[LEAST].g_s, end[MOST].g_s};
	sum = (struct machine_range){end[LEAST_SUM].g_s, end[MOST_SUM].g_s};
	return (struct machine_ranges){
		.o_s_s = {end[LEAST].o_s_s, end[MOST].o_s_s},
		.o_r_s = {end[LEAST].o_r_s, end[MOST].o_r_s},
		.g = times(g, x->g_s),
		.time = times(sum, L_s + x->g_s),
		.L = times((struct machine_range){fmax(0, sum.least - g.least),
						  fmax(0, sum.most - g.most)},
			   L_s),
	};
}

struct machine_ranges machine_ranges_at(const struct machine_class *c, uint64_t bytes)
{
	const struct machine_range all = about(1, c->uncertainty);
	struct machine_ranges worst = {.g = all, .time = all, .L = all}, r;
	struct plogp_point x;

	if (!c->n)
		return worst;
	x = plogp_at((struct plogp){c->L_s, c->n, c->points}, (double)bytes);
	worst.o_s_s = about(x.o_s_s, c->uncertainty);
	if (c->more)
		worst.o_s_s.most += plogp_at((struct plogp){0, c->n, c->more}, (double)bytes).o_s_s;
	worst.o_r_s = about(x.o_r_s, c->uncertainty);
	if (c->late_handling)
		worst.o_r_s.least = 0;
	if (!c->ends)
		return worst;
	r = ranges_inside(c, (double)bytes, &x);
	if ((double)bytes <= c->points[c->n - 1].bytes)
		return r;
	return (struct machine_ranges){.o_s_s = both(r.o_s_s, worst.o_s_s),
				       .o_r_s = both(r.o_r_s, worst.o_r_s),
				       .g = both(r.g, all),
				       .time = both(r.time, all),
				       .L = all};
}

double machine_ranges_width(const struct machine *machine, enum locality where,
			    const struct trace *t, const struct messages *m)
{
	const struct machine_class *c = &machine->classes[where];
	double idle_s = 0, half_s = 0;

	if (!c->n || !c->ends)
		return c->uncertainty;
	for (uint32_t i = 0; i < m->n; i += m->n / LOOK_AT + 1) {
		const struct message *x = &m->m[i];
		struct machine_range r;
		double s;

		if (x->src == x->dst || machine_locality(t, x->src, x->dst) != where)
			continue;
		r = machine_ranges_at(c, x->bytes).time;
		s = machine_latency_s(c, x->bytes) +
		    plogp_at((struct plogp){c->L_s, c->n, c->points}, (double)x->bytes).g_s;
		idle_s += s;
		half_s += s * (r.most - r.least) / 2;
	}
	return idle_s > 0 ? half_s / idle_s : c->uncertainty;
}
