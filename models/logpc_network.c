/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With h = bytes x channel_per_byte, D = (n+1)(k_d-1) h^2/2 and E = h k_d/2:
 *	C_n = D m / (1 - E m),   rho = E m.
 * Closed, j messages in T + w C_n: (w D - T E) m^2 + (T + j E) m - j = 0. The left side of
 * m (T + w C_n) = j grows from 0 to infinity while rho goes from 0 to 1, so one root has
 * rho < 1: the smaller positive one. Its discriminant is (T - jE)^2 + 4 j w D >= 0.
 */
#include "models/logpc_network.h"

#include <math.h>

#include "models/domain.h"

struct terms {
	double D, E;
};

static int check(const struct logpc_network *net, double bytes, struct err *err)
{
	const struct domain_value values[] = {
		{"k_d", net->k_d}, {"channel", net->channel_per_byte}, {"B", bytes}};

	if (domain_at_least("n", net->n, 1, err))
		return -1;
	return domain_all_not_negative(3, values, err);
}

static struct terms terms_of(const struct logpc_network *net, double bytes)
{
	double h = bytes * net->channel_per_byte;
	struct terms t = {.E = h * net->k_d / 2};

	t.D = (net->n + 1) * fmax(net->k_d - 1, 0) * h * h / 2;
	return t;
}

int logpc_open(const struct logpc_network *net, double bytes, double m,
	       struct logpc_contention *out, struct err *err)
{
	struct logpc_contention x = {.m = m};
	struct terms t;

	if (check(net, bytes, err) || domain_not_negative("m", m, err))
		return -1;
	t = terms_of(net, bytes);
	x.rho = t.E * m;
	if (x.rho >= 1)
		return err_set(err,
			       "rho is %g: messages at rate %g hold the channels for more time "
			       "than there is; a closed model lowers the rate",
			       x.rho, m);
	x.C_n = t.D * m / (1 - x.rho);
	if (domain_not_negative("C_n", x.C_n, err))
		return -1;
	*out = x;
	return 0;
}

static struct logpc_contention close_cycle(struct terms t, const struct logpc_cycle *c)
{
	struct logpc_contention x = {.C_n = 0};
	double j = c->messages, wD = c->delays * t.D, b = c->T + j * t.E, gap = c->T - j * t.E;

	if (t.D == 0) {
		x.m = j / fmax(c->T, j * t.E);
		x.rho = fmin(t.E * x.m, 1);
		return x;
	}
	x.m = 2 * j / (b + sqrt(gap * gap + 4 * j * wD));
	x.rho = t.E * x.m;
	/* Whichever form has no difference of nearly equal numbers. */
	x.C_n = x.rho < 0.5 ? t.D * x.m / (1 - x.rho) : (j / x.m - c->T) / c->delays;
	return x;
}

int logpc_closed(const struct logpc_network *net, double bytes, const struct logpc_cycle *cycle,
		 struct logpc_contention *out, struct err *err)
{
	struct logpc_contention x;
	struct terms t;

	if (check(net, bytes, err) || domain_not_negative("T", cycle->T, err) ||
	    domain_positive("messages", cycle->messages, err) ||
	    domain_positive("delays", cycle->delays, err))
		return -1;
	t = terms_of(net, bytes);
	if (cycle->T == 0 && t.E == 0)
		return err_set(err, "T is 0 and messages take no time: their rate has no limit");
	x = close_cycle(t, cycle);
	if (domain_not_negative("C_n", x.C_n, err) || domain_not_negative("m_c", x.m, err))
		return -1;
	*out = x;
	return 0;
}

int logpc_bound(const struct logpc_network *net, double G, struct logpc_bound *out, struct err *err)
{
	struct logpc_cycle sending = {.T = 2 * G, .messages = 1, .delays = 1};
	struct logpc_contention x;

	if (domain_positive("G", G, err) || logpc_closed(net, 1, &sending, &x, err))
		return -1;
	out->F = 1 / x.m;
	out->slowdown = out->F / (2 * G);
	return 0;
}
