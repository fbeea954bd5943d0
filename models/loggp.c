/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/loggp.h"

#include "models/domain.h"

#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>

double loggp_time(struct loggp m, double bytes)
{
	return 2 * m.o_s + m.L_s + fmax(0, bytes - 1) * m.G_s_per_byte;
}

int loggp_message(struct loggp m, double bytes, double *time_s, struct err *err)
{
	const struct domain_value values[] = {
		{"m", bytes}, {"o", m.o_s}, {"L", m.L_s}, {"g", m.g_s}, {"G", m.G_s_per_byte}};

	if (domain_all_not_negative(5, values, err))
		return -1;
	*time_s = loggp_time(m, bytes);
	return 0;
}

/* Bisquare fit of c[0] + c[1] x. Returns a GSL status. */
static int robust_line(size_t n, const double x[n], const double y[n], double c[2])
{
	gsl_multifit_robust_workspace *work = NULL;
	gsl_matrix *X = NULL, *cov = NULL;
	gsl_vector *b = NULL;
	int status = GSL_ENOMEM;

	X = gsl_matrix_alloc(n, 2);
	cov = gsl_matrix_alloc(2, 2);
	b = gsl_vector_alloc(2);
	work = gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, n, 2);
	if (!X || !cov || !b || !work)
		goto out;
	for (size_t i = 0; i < n; i++) {
		gsl_matrix_set(X, i, 0, 1);
		gsl_matrix_set(X, i, 1, x[i]);
	}
	gsl_vector_const_view v = gsl_vector_const_view_array(y, n);

	status = gsl_multifit_robust(X, &v.vector, b, cov, work);
	c[0] = gsl_vector_get(b, 0);
	c[1] = gsl_vector_get(b, 1);
out:
	if (work)
		gsl_multifit_robust_free(work);
	gsl_vector_free(b);
	gsl_matrix_free(cov);
	gsl_matrix_free(X);
	return status;
}

static int sizes_differ(size_t n, const double bytes[n])
{
	for (size_t i = 1; i < n; i++)
		if (bytes[i] != bytes[0])
			return 1;
	return 0;
}

/* Mean of y; the level of a line that may not slope. */
static double mean(size_t n, const double y[n])
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += y[i];
	return sum / n;
}

int loggp_fit(struct loggp *m, size_t n, const double bytes[n], const double s[n], struct err *err)
{
	gsl_error_handler_t *before;
	double c[2], cov00, cov01, cov11, sumsq;
	int status = GSL_EFAILED;

	if (n < 2 || !sizes_differ(n, bytes))
		return err_set(err, "%zu samples of one size, need two sizes", n);
	before = gsl_set_error_handler_off();
	if (n >= 4) /* fewer leave the bisquare weights nothing to judge by */
		status = robust_line(n, bytes, s, c);
	if (status || !isfinite(c[0]) || !isfinite(c[1]))
		status = gsl_fit_linear(bytes, 1, s, 1, n, &c[0], &c[1], &cov00, &cov01, &cov11,
					&sumsq);
	gsl_set_error_handler(before);
	if (status || !isfinite(c[0]) || !isfinite(c[1]))
		return err_set(err, "no line through %zu samples", n);
	if (c[1] < 0) {
		c[1] = 0;
		c[0] = mean(n, s);
	}
	if (c[0] < 0) { /* best line through the origin */
		double xy = 0, xx = 0;

		for (size_t i = 0; i < n; i++) {
			xy += bytes[i] * s[i];
			xx += bytes[i] * bytes[i];
		}
		c[0] = 0;
		c[1] = xy / xx;
	}
	*m = (struct loggp){.L_s = c[0], .G_s_per_byte = c[1]};
	return 0;
}
