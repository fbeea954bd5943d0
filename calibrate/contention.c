/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/contention.h"

#include "calibrate/contention_fit.h"
#include "calibrate/core.h"
#include "calibrate/exchanges.h"
#include "calibrate/pair.h"
#include "calibrate/partners.h"

#include <stdlib.h>

#define ROOM ((size_t)16 << 20) /* bytes of a buffer */

/* Shares of the time. */
#define SHARE_RATES  0.15
#define SHARE_FAN    0.1
#define SHARE_STRESS 0.1 /* ... and the exchanges what is left */

#define LEAST SAMPLES_ENOUGH /* else one that was kept waiting makes a rate "not told" */
#define MOST  25

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
		contention_fit_rates(out, plan->link.alpha_s);
}

static void measure_fan(struct together *t, const struct contention_plan *plan,
			struct together_plan p, int others, struct contention_fan *out)
{
	int k[CONTENTION_STEPS], n = steps_up_to(others, k), i;

	p.most_s = plan->most_s * SHARE_FAN / n;
	p.least = LEAST;
	p.most = MOST;
	out->bytes = p.bytes;
	for (i = 0; i < n; i++) {
		struct samples s = {0};

		p.k = k[i];
		together_measure(t, &p, &s, NULL);
		out->step[i].k = k[i];
		out->step[i].time_s = samples_median(&s);
		samples_release(&s);
	}
	out->n = n;
	if (t->rank == 0)
		contention_fit_fan(out);
}

static int is_in(const int ranks[], int n, int rank)
{
	int i;

	for (i = 0; i < n; i++)
		if (ranks[i] == rank)
			return 1;
	return 0;
}

/* One connection, two, three ... until all ranks have one (Steffenel 2006, figures 2 and 3). */
static void connections(const struct together *t, double most_s, size_t bytes,
			struct contention_stress *out)
{
	int k[CONTENTION_STEPS], i;
	struct together_plan p = {.traffic = TRAFFIC_SHIFT,
				  .k = t->n / 2,
				  .bytes = bytes,
				  .least = LEAST,
				  .most = MOST};

	out->n = steps_up_to(t->n, k);
	p.most_s = most_s / out->n;
	for (i = 0; i < out->n; i++) {
		struct samples each = {0}, slowest = {0};

		p.senders = k[i];
		together_measure(t, &p, &slowest, &each);
		out->step[i] = (struct contention_connections){k[i], samples_median(&each),
							       samples_median(&slowest)};
		samples_release(&slowest);
		samples_release(&each);
	}
}

/* Among the ranks of t: whatever takes longer than a message alone met another one. */
static void stress(const struct together *t, double most_s, struct hockney link, size_t bytes,
		   struct contention_stress *out)
{
	struct samples each = {0}, slowest = {0};
	struct together_plan p = {.traffic = TRAFFIC_SHIFT,
				  .bytes = bytes,
				  .senders = t->n,
				  .most_s = most_s / 2 / t->n,
				  .least = LEAST,
				  .most = MOST};
	int shift;

	connections(t, most_s / 2, bytes, out);

	for (shift = 1; shift < t->n; shift += 1 + (t->n - 1) / 8) {
		p.k = shift;
		together_measure(t, &p, &slowest, &each);
	}
	out->bytes = bytes;
	out->ranks = t->n;
	if (t->rank == 0)
		contention_split_gaps(&each, link, out);
	samples_release(&slowest);
	samples_release(&each);
}

/*
 * Everybody sends to one other, near and far. Of many hosts one rank each, so that no two
 * messages share a port and those that are delayed met inside the network; else all ranks.
 */
static void measure_stress(const struct together *all, const struct place places[],
			   const struct contention_plan *plan, size_t bytes, int scratch[],
			   struct contention_stress *out)
{
	int firsts = partners_firsts(places, all->n, scratch), i;
	int one_a_host = firsts >= CONTENTION_RANKS_MIN, in = !one_a_host;
	struct together t = *all;

	in |= is_in(scratch, firsts, all->rank);
	MPI_Comm_split(all->comm, in ? 0 : MPI_UNDEFINED, all->rank, &t.comm);
	if (!in) {
		pair_sleep(all->comm);
		return;
	}
	MPI_Comm_rank(t.comm, &t.rank);
	MPI_Comm_size(t.comm, &t.n);
	stress(&t, plan->most_s * SHARE_STRESS, plan->link, bytes, out);
	out->one_a_host = one_a_host;
	MPI_Comm_free(&t.comm);
	for (i = 1; i < all->n && all->rank == 0 && one_a_host; i++)
		if (!is_in(scratch, firsts, i))
			pair_wake(all->comm, i);
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
			const struct contention_plan *plan, int scratch[], struct contention *out)
{
	/* so that a repetition of the slowest kind fits several times into its share */
	double one_s = plan->most_s * SHARE_FAN / (double)(8 * LEAST * t->n);
	size_t bytes = size_that_takes(one_s, plan->link);
	struct together_plan fan_in = {.traffic = TRAFFIC_FAN_IN, .bytes = bytes},
			     fan_out = {.traffic = TRAFFIC_FAN_OUT, .bytes = bytes};
	int off_node = partners_firsts(places, t->n, scratch) > 1, n;
	double begun = MPI_Wtime();

	n = partners_pairs(places, t->n, scratch);
	t->pairs = scratch;
	out->rates.off_node = out->in.off_node = out->out.off_node = off_node;
	measure_rates(t, plan, bytes, n, &out->rates);
	n = partners_fan(places, t->n, scratch);
	t->others = scratch;
	measure_fan(t, plan, fan_in, n, &out->in);
	measure_fan(t, plan, fan_out, n, &out->out);
	measure_stress(t, places, plan, bytes, scratch, &out->stress);
	exchanges_measure(t, plan->most_s - (MPI_Wtime() - begun), ROOM, plan, out);
}

int contention_measure(MPI_Comm comm, const struct place places[],
		       const struct contention_plan *plan, struct contention *out, struct err *err)
{
	struct together t = {.comm = comm};
	struct contention_plan same = *plan; /* rank 0's, on all ranks */
	const struct core_use before = core_used();
	double begun = MPI_Wtime(), share;
	int *scratch = NULL, ret = 0;

	MPI_Comm_rank(comm, &t.rank);
	MPI_Comm_size(comm, &t.n);
	MPI_Bcast(&same, sizeof(same), MPI_BYTE, 0, comm);
	t.out = calloc(ROOM, 1);
	t.in = calloc(ROOM, 1);
	scratch = calloc((size_t)t.n, sizeof(*scratch));
	if (!t.out || !t.in || !scratch)
		ret = err_set(err, "out of memory for the buffers of %d ranks", t.n);
	MPI_Allreduce(MPI_IN_PLACE, &ret, 1, MPI_INT, MPI_MIN, comm);
	if (!ret) {
		out->ranks = t.n;
		out->link = same.link;
		measure_all(&t, places, &same, scratch, out);
		share = core_share(before);
		MPI_Reduce(&share, &out->core_share, 1, MPI_DOUBLE, MPI_MIN, 0, comm);
		out->spent_s = MPI_Wtime() - begun;
	}
	free(scratch);
	free(t.in);
	free(t.out);
	return ret;
}
