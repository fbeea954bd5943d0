/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With W = w/b, eq. (15) is
 *	M = P W + (P-1)(d + O_r) + (b-1)(O_s + W + O_r).
 * Collected by powers of b it is const + p/b + q b: for messages of n/b values, s bytes
 * in all, p = (P-1) w + (P-3) s G and q = o_s - (2 + a) G; for messages of one size
 * p = (P-1) w and q = O_s + O_r. dM/db = 0 at b = sqrt(p/q).
 */
#include "models/diamond_dag.h"

#include <math.h>

#include "models/domain.h"

struct block {
	double W, B, O_s, O_r;
};

static double work_of_all_blocks(const struct diamond *m)
{
	return m->n * m->n / m->P * m->t_task + m->alpha_agg * m->n;
}

static struct block block_at(const struct diamond *m, double b)
{
	struct block x = {.W = work_of_all_blocks(m) / b};

	x.B = m->bytes > 0 ? m->bytes : m->bytes_per_value * m->n / b;
	x.O_s = m->o_s + fmax(x.B - 1, 0) * m->G;
	x.O_r = fmax(x.B - 1 - m->a, 0) * m->G;
	return x;
}

double diamond_makespan(const struct diamond_stripes *x, double b)
{
	return x->P * x->W + (x->P - 1) * x->hop + (b - 1) * fmax(x->O_s + x->W + x->O_r, x->gap);
}

static double makespan(const struct diamond *m, double b)
{
	struct block x = block_at(m, b);
	double d = m->L + m->a * m->G;
	struct diamond_stripes stripes = {m->P, x.W, d + x.O_r, x.O_s, x.O_r, 0};

	return diamond_makespan(&stripes, b);
}

/* C_n of a block; 0 when nothing takes any time. */
static double delay(const struct diamond *m, double b)
{
	struct block x = block_at(m, b);
	struct logpc_cycle v = {.T = x.O_s + x.W + x.O_r, .messages = 1, .delays = 2};
	struct logpc_contention c;
	struct err ignored;

	return logpc_closed(&m->net, x.B, &v, &c, &ignored) ? 0 : c.C_n;
}

/* P - 1 sends until the last stripe starts, then b - 1 sends and receipts in it. */
static double makespan_contention(const struct diamond *m, double b)
{
	return makespan(m, b) + (m->P - 1 + 2 * (b - 1)) * delay(m, b);
}

static double best_real(const struct diamond *m)
{
	double w = work_of_all_blocks(m), p, q;
	struct block x = block_at(m, m->b);

	if (m->bytes > 0) {
		p = (m->P - 1) * w;
		q = x.O_s + x.O_r;
	} else {
		p = (m->P - 1) * w + (m->P - 3) * m->bytes_per_value * m->n * m->G;
		q = m->o_s - (2 + m->a) * m->G;
	}
	if (p <= 0)
		return 1;
	return q <= 0 ? m->n : fmin(fmax(sqrt(p / q), 1), m->n);
}

/*
 * The whole number of least f. All of them up to some thousands; beyond, the neighbourhood of
 * the best of a grid that grows by 1 %.
 */
static double best_whole(const struct diamond *m, double (*f)(const struct diamond *, double))
{
	double best = 1, least = f(m, 1), from = 1, to = m->n;

	if (m->n > 20000) {
		for (double b = 1; b <= m->n; b = fmax(b + 1, floor(b * 1.01))) {
			double x = f(m, b);

			if (x < least) {
				least = x;
				best = b;
			}
		}
		from = fmax(1, floor(best / 1.011) - 1);
		to = fmin(m->n, fmin(from + 20000, ceil(best * 1.011) + 1));
	}
	for (double b = from; b <= to; b++) {
		double x = f(m, b);

		if (x < least) {
			least = x;
			best = b;
		}
	}
	return best;
}

static int check(const struct diamond *m, struct err *err)
{
	const struct domain_value values[] = {
		{"t_task", m->t_task}, {"alpha_agg", m->alpha_agg},
		{"o_s", m->o_s},       {"L", m->L},
		{"G", m->G},           {"a", m->a},
		{"bytes", m->bytes},   {"bytes_per_value", m->bytes_per_value},
		{"k_d", m->net.k_d},   {"channel", m->net.channel_per_byte}};

	if (domain_whole("P", m->P, 2, err) || domain_whole("n", m->n, 1, err) ||
	    domain_whole("b", m->b, 1, err) || domain_at_least("dimensions", m->net.n, 1, err))
		return -1;
	if (m->b > m->n)
		return err_set(err, "b is %g, but a stripe has only n = %g columns", m->b, m->n);
	return domain_all_not_negative(sizeof(values) / sizeof(values[0]), values, err);
}

int diamond_solve(const struct diamond *m, struct diamond_result *out, struct err *err)
{
	struct diamond_result r;
	struct block x;

	if (check(m, err))
		return -1;
	x = block_at(m, m->b);
	r.W = x.W;
	r.O_s = x.O_s;
	r.O_r = x.O_r;
	r.M = makespan(m, m->b);
	r.C_n = delay(m, m->b);
	r.M_contention = makespan_contention(m, m->b);
	r.communication = x.W > 0 ? 2 * m->G * x.B / x.W : 0;
	r.b_opt = best_real(m);
	r.b_best = best_whole(m, makespan);
	r.b_best_contention = best_whole(m, makespan_contention);
	if (domain_not_negative("M", r.M, err) ||
	    domain_not_negative("M_contention", r.M_contention, err))
		return -1;
	*out = r;
	return 0;
}
