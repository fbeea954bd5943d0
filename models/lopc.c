/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solution. With u = S_o/R and c = (C2-1)/2, equations (3) to (6') are linear in the
 * response times q = R_q/S_o and y = R_y/S_o and give
 *	q - 1 = (1 + c) u (2 + u) / (1 - u - u^2),   y - 1 = u (q + c).
 * Both, and R_w, grow with u for every C2 >= 0, so the right side F of (1) falls as R grows:
 * R = F(R) has one root. F(lower) >= lower, and because F falls the root is not above
 * F(lower): bisection between the two always ends. The contention is added up from its
 * parts, never a difference of large numbers: S_o may be 12 decades below W.
 */
#include "models/lopc.h"

#include <math.h>

#include "models/domain.h"

struct parts {
	double work, request, reply; /* contention in each */
};

static double without_contention(const struct lopc *m)
{
	return m->W + 2 * m->S_l + 2 * m->S_o;
}

static struct parts parts_at(const struct lopc *m, double R)
{
	double u = m->S_o / R, c = (m->C2 - 1) / 2;
	double q = (1 + c) * u * (2 + u) / (1 - u - u * u); /* R_q/S_o - 1 */
	double y = u * (1 + q + c);                         /* R_y/S_o - 1 */
	struct parts x = {.request = m->S_o * q, .reply = m->S_o * y};

	if (m->handlers == LOPC_INTERRUPT_WORK)
		x.work = (m->W * u + m->S_o * u * (1 + q)) / (1 - u); /* Q_q = u R_q/S_o */
	return x;
}

static double sum(struct parts x)
{
	return x.work + x.request + x.reply;
}

double lopc_cycle(const struct lopc *m, double R)
{
	return without_contention(m) + sum(parts_at(m, R));
}

/* The root of R = F(R); S_o > 0. */
static double solve(const struct lopc *m)
{
	double low = without_contention(m), high = lopc_cycle(m, low);

	for (int i = 0; i < 2000; i++) {
		double mid = low + (high - low) / 2;

		if (mid <= low || mid >= high)
			break;
		if (lopc_cycle(m, mid) > mid)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/*
 * How many handlers a cycle lasts without work and latency, where contention is worst:
 * the constant of eq. (9), rounded up to two digits as the paper does.
 */
static double most_handlers(const struct lopc *m)
{
	struct lopc bare = {.S_o = 1, .C2 = m->C2, .handlers = m->handlers};

	return ceil(solve(&bare) * 100) / 100;
}

static int check(const struct lopc *m, struct err *err)
{
	const struct domain_value values[] = {
		{"W", m->W}, {"S_o", m->S_o}, {"S_l", m->S_l}, {"C2", m->C2}};

	if (domain_whole("P", m->P, 2, err))
		return -1;
	return domain_all_not_negative(4, values, err);
}

int lopc_solve(const struct lopc *m, struct lopc_result *out, struct err *err)
{
	struct lopc_result r = {.R = 0};
	struct parts x = {0, 0, 0};

	if (check(m, err))
		return -1;
	r.lower = without_contention(m);
	r.rule = r.lower + m->S_o;
	r.upper = r.lower;
	if (m->S_o > 0) {
		double R = solve(m);

		x = parts_at(m, R);
		r.upper = m->W + 2 * m->S_l + most_handlers(m) * m->S_o;
		r.U = m->S_o / R;
		r.Q_q = (m->S_o + x.request) / R;
		r.Q_y = (m->S_o + x.reply) / R;
	}
	r.contention_work = x.work;
	r.contention_request = x.request;
	r.contention_reply = x.reply;
	r.contention = sum(x);
	r.R = r.lower + r.contention;
	r.R_w = m->W + x.work;
	r.R_q = m->S_o + x.request;
	r.R_y = m->S_o + x.reply;
	r.share = r.R > 0 ? r.contention / r.R : 0;
	if (domain_not_negative("R", r.R, err) || domain_not_negative("upper", r.upper, err))
		return -1;
	*out = r;
	return 0;
}

int lopc_run_time(const struct lopc_result *r, double n, double *time, struct err *err)
{
	if (domain_not_negative("n", n, err) || domain_not_negative("n R", n * r->R, err))
		return -1;
	*time = n * r->R;
	return 0;
}
