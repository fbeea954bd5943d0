/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/contention.h"

#include "calibrate/exchanges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM ((size_t)16 << 20) /* bytes of a buffer */

/* Shares of the time. */
#define SHARE_RATES  0.15
#define SHARE_FAN    0.1
#define SHARE_STRESS 0.1 /* ... and the exchanges what is left */

#define LEAST 5
#define MOST  25

/* A message is delayed when it takes so many times as long as one alone. */
#define DELAYED 1.5

/* Ranks from host `host` of the places, at most `most` of them. */
static int of_host(const struct place places[], int n, const char *host, int most, int ranks[most])
{
	int i, found = 0;

	for (i = 0; i < n && found < most; i++)
		if (!strcmp(places[i].host, host))
			ranks[found++] = i;
	return found;
}

/*
 * Pairs of ranks from rank 0's host to the host that has the most others, or within the host
 * when it is the only one. Returns how many; pairs has room for n ranks.
 */
static int find_pairs(const struct place places[], int n, int pairs[n])
{
	int *here = calloc((size_t)n, sizeof(*here)), *there = calloc((size_t)n, sizeof(*there));
	int i, k = 0, found, n_here, n_there = 0;

	if (!here || !there)
		goto out;
	n_here = of_host(places, n, places[0].host, n, here);
	for (i = 0; i < n; i++) {
		int *ranks = pairs; /* as scratch */

		if (!strcmp(places[i].host, places[0].host))
			continue;
		found = of_host(places, n, places[i].host, n, ranks);
		if (found > n_there) {
			n_there = found;
			memcpy(there, ranks, (size_t)found * sizeof(*there));
		}
	}
	if (n_here == n) { /* the second half is "there" */
		n_here = n / 2;
		n_there = n / 2;
		memcpy(there, here + n / 2, (size_t)n_there * sizeof(*there));
	}
	for (k = 0; k < n_here && k < n_there; k++) {
		pairs[2 * k] = here[k];
		pairs[2 * k + 1] = there[k];
	}
out:
	free(there);
	free(here);
	return k;
}

/* 1, 2, 3, 4, 6, 8, 12 ... up to most, which is the last. Returns how many. */
static int steps_up_to(int most, int k[CONTENTION_STEPS])
{
	static const int scale[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
	int i, n = 0;

	for (i = 0; i < (int)(sizeof(scale) / sizeof(*scale)) && n < CONTENTION_STEPS - 1; i++)
		if (scale[i] < most)
			k[n++] = scale[i];
	if (most > 0)
		k[n++] = most;
	return n;
}

static void fit_rates(struct contention_rates *r, double alpha)
{
	double most = 0, first = r->step[0].rate.value;
	int i;

	for (i = 0; i < r->n; i++)
		most = fmax(most, r->step[i].rate.value);
	r->fit = (struct max_rate){alpha, most, first, first};
	if (r->n > 1)
		r->fit.R_i = fmax(0, (r->step[1].rate.value - first) / (r->step[1].k - 1));
	/* the last one that joined brought less than half of its own rate */
	i = r->n - 1;
	r->saturates = i > 0 && r->step[i].rate.value - r->step[i - 1].rate.value <
					0.5 * first * (r->step[i].k - r->step[i - 1].k);
}

static void measure_rates(struct together *t, const struct contention_plan *plan, size_t bytes,
			  int pairs, struct contention_rates *out)
{
	int k[CONTENTION_STEPS], n = pairs > 1 ? steps_up_to(pairs, k) : 0, i;

	out->bytes = bytes;
	for (i = 0; i < n; i++) {
		struct samples s = {0};
		struct together_plan p = {.traffic = TRAFFIC_PAIRS,
					  .k = k[i],
					  .bytes = bytes,
					  .most_s = plan->most_s * SHARE_RATES / n,
					  .least = LEAST,
					  .most = MOST};
		double sent = (double)k[i] * TOGETHER_BURST * (double)bytes;
		struct estimate e;

		together_measure(t, &p, &s, NULL);
		e = samples_median(&s);
		samples_release(&s);
		out->step[i].k = k[i];
		if (e.value > 0 && e.low > 0)
			out->step[i].rate =
				(struct estimate){sent / e.value, sent / e.high, sent / e.low, e.n};
	}
	out->n = n;
	if (t->rank == 0 && n)
		fit_rates(out, plan->link.alpha_s);
}

/* Least squares of the steps' medians. */
static void fit_fan(struct contention_fan *f)
{
	double k = 0, y = 0, kk = 0, ky = 0, rest = 0, off;
	int i;

	for (i = 0; i < f->n; i++) {
		k += f->step[i].k / (double)f->n;
		y += f->step[i].time_s.value / f->n;
	}
	for (i = 0; i < f->n; i++) {
		kk += (f->step[i].k - k) * (f->step[i].k - k);
		ky += (f->step[i].k - k) * (f->step[i].time_s.value - y);
	}
	f->slope_s = kk > 0 ? ky / kk : 0;
	for (i = 0; i < f->n; i++) {
		off = f->step[i].time_s.value - y - f->slope_s * (f->step[i].k - k);
		rest += off * off;
	}
	f->slope_se_s = f->n > 2 && kk > 0 ? sqrt(rest / (f->n - 2) / kk) : 0;
}

static void measure_fan(struct together *t, const struct contention_plan *plan,
			enum traffic traffic, size_t bytes, struct contention_fan *out)
{
	int k[CONTENTION_STEPS], n = steps_up_to(t->n - 1, k), i;

	out->bytes = bytes;
	for (i = 0; i < n; i++) {
		struct samples s = {0};
		struct together_plan p = {.traffic = traffic,
					  .k = k[i],
					  .bytes = bytes,
					  .most_s = plan->most_s * SHARE_FAN / n,
					  .least = LEAST,
					  .most = MOST};

		together_measure(t, &p, &s, NULL);
		out->step[i].k = k[i];
		out->step[i].time_s = samples_median(&s);
		samples_release(&s);
	}
	out->n = n;
	if (t->rank == 0)
		fit_fan(out);
}

/* The gaps of the messages, split in those that took about as long as one alone and the others. */
static void split_gaps(const struct samples *each, struct hockney link,
		       struct contention_stress *out)
{
	double one = link.alpha_s + (double)out->bytes * link.beta_s_per_byte;
	double delayed_s = 0, free_s = 0;
	struct err err;
	size_t i, frees;

	out->messages = each->n;
	for (i = 0; i < each->n; i++) {
		if (each->s[i] > DELAYED * one) {
			out->delayed++;
			delayed_s += each->s[i];
		} else {
			free_s += each->s[i];
		}
	}
	frees = each->n - out->delayed;
	out->gap.beta_F = (frees ? free_s / (double)frees : one) / (double)out->bytes;
	out->gap.beta_C = out->delayed ? delayed_s / (double)out->delayed / (double)out->bytes : 0;
	out->gap.rho = each->n ? (double)out->delayed / (double)each->n : 0;
	if (two_state_gap(out->gap, &out->beta, &err))
		out->messages = 0;
}

/*
 * Everybody sends to one other, near and far: no two messages share a port, so whatever takes
 * longer than a message alone met another one inside the network.
 */
static void measure_stress(struct together *t, const struct contention_plan *plan, size_t bytes,
			   struct contention_stress *out)
{
	struct samples each = {0}, slowest = {0};
	struct together_plan p = {.traffic = TRAFFIC_SHIFT,
				  .bytes = bytes,
				  .most_s = plan->most_s * SHARE_STRESS / t->n,
				  .least = LEAST,
				  .most = MOST};
	int shift;

	for (shift = 1; shift < t->n; shift += 1 + (t->n - 1) / 8) {
		p.k = shift;
		together_measure(t, &p, &slowest, &each);
	}
	out->bytes = bytes;
	if (t->rank == 0)
		split_gaps(&each, plan->link, out);
	samples_release(&slowest);
	samples_release(&each);
}

/* A size whose message takes about s, a power of two from 4 KiB to 1 MiB. */
static size_t size_that_takes(double s, struct hockney link)
{
	size_t bytes = 4096;

	while (bytes < ((size_t)1 << 20) && 2 * (double)bytes * link.beta_s_per_byte < s)
		bytes *= 2;
	return bytes;
}

static void measure_all(struct together *t, const struct place places[],
			const struct contention_plan *plan, int pairs[], struct contention *out)
{
	/* so that a repetition of the slowest kind fits several times into its share */
	double one_s = plan->most_s * SHARE_FAN / (double)(8 * LEAST * t->n);
	size_t bytes = size_that_takes(one_s, plan->link);
	double begun = MPI_Wtime();

	t->pairs = pairs;
	measure_rates(t, plan, bytes, find_pairs(places, t->n, pairs), &out->rates);
	measure_fan(t, plan, TRAFFIC_FAN_IN, bytes, &out->in);
	measure_fan(t, plan, TRAFFIC_FAN_OUT, bytes, &out->out);
	measure_stress(t, plan, bytes, &out->stress);
	exchanges_measure(t, plan->most_s - (MPI_Wtime() - begun), ROOM, plan, out);
}

int contention_measure(MPI_Comm comm, const struct place places[],
		       const struct contention_plan *plan, struct contention *out, struct err *err)
{
	struct together t = {.comm = comm};
	struct contention_plan same = *plan; /* rank 0's, on all ranks */
	double begun = MPI_Wtime();
	int *pairs = NULL, ret = 0;

	MPI_Comm_rank(comm, &t.rank);
	MPI_Comm_size(comm, &t.n);
	MPI_Bcast(&same, sizeof(same), MPI_BYTE, 0, comm);
	t.out = calloc(ROOM, 1);
	t.in = calloc(ROOM, 1);
	pairs = calloc((size_t)t.n, sizeof(*pairs));
	if (!t.out || !t.in || !pairs)
		ret = err_set(err, "out of memory for the buffers of %d ranks", t.n);
	MPI_Allreduce(MPI_IN_PLACE, &ret, 1, MPI_INT, MPI_MIN, comm);
	if (!ret) {
		out->ranks = t.n;
		out->link = same.link;
		measure_all(&t, places, &same, pairs, out);
		out->spent_s = MPI_Wtime() - begun;
	}
	free(pairs);
	free(t.in);
	free(t.out);
	return ret;
}
