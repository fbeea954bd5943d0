/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/logpc.h"

#include <math.h>

#include "models/domain.h"

static int check(const struct logpc *p, struct err *err)
{
	const struct domain_value values[] = {{"o_s", p->o_s}, {"o_r", p->o_r}, {"L", p->L},
					      {"G", p->G},     {"B", p->B},     {"C_r", p->C_r}};

	return domain_all_not_negative(6, values, err);
}

double logpc_time_at(const struct logpc *p, enum logpc_kind kind, double C_n)
{
	switch (kind) {
	case LOGPC_SHORT:
		return p->o_s + p->L + C_n + p->o_r;
	case LOGPC_LONG:
		return p->o_s + fmax(p->B - 1, 0) * p->G + p->L + C_n;
	case LOGPC_SYNC:
		return 2 * (p->o_s + p->L + C_n + p->o_r) + p->C_r;
	case LOGPC_ASYNC:
		return p->o_s + p->o_r;
	case LOGPC_REMAP:
		break;
	}
	return 2 * p->G * p->B + C_n;
}

struct logpc_cycle logpc_cycle(const struct logpc *p, enum logpc_kind kind)
{
	struct logpc_cycle c = {.messages = kind == LOGPC_SYNC ? 2 : 1, .delays = 1};

	c.T = logpc_time_at(p, kind, 0) - (kind == LOGPC_SYNC ? p->C_r : 0);
	return c;
}

int logpc_time(const struct logpc *p, enum logpc_kind kind, double T,
	       struct logpc_contention *contention, double *time, struct err *err)
{
	struct logpc_cycle cycle = logpc_cycle(p, kind);
	struct logpc_contention x;

	cycle.T = T;
	if (check(p, err))
		return -1;
	if (kind == LOGPC_ASYNC) {
		if (domain_positive("T", T, err) || logpc_open(&p->net, p->B, 1 / T, &x, err))
			return -1;
	} else if (logpc_closed(&p->net, p->B, &cycle, &x, err)) {
		return -1;
	}
	*contention = x;
	*time = logpc_time_at(p, kind, x.C_n);
	return 0;
}

int logpc_pipeline(const struct logpc *p, double a, double G_m, double *time, struct err *err)
{
	if (check(p, err) || domain_not_negative("a", a, err) ||
	    domain_not_negative("G_m", G_m, err))
		return -1;
	*time = p->o_s + p->L + fmax(p->o_r + a * p->G + p->B * G_m, fmax(p->B - 1, 0) * p->G);
	return 0;
}

int logpc_compare_styles(const struct logpc *p, double hot, struct logpc_styles *out,
			 struct err *err)
{
	struct logpc_cycle cycle = logpc_cycle(p, LOGPC_SYNC);
	struct logpc_contention x;
	double sync, handler = p->o_s + p->o_r;

	if (domain_at_least("hot", hot, 1, err) || domain_positive("o_s + o_r", handler, err) ||
	    logpc_time(p, LOGPC_SYNC, cycle.T, &x, &sync, err))
		return -1;
	out->hot_break = (sync - p->o_r) / handler;
	out->sync = fmax(sync, hot * handler + p->o_r);
	out->async = fmax(logpc_time_at(p, LOGPC_ASYNC, 0), hot * p->o_r + p->o_s);
	out->advantage = out->sync / out->async;
	return 0;
}
