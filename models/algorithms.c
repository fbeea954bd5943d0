/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/algorithms.h"

#include <math.h>

/* A job: n processes, m bytes. */
struct job {
	struct plogp p;
	double n;
	double m;
};

static double steps(const struct job *j)
{
	return ceil(log2(j->n));
}

/* One message in every step, of the same size. */
static double doubling(const struct job *j)
{
	return steps(j) * plogp_time(j->p, j->m);
}

/* Half of m, a quarter, ...: a scatter of m by a tree, or a recursive halving. */
static double halving(const struct job *j)
{
	double sum = 0, part = j->m / 2;

	for (double k = 0; k < steps(j); k++, part /= 2)
		sum += plogp_time(j->p, part);
	return sum;
}

static double twice_halving(const struct job *j)
{
	return 2 * halving(j);
}

/* One part, two, four, ...; the last step has what is left of all others' n - 1. */
static double growing(const struct job *j)
{
	double sum = 0, parts = 1, left = j->n - 1;

	for (; left > 0; left -= parts, parts *= 2)
		sum += plogp_time(j->p, j->m * fmin(parts, left));
	return sum;
}

static double ring(const struct job *j)
{
	return (j->n - 1) * plogp_time(j->p, j->m);
}

static double scatter_and_ring(const struct job *j)
{
	struct job part = *j;

	part.m = j->m / j->n;
	return halving(j) + ring(&part);
}

/* One after the other through one port. */
static double linear(const struct job *j)
{
	return j->p.L_s + (j->n - 1) * plogp_at(j->p, j->m).g_s;
}

static double bruck(const struct job *j)
{
	return steps(j) * plogp_time(j->p, j->m * j->n / 2);
}

static const struct {
	enum algorithm_goal goal;
	const char *name;
	double (*time_s)(const struct job *j);
} rows[] = {
	{ALGORITHM_BARRIER, "dissemination", doubling},
	{ALGORITHM_BROADCAST, "binomial tree", doubling},
	{ALGORITHM_BROADCAST, "scatter and allgather", scatter_and_ring},
	{ALGORITHM_REDUCE, "binomial tree", doubling},
	{ALGORITHM_REDUCE, "reduce-scatter and gather", twice_halving},
	{ALGORITHM_ALLREDUCE, "recursive doubling", doubling},
	{ALGORITHM_ALLREDUCE, "reduce-scatter and allgather", twice_halving},
	{ALGORITHM_SCAN, "recursive doubling", doubling},
	{ALGORITHM_GATHER, "linear", linear},
	{ALGORITHM_GATHER, "binomial tree", growing},
	{ALGORITHM_ALLGATHER, "recursive doubling", growing},
	{ALGORITHM_ALLGATHER, "ring", ring},
	{ALGORITHM_ALLTOALL, "linear", linear},
	{ALGORITHM_ALLTOALL, "log-step exchange", bruck},
	{ALGORITHM_REDUCE_SCATTER, "recursive halving", halving},
};

int algorithm_best(enum algorithm_goal goal, struct plogp p, double n, double bytes,
		   struct algorithm_time *out, struct err *err)
{
	const struct job j = {p, n, goal == ALGORITHM_BARRIER ? 0 : bytes};
	struct algorithm_time best = {NULL, INFINITY};

	if (!(n >= 2) || !isfinite(n))
		return err_set(err, "%g processes: a collective takes at least 2", n);
	if (plogp_check(p, err) || plogp_check_size(bytes, err))
		return -1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double time_s;

		if (rows[i].goal != goal)
			continue;
		time_s = rows[i].time_s(&j);
		if (time_s < best.time_s)
			best = (struct algorithm_time){rows[i].name, time_s};
	}
	*out = best;
	return 0;
}
