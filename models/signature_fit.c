/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/signature_fit.h"

#include "models/domain.h"
#include "models/signature_data.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>

#define ROUNDS_MAX 50          /* of weights found from fitted times */
#define SETTLED    1e-10       /* relative change of gamma that ends them */
#define FLOOR      1e-3        /* of the mean time: no fitted time counts as less for its weight */
#define NORMAL     1.959963985 /* standard errors to the end of a 95 % interval */

/* gamma and delta for one M. */
struct line {
	double gamma, delta;
	double var_gamma, var_delta; /* in units of sigma^2 */
	double chi2;                 /* weighted sum of squared residuals */
	double score;                /* -2 log likelihood, up to a constant */
};

/* What GSL needs, allocated once for all M. */
struct workspace {
	gsl_multifit_linear_workspace *work;
	gsl_matrix *X, *cov;
	gsl_vector *y, *w, *c;
	double *scores; /* of each group as M, infinite where there was no line */
};

static void workspace_release(struct workspace *s)
{
	if (s->work)
		gsl_multifit_linear_free(s->work);
	gsl_matrix_free(s->X);
	gsl_matrix_free(s->cov);
	gsl_vector_free(s->y);
	gsl_vector_free(s->w);
	gsl_vector_free(s->c);
	free(s->scores);
}

static int workspace_init(struct workspace *s, const struct signature_data *d, size_t p)
{
	*s = (struct workspace){
		.work = gsl_multifit_linear_alloc(d->n, p),
		.X = gsl_matrix_alloc(d->n, p),
		.cov = gsl_matrix_alloc(p, p),
		.y = gsl_vector_alloc(d->n),
		.w = gsl_vector_alloc(d->n),
		.c = gsl_vector_alloc(p),
		.scores = calloc(d->n_groups, sizeof(*s->scores)),
	};
	return s->work && s->X && s->cov && s->y && s->w && s->c && s->scores ? 0 : -1;
}

static double fitted(const struct workspace *s, size_t i)
{
	double t = 0;

	for (size_t k = 0; k < s->X->size2; k++)
		t += gsl_matrix_get(s->X, i, k) * gsl_vector_get(s->c, k);
	return t;
}

/* Weights from what is known before a fit, or from the fit before. */
static void set_weights(const struct signature_data *d, struct workspace *s, int round)
{
	for (size_t i = 0; i < d->n; i++) {
		double sd = 1;

		if (d->weights == SIGNATURE_REPLICATES)
			sd = d->groups[d->group[i]].sd;
		else if (d->weights == SIGNATURE_RELATIVE)
			sd = fmax(round ? fitted(s, i) : d->groups[d->group[i]].mean,
				  FLOOR * d->mean);
		gsl_vector_set(s->w, i, 1 / (sd * sd));
	}
}

static double score(const struct workspace *s, double chi2)
{
	double n = (double)s->w->size;
	double sum = n * log(fmax(chi2, n * GSL_DBL_EPSILON * GSL_DBL_EPSILON) / n);

	for (size_t i = 0; i < s->w->size; i++)
		sum -= log(gsl_vector_get(s->w, i));
	return sum;
}

/* The best line when delta begins with the group `first`; d->n_groups: without a delta. */
static int fit_line(const struct signature_data *d, struct workspace *s, size_t first,
		    struct line *out)
{
	double before = 0, chi2 = 0;

	for (size_t i = 0; i < d->n; i++) {
		gsl_matrix_set(s->X, i, 0, d->x[i]);
		if (s->X->size2 > 1)
			gsl_matrix_set(s->X, i, 1, d->group[i] >= first);
		gsl_vector_set(s->y, i, d->y[i]);
	}
	for (int round = 0; round < ROUNDS_MAX; round++) {
		set_weights(d, s, round);
		if (gsl_multifit_wlinear(s->X, s->w, s->y, s->c, s->cov, &chi2, s->work))
			return -1;
		if (d->weights != SIGNATURE_RELATIVE ||
		    fabs(gsl_vector_get(s->c, 0) - before) <= SETTLED * fabs(before))
			break;
		before = gsl_vector_get(s->c, 0);
	}
	*out = (struct line){
		.gamma = gsl_vector_get(s->c, 0),
		.var_gamma = gsl_matrix_get(s->cov, 0, 0),
		.chi2 = chi2,
		.score = score(s, chi2),
	};
	if (s->X->size2 > 1) {
		out->delta = gsl_vector_get(s->c, 1);
		out->var_delta = gsl_matrix_get(s->cov, 1, 1);
	}
	return isfinite(out->gamma) && isfinite(out->delta) && isfinite(out->score) ? 0 : -1;
}

/* The M that explains most; at least two sizes pay delta, else it would fit one point's error. */
static int choose_M(const struct signature_data *d, struct workspace *s, size_t *first,
		    struct line *best)
{
	int found = 0;

	for (size_t g = 0; g + 2 <= d->n_groups; g++) {
		struct line l;
		int bad = fit_line(d, s, g, &l);

		s->scores[g] = bad ? INFINITY : l.score;
		if (bad || (found && l.score >= best->score))
			continue;
		*best = l;
		*first = g;
		found = 1;
	}
	return found ? 0 : -1;
}

/* Every M that explains the data hardly worse than the best, by the likelihood ratio. */
static void range_of_M(const struct signature_data *d, const struct workspace *s, double best,
		       struct signature_fit *out)
{
	double most = best + gsl_cdf_chisq_Pinv(0.95, 1);
	size_t low = 0, high = d->n_groups - 2;

	while (s->scores[low] > most)
		low++;
	while (s->scores[high] > most)
		high--;
	out->M_low = low ? d->groups[low - 1].bytes : 0;
	out->M_high = d->groups[high].bytes;
	out->se_M = low ? (out->M_high - out->M_low) / 2 / NORMAL : INFINITY;
}

/* Do the means of the sizes scatter about the line more than the replicates about them? */
static void test_fit(const struct signature_data *d, const struct line *l, size_t first,
		     struct signature_fit *out)
{
	double pure = 0, lack = 0;
	size_t df_pure = d->n - d->n_groups, df_lack = d->n_groups - 2;

	for (size_t i = 0; i < d->n; i++) {
		const struct signature_group *g = &d->groups[d->group[i]];
		double t = l->gamma * d->x[i] + (d->group[i] >= first ? l->delta : 0);
		double sd = d->weights == SIGNATURE_RELATIVE     ? fmax(t, FLOOR * d->mean)
			    : d->weights == SIGNATURE_REPLICATES ? g->sd
								 : 1;

		pure += pow((d->y[i] - g->mean) / sd, 2);
		lack += pow((g->mean - t) / sd, 2);
	}
	if (!df_pure || !(pure > 0))
		return;
	out->tested = 1;
	out->lack_of_fit_F = lack / (double)df_lack / (pure / (double)df_pure);
	out->lack_of_fit_p = gsl_cdf_fdist_Q(out->lack_of_fit_F, (double)df_lack, (double)df_pure);
}

static void fill(const struct signature_question *q, const struct signature_data *d,
		 const struct line *l, size_t first, struct signature_fit *out)
{
	double df = (double)d->n - 2;
	double sigma = sqrt(l->chi2 / df);
	double t = gsl_cdf_tdist_Pinv(0.975, df);

	*out = (struct signature_fit){
		.signature = {.link = q->link,
			      .gamma = l->gamma,
			      .delta = l->delta,
			      .M = d->groups[first].bytes},
		.n = d->processes,
		.samples = d->n,
		.sizes = d->n_groups,
		.M_above = first ? d->groups[first - 1].bytes : 0,
		.se_gamma = sigma * sqrt(l->var_gamma),
		.se_delta = sigma * sqrt(l->var_delta),
		.sigma = sigma,
	};
	out->half_gamma = t * out->se_gamma;
	out->half_delta = t * out->se_delta;
	test_fit(d, l, first, out);
}

/* gamma alone; delta keeps the standard error that it was too uncertain with. */
static int fit_without_delta(const struct signature_data *d, struct line *l)
{
	struct workspace s;
	struct line alone;
	int ret = workspace_init(&s, d, 1) || fit_line(d, &s, d->n_groups, &alone) ? -1 : 0;

	if (!ret) {
		alone.var_delta = l->var_delta;
		*l = alone;
	}
	workspace_release(&s);
	return ret;
}

static int fit(const struct signature_question *q, const struct signature_data *d,
	       struct signature_fit *out, struct err *err)
{
	gsl_error_handler_t *before = gsl_set_error_handler_off();
	struct workspace s;
	struct line l;
	size_t first = 0;
	double score = 0;
	int clamped = 0;
	int ret = -1;

	if (workspace_init(&s, d, 2)) {
		err_set(err, "out of memory for %zu samples", d->n);
		goto out;
	}
	ret = choose_M(d, &s, &first, &l);
	if (!ret)
		score = l.score;
	if (!ret && l.delta < 0) {
		clamped = 1;
		ret = fit_without_delta(d, &l);
	}
	if (ret || !(l.gamma > 0)) {
		ret = err_set(err, "the times do not grow with alpha + m beta: no signature");
		goto out;
	}
	fill(q, d, &l, first, out);
	range_of_M(d, &s, score, out);
	out->delta_clamped = clamped;
out:
	workspace_release(&s);
	gsl_set_error_handler(before);
	return ret;
}

int signature_fit(const struct signature_question *q, size_t count,
		  const struct signature_sample samples[count], struct signature_fit *out,
		  struct err *err)
{
	struct signature_data d = {0};
	struct signature_fit f;
	int ret;

	ret = signature_data_init(&d, q, count, samples, err);
	if (!ret)
		ret = fit(q, &d, &f, err);
	if (!ret) {
		signature_data_range(count, samples, &f);
		*out = f;
	}
	signature_data_release(&d);
	return ret;
}
