/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/scaled_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A message of so many bytes takes hardly longer than an empty one. */
#define SMALL_BYTES 1024

/* Is there a size that shows what none of its bytes takes? */
static int has_empty(const struct machine_class *c)
{
	return c->points[0].bytes <= 0;
}

/* LogP's time of a message but for what a way adds per byte, and MPI's work in it. */
static double time_of(const struct machine_class *c, const struct plogp_point *p)
{
	return c->L_s + p->g_s;
}

static int has_open_work(const struct machine_class *c)
{
	return (c->joint & (MACHINE_JOINT_O_S | MACHINE_JOINT_O_R)) != 0;
}

static double work_of(const struct machine_class *c, const struct plogp_point *p, int all_work)
{
	double work_s = p->o_s_s + p->o_r_s;

	if (all_work && has_open_work(c))
		work_s += machine_slowest_handling_s(0);
	return fmin(time_of(c, p), work_s);
}

/*
 * What no byte adds to a message's time: at least MPI's work and what the smallest takes beyond
 * what the slowest network does for its bytes, at most all that it takes.
 */
static double base_of(const struct machine_class *c, struct machine_reading reading)
{
	const struct plogp_point *p = c->points;
	double most_s = time_of(c, p), least_s = most_s - machine_slowest_port_s(p->bytes), slope_s;

	least_s = fmax(least_s, work_of(c, p, reading.all_work));
	if (has_empty(c) || reading.bytes == BYTES_LEAST)
		return most_s;
	if (reading.bytes == BYTES_MOST)
		return least_s;
	if (c->n < 2)
		return p->bytes <= SMALL_BYTES ? most_s : least_s;
	slope_s = (p[1].g_s - p[0].g_s) / (p[1].bytes - p[0].bytes);
	return fmin(most_s, fmax(least_s, most_s - slope_s * p[0].bytes));
}

/* L is what is left of that beside the gap, which is as it was where the two are known apart. */
static void scale_points(struct machine_class *c, const struct factors *x,
			 struct machine_reading reading, struct plogp_point scaled[])
{
	const struct plogp_point *p = c->points;
	int is_joint = !!(c->joint & (MACHINE_JOINT_L_G | MACHINE_JOINT_SUM));
	double base_s = base_of(c, reading), work_s = work_of(c, p, reading.all_work);
	double now_s = work_s * x->overhead + (base_s - work_s) * x->latency;
	double gap_s = time_of(c, p) > 0 ? p->g_s * base_s / time_of(c, p) : 0;
	double L_s;

	gap_s = is_joint && base_s > 0 ? gap_s * now_s / base_s : fmin(gap_s, now_s);
	L_s = now_s - gap_s;
	for (uint32_t k = 0; k < c->n; k++)
		scaled[k] = (struct plogp_point){
			p[k].bytes, p[k].o_s_s * x->overhead, p[k].o_r_s * x->overhead,
			gap_s + fmax(0, time_of(c, &p[k]) - base_s) / x->bandwidth};
	c->L_s = L_s;
}

static int scale_class(struct machine_class *c, const struct factors *x,
		       struct machine_reading reading)
{
	struct plogp_point *points;

	if (!c->n)
		return 0;
	points = malloc(c->n * sizeof(*points));
	if (!points)
		return -1;
	c->handshake_s = (c->has_handshake ? c->handshake_s : c->L_s) * x->latency;
	c->has_handshake = 1;
	scale_points(c, x, reading, points);
	c->L_s_per_byte /= x->bandwidth;
	c->points = points;
	return 0;
}

int scaled_machine_init(struct machine *out, const struct machine *m, const struct factors *x,
			struct machine_reading reading, struct err *err)
{
	memset(out, 0, sizeof(*out));
	out->source = m->source;
	for (int k = 0; k < LOCALITY_COUNT; k++) {
		out->classes[k] = m->classes[k];
		out->classes[k].points = NULL;
	}
	for (int k = 0; k < LOCALITY_COUNT; k++) {
		struct machine_class c = m->classes[k];

		if (scale_class(&c, x, reading)) {
			scaled_machine_release(out);
			return err_set(err, "out of memory for another machine");
		}
		out->classes[k] = c;
	}
	return 0;
}

void scaled_machine_release(struct machine *m)
{
	for (int k = 0; k < LOCALITY_COUNT; k++)
		free(m->classes[k].n ? m->classes[k].points : NULL);
	memset(m, 0, sizeof(*m));
}

int scaled_machine_is_open(const struct machine *m)
{
	for (int k = 0; k < LOCALITY_COUNT; k++)
		if (m->classes[k].n && !has_empty(&m->classes[k]))
			return 1;
	return 0;
}

int scaled_machine_work_is_open(const struct machine *m)
{
	for (int k = 0; k < LOCALITY_COUNT; k++)
		if (m->classes[k].n && has_open_work(&m->classes[k]))
			return 1;
	return 0;
}
