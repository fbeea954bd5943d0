/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/signature_data.h"

#include "common/ascending.h"
#include "models/domain.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_fit.h>

#define REPLICATES_MIN 3 /* fewer say nothing about a variance */

static int check(const struct signature_question *q, size_t count,
		 const struct signature_sample samples[count], struct err *err)
{
	if (domain_not_negative("alpha", q->link.alpha_s, err) ||
	    domain_not_negative("beta", q->link.beta_s_per_byte, err))
		return -1;
	if (!(q->link.beta_s_per_byte > 0))
		return err_set(err, "beta is 0: without it all sizes look alike");
	if (q->n != 0 && domain_whole("n", q->n, 2, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (domain_whole("n", samples[i].n, 2, err) ||
		    domain_not_negative("m", samples[i].bytes, err) ||
		    domain_positive("T", samples[i].time, err))
			return -1;
	return 0;
}

/* The distinct sizes measured with n processes, ascending, into sizes[count]. */
static size_t sizes_at(double n, size_t count, const struct signature_sample samples[count],
		       double sizes[count])
{
	size_t all = 0, distinct = 0;

	for (size_t i = 0; i < count; i++)
		if (samples[i].n == n)
			sizes[all++] = samples[i].bytes;
	qsort(sizes, all, sizeof(*sizes), ascending);
	for (size_t i = 0; i < all; i++)
		if (!distinct || sizes[i] != sizes[distinct - 1])
			sizes[distinct++] = sizes[i];
	return distinct;
}

/* The n asked for, else the largest with enough sizes. Leaves its sizes in sizes[]. */
static int choose_n(const struct signature_question *q, size_t count,
		    const struct signature_sample samples[count], double sizes[count],
		    struct signature_data *d, struct err *err)
{
	size_t most = 0;

	d->processes = q->n;
	for (size_t i = 0; i < count && q->n == 0; i++) {
		size_t k;

		if (samples[i].n <= d->processes && most >= SIGNATURE_SIZES_MIN)
			continue;
		k = sizes_at(samples[i].n, count, samples, sizes);
		if (k >= SIGNATURE_SIZES_MIN || k > most) {
			d->processes = samples[i].n;
			most = k;
		}
	}
	d->n_groups = sizes_at(d->processes, count, samples, sizes);
	if (d->n_groups < SIGNATURE_SIZES_MIN)
		return err_set(err, "%zu sizes at n = %g, need at least %d", d->n_groups,
			       d->processes, SIGNATURE_SIZES_MIN);
	return 0;
}

static size_t group_of(const struct signature_data *d, double bytes)
{
	size_t g = 0;

	while (d->groups[g].bytes != bytes)
		g++;
	return g;
}

/* Means and standard deviations of the sizes. */
static void summarise(struct signature_data *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct signature_group *g = &d->groups[d->group[i]];

		g->mean += d->y[i] / (double)g->n;
		d->mean += d->y[i] / (double)d->n;
	}
	for (size_t i = 0; i < d->n; i++) {
		struct signature_group *g = &d->groups[d->group[i]];

		if (g->n > 1)
			g->sd += pow(d->y[i] - g->mean, 2) / (double)(g->n - 1);
	}
	for (size_t k = 0; k < d->n_groups; k++)
		d->groups[k].sd = sqrt(d->groups[k].sd);
}

/*
 * The standard deviations as a power of the mean, log sd = c0 + c1 log mean: those of a few
 * replicates each are too uncertain to be weights by themselves.
 */
static int smooth_replicates(struct signature_data *d, struct err *err)
{
	double *x = calloc(d->n_groups, sizeof(*x)), *y = calloc(d->n_groups, sizeof(*y)),
	       *w = calloc(d->n_groups, sizeof(*w));
	double c0 = 0, c1 = 0, unused;
	int ret = x && y && w ? 0 : err_set(err, "out of memory for %zu sizes", d->n_groups);

	for (size_t k = 0; k < d->n_groups && !ret; k++) {
		const struct signature_group *g = &d->groups[k];

		if (g->n < REPLICATES_MIN || !(g->sd > 0))
			ret = err_set(err,
				      "size %g has %zu times: their variance needs %d that differ",
				      g->bytes, g->n, REPLICATES_MIN);
		x[k] = log(g->mean);
		y[k] = log(g->sd);
		w[k] = (double)g->n - 1;
	}
	if (!ret)
		gsl_fit_wlinear(x, 1, w, 1, y, 1, d->n_groups, &c0, &c1, &unused, &unused, &unused,
				&unused);
	for (size_t k = 0; k < d->n_groups && !ret; k++)
		d->groups[k].sd = exp(c0 + c1 * x[k]);
	free(x);
	free(y);
	free(w);
	return ret;
}

static int group(struct signature_data *d, const struct signature_question *q, size_t count,
		 const struct signature_sample samples[count], const double sizes[count])
{
	d->x = calloc(count, sizeof(*d->x));
	d->y = calloc(count, sizeof(*d->y));
	d->group = calloc(count, sizeof(*d->group));
	d->groups = calloc(d->n_groups, sizeof(*d->groups));
	if (!d->x || !d->y || !d->group || !d->groups)
		return -1;
	for (size_t k = 0; k < d->n_groups; k++)
		d->groups[k].bytes = sizes[k];
	for (size_t i = 0; i < count; i++) {
		if (samples[i].n != d->processes)
			continue;
		d->x[d->n] = q->link.alpha_s + samples[i].bytes * q->link.beta_s_per_byte;
		d->y[d->n] = samples[i].time / (d->processes - 1);
		d->group[d->n] = group_of(d, samples[i].bytes);
		d->groups[d->group[d->n++]].n++;
	}
	summarise(d);
	return 0;
}

int signature_data_init(struct signature_data *d, const struct signature_question *q, size_t count,
			const struct signature_sample samples[count], struct err *err)
{
	double *sizes;
	int ret = -1;

	*d = (struct signature_data){.weights = q->weights};
	if (check(q, count, samples, err))
		return -1;
	sizes = calloc(count + 1, sizeof(*sizes));
	if (!sizes)
		return err_set(err, "out of memory for %zu samples", count);
	if (!choose_n(q, count, samples, sizes, d, err)) {
		ret = group(d, q, count, samples, sizes);
		if (ret)
			err_set(err, "out of memory for %zu samples", count);
	}
	if (!ret && d->weights == SIGNATURE_REPLICATES)
		ret = smooth_replicates(d, err);
	free(sizes);
	return ret;
}

void signature_data_release(struct signature_data *d)
{
	free(d->x);
	free(d->y);
	free(d->group);
	free(d->groups);
	*d = (struct signature_data){0};
}

/*
 * Relative error of the signature where it is worst, of the times of n processes at each size: a
 * library may take another algorithm for that many at some sizes only. Each time counts, not their
 * mean: another launch's may be as far from it.
 */
static double worst_error(double n, size_t count, const struct signature_sample samples[count],
			  const struct signature *s)
{
	struct err unused;
	double worst = -1;

	for (size_t i = 0; i < count; i++) {
		double time;

		if (samples[i].n != n || signature_time(s, n, samples[i].bytes, &time, &unused))
			continue;
		worst = fmax(worst, fabs(time / samples[i].time - 1));
	}
	return worst < 0 ? INFINITY : worst;
}

/* The measured n next to `from` in a direction (1 or -1); 0 = none. */
static double next_n(double from, int direction, size_t count,
		     const struct signature_sample samples[count])
{
	double next = 0;

	for (size_t i = 0; i < count; i++) {
		double n = samples[i].n;

		if ((n - from) * direction > 0 && (next == 0 || (next - n) * direction > 0))
			next = n;
	}
	return next;
}

void signature_data_range(size_t count, const struct signature_sample samples[count],
			  struct signature_fit *f)
{
	double n;

	f->n_low = f->n_high = f->n;
	while ((n = next_n(f->n_low, -1, count, samples)) > 0 &&
	       worst_error(n, count, samples, &f->signature) <= SIGNATURE_TOLERANCE)
		f->n_low = n;
	f->n_below = n > 0;
	while ((n = next_n(f->n_high, 1, count, samples)) > 0 &&
	       worst_error(n, count, samples, &f->signature) <= SIGNATURE_TOLERANCE)
		f->n_high = n;
}
