/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With u = U_s, B = W + 2 S_l + S_y, c = (C2-1)/2 and k = (P - P_s) S_o / P_s, equations (11),
 * (13), (14) and (17) are one quadratic
 *	(B - c S_o) u^2 - (k + B + S_o) u + k = 0,
 * whose smaller root is the one below 1. The idle share 1 - u solves another quadratic,
 * without a difference: R_s stays exact when the servers are all but saturated.
 */
#include "models/lopc_server.h"

#include <math.h>

#include "models/domain.h"

static int check(const struct lopc_server *m, struct err *err)
{
	const struct domain_value values[] = {
		{"W", m->W}, {"S_o", m->S_o}, {"S_l", m->S_l}, {"C2", m->C2}, {"S_y", m->S_y}};

	if (domain_whole("P", m->P, 2, err) || domain_all_not_negative(5, values, err))
		return -1;
	if (m->W + 2 * m->S_l + m->S_o + m->S_y <= 0)
		return err_set(err, "W, S_o and S_l are 0: throughput has no limit");
	return 0;
}

static double root(double square, double minus_linear, double constant)
{
	double d = minus_linear * minus_linear - 4 * square * constant;

	return 2 * constant / (minus_linear + sqrt(fmax(d, 0)));
}

static struct lopc_server_at at(const struct lopc_server *m, double P_s)
{
	double c = (m->C2 - 1) / 2, S = m->S_o, B = m->W + 2 * m->S_l + m->S_y;
	double clients = m->P - P_s, A = B - c * S, k = clients * S / P_s, b = k + B + S;
	struct lopc_server_at x = {.P_s = P_s, .bound_client = clients / (B + S)};
	double idle, p = b - 2 * A;

	x.bound_server = S > 0 ? P_s / S : INFINITY;
	if (S == 0) {
		x.R = B;
		x.X = clients / B;
		return x;
	}
	x.U_s = root(A, b, k);
	if (p >= 0)
		idle = 2 * (1 + c) * S / (p + sqrt(fmax(p * p + 4 * A * (1 + c) * S, 0)));
	else
		idle = (sqrt(p * p + 4 * A * (1 + c) * S) - p) / (2 * A);
	x.R_s = S * (1 + c * x.U_s) / idle;
	x.R = B + x.R_s;
	x.X = clients / x.R;
	x.Q_s = x.X * x.R_s / P_s;
	return x;
}

int lopc_server_solve(const struct lopc_server *m, double P_s, struct lopc_server_at *out,
		      struct err *err)
{
	struct lopc_server_at x;

	if (check(m, err) || domain_positive("P_s", P_s, err))
		return -1;
	if (P_s >= m->P)
		return err_set(err, "P_s is %g of %g nodes: no client is left", P_s, m->P);
	x = at(m, P_s);
	if (domain_not_negative("R", x.R, err) || domain_not_negative("X", x.X, err))
		return -1;
	*out = x;
	return 0;
}

/* Throughput has one maximum in P_s; up to the plateau's first number if it is flat. */
static double best_whole(const struct lopc_server *m, double start)
{
	double p = fmin(fmax(floor(start), 1), m->P - 1);

	while (p + 1 <= m->P - 1 && at(m, p + 1).X > at(m, p).X)
		p++;
	while (p - 1 >= 1 && at(m, p - 1).X >= at(m, p).X)
		p--;
	return p;
}

int lopc_server_best(const struct lopc_server *m, struct lopc_server_best *out, struct err *err)
{
	struct lopc_server_best x;

	if (check(m, err))
		return -1;
	x.R_s_opt = m->S_o * (1 + sqrt(2 * (m->C2 + 1)) / 2);
	x.P_s_opt = m->P * x.R_s_opt / (m->W + 2 * m->S_l + m->S_y + 2 * x.R_s_opt);
	x.X_opt = m->S_o > 0 ? x.P_s_opt / x.R_s_opt : m->P / (m->W + 2 * m->S_l + m->S_y);
	x.P_s_best = best_whole(m, x.P_s_opt);
	x.X_best = at(m, x.P_s_best).X;
	if (domain_not_negative("P_s_opt", x.P_s_opt, err) ||
	    domain_not_negative("X_best", x.X_best, err))
		return -1;
	*out = x;
	return 0;
}
