/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/maxmin.h"

#include "models/domain.h"

#include <math.h>
#include <stdlib.h>

#define SAME 1e-12 /* links that fill within this of each other fill together */

/* A link while flows grow. */
struct filling {
	double taken; /* by flows that have stopped */
	double users; /* flows that still grow, each as often as it crosses the link */
};

static int check(struct maxmin_links links, size_t n, const struct maxmin_flow flows[n],
		 struct err *err)
{
	for (size_t l = 0; l < links.n; l++)
		if (!isfinite(links.capacity[l]) || links.capacity[l] < 0)
			return err_set(err, "link %zu has capacity %g, must be 0 or more", l,
				       links.capacity[l]);
	for (size_t f = 0; f < n; f++) {
		if (!(flows[f].cap >= 0))
			return err_set(err, "flow %zu has cap %g, must be 0 or more", f,
				       flows[f].cap);
		if (!flows[f].n && isinf(flows[f].cap))
			return err_set(err, "flow %zu crosses no link and has no cap", f);
		for (size_t k = 0; k < flows[f].n; k++)
			if (flows[f].links[k] >= links.n)
				return err_set(err, "flow %zu crosses link %zu of %zu", f,
					       flows[f].links[k], links.n);
	}
	return 0;
}

/* The common rate at which a link is full; INFINITY when nobody on it grows. */
static double full_at(double capacity, const struct filling *l)
{
	return l->users > 0 ? fmax(0, capacity - l->taken) / l->users : INFINITY;
}

/* The common rate at which the next flow stops. */
static double next_stop(struct maxmin_links links, const struct filling *state, size_t n,
			const struct maxmin_flow flows[n], const struct maxmin_rate rates[n])
{
	double level = INFINITY;

	for (size_t l = 0; l < links.n; l++)
		level = fmin(level, full_at(links.capacity[l], &state[l]));
	for (size_t f = 0; f < n; f++)
		if (rates[f].rate < 0)
			level = fmin(level, flows[f].cap);
	return level;
}

/* What stops the flow at this level: a full link or its cap; -1 when nothing does. */
static int stops(struct maxmin_links links, const struct filling *state,
		 const struct maxmin_flow *flow, double level, size_t *by)
{
	for (size_t k = 0; k < flow->n; k++) {
		size_t l = flow->links[k];

		if (full_at(links.capacity[l], &state[l]) <= level * (1 + SAME)) {
			*by = l;
			return 0;
		}
	}
	*by = MAXMIN_OWN_CAP;
	return flow->cap <= level ? 0 : -1;
}

/* Stop what has to at this level; all are judged before any leaves. Returns how many. */
static size_t stop(struct maxmin_links links, struct filling *state, double level, size_t n,
		   const struct maxmin_flow flows[n], struct maxmin_rate rates[n], char *stopping)
{
	size_t stopped = 0;

	for (size_t f = 0; f < n; f++)
		stopping[f] = rates[f].rate < 0 &&
			      !stops(links, state, &flows[f], level, &rates[f].bottleneck);
	for (size_t f = 0; f < n; f++) {
		if (!stopping[f])
			continue;
		stopped++;
		rates[f].rate = level;
		for (size_t k = 0; k < flows[f].n; k++) {
			state[flows[f].links[k]].taken += level;
			state[flows[f].links[k]].users--;
		}
	}
	return stopped;
}

int maxmin_share(struct maxmin_links links, size_t n, const struct maxmin_flow flows[n],
		 struct maxmin_rate rates[n], struct err *err)
{
	struct filling *state = NULL;
	char *stopping = NULL;
	size_t left = n;
	int ret = -1;

	if (check(links, n, flows, err))
		return -1;
	state = calloc(links.n + 1, sizeof(*state));
	stopping = calloc(n + 1, 1);
	if (!state || !stopping) {
		err_set(err, "out of memory for %zu links and %zu flows", links.n, n);
		goto out;
	}
	for (size_t f = 0; f < n; f++) {
		rates[f] = (struct maxmin_rate){-1, MAXMIN_OWN_CAP};
		for (size_t k = 0; k < flows[f].n; k++)
			state[flows[f].links[k]].users++;
	}
	while (left > 0)
		left -= stop(links, state, next_stop(links, state, n, flows, rates), n, flows,
			     rates, stopping);
	ret = 0;
out:
	free(stopping);
	free(state);
	return ret;
}

double maxmin_loads(struct maxmin_links links, size_t n, const struct maxmin_flow flows[n],
		    const struct maxmin_rate rates[n], double loads[])
{
	double total = 0;

	for (size_t l = 0; l < links.n; l++)
		loads[l] = 0;
	for (size_t f = 0; f < n; f++) {
		total += rates[f].rate;
		for (size_t k = 0; k < flows[f].n; k++)
			loads[flows[f].links[k]] += rates[f].rate;
	}
	return total;
}

int maxmin_window_cap(double window, double rtt, double *cap, struct err *err)
{
	if (domain_not_negative("window", window, err) || domain_positive("rtt", rtt, err))
		return -1;
	*cap = window / rtt;
	return 0;
}
