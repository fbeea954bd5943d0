/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/exchanges.h"

#include "calibrate/pair.h"

#define FIRST_BYTES 512

/* Repetitions: three groups, whose medians are the replicates, so that a lost packet is not one. */
#define GROUPS 3
#define MOST   (3 * GROUPS)

#define SAMPLES_MAX (CONTENTION_EXCHANGES * GROUPS)

struct exchanges {
	const struct together *t;
	const struct contention_plan *plan;
	struct contention *out;
	struct signature_sample sample[SAMPLES_MAX];
	size_t n_samples;
	double until;
};

/* 512, 768, 1024, 1536 ...: every second one is half as large again. */
static size_t next_size(size_t bytes)
{
	return bytes & (bytes - 1) ? bytes / 3 * 4 : bytes / 2 * 3;
}

static void keep(struct exchanges *x, int n, size_t bytes, struct samples *s)
{
	size_t each = s->n / GROUPS, i, g;
	struct samples group;

	for (g = 0; g < GROUPS && each && x->n_samples < SAMPLES_MAX; g++) {
		group = (struct samples){0};
		for (i = g; i < s->n; i += GROUPS)
			samples_add(&group, s->s[i]);
		x->sample[x->n_samples++] =
			(struct signature_sample){n, (double)bytes, samples_median(&group).value};
		samples_release(&group);
	}
	x->out->exchange[x->out->n_exchanges++] =
		(struct contention_exchange){n, bytes, samples_median(s)};
}

/*
 * Among the ranks of comm: sizes, every `stride`-th, while there is time; none above `last`.
 * Returns the largest that was measured; the same on all its ranks.
 */
static size_t measure_sizes(struct exchanges *x, MPI_Comm comm, int stride, size_t last,
			    double until)
{
	struct together t = *x->t;
	struct together_plan p = {.traffic = TRAFFIC_ALL, .least = GROUPS, .most = MOST};
	size_t bytes, largest = 0;
	int i, go_on = 1;

	t.comm = comm;
	MPI_Comm_rank(comm, &t.rank);
	MPI_Comm_size(comm, &t.n);
	for (i = 0, bytes = FIRST_BYTES; bytes <= last; bytes = next_size(bytes), i++) {
		struct samples s = {0};
		double left_s = until - MPI_Wtime(), took_s;

		if (i % stride && bytes < last)
			continue;
		p.bytes = bytes;
		p.most_s = left_s / 8;
		together_measure(&t, &p, &s, NULL);
		took_s = samples_median(&s).value;
		if (t.rank == 0)
			keep(x, t.n, bytes, &s);
		samples_release(&s);
		largest = bytes;
		/* the next one takes half as long again at least, and it warms up */
		go_on = (GROUPS + 1) * 1.5 * took_s < until - MPI_Wtime() &&
			x->out->n_exchanges < CONTENTION_EXCHANGES;
		MPI_Bcast(&go_on, 1, MPI_INT, 0, comm);
		if (!go_on)
			break;
	}
	return largest;
}

/* Among the first n ranks; the others sleep. */
static void measure_fewer(struct exchanges *x, int n, size_t last, double until)
{
	MPI_Comm some;
	int i, in = x->t->rank < n;

	MPI_Comm_split(x->t->comm, in ? 0 : MPI_UNDEFINED, x->t->rank, &some);
	if (!in) {
		pair_sleep(x->t->comm);
		return;
	}
	measure_sizes(x, some, 2, last, until);
	MPI_Comm_free(&some);
	for (i = n; i < x->t->n && x->t->rank == 0; i++)
		pair_wake(x->t->comm, i);
}

void exchanges_measure(const struct together *t, double most_s, size_t room,
		       const struct contention_plan *plan, struct contention *out)
{
	const struct signature_question q = {plan->link, t->n, SIGNATURE_RELATIVE};
	struct exchanges x = {.t = t, .plan = plan, .out = out};
	double begun = MPI_Wtime();
	const int fewer[] = {t->n * 3 / 4, t->n / 2};
	size_t last = room / (size_t)t->n, largest;
	int i;

	largest = measure_sizes(&x, t->comm, 1, last, begun + 0.6 * most_s);
	for (i = 0; i < 2; i++)
		if (fewer[i] > 2 && fewer[i] < t->n && (i == 0 || fewer[i] < fewer[0]))
			measure_fewer(&x, fewer[i], largest, begun + (i ? 1.0 : 0.8) * most_s);
	if (t->rank == 0)
		out->n_regimes = signature_regimes(&q, x.n_samples, x.sample, CONTENTION_REGIMES,
						   out->regime, &out->why_not);
	if (out->n_regimes < 0)
		out->n_regimes = 0;
}
