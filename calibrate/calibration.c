/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/calibration.h"

#include "calibrate/derived.h"
#include "calibrate/launches.h"
#include "calibrate/ready.h"
#include "calibrate/saturation.h"
#include "calibrate/turn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shares of a direction's time: the first visit's, and in it what comes first. */
#define FIRST_VISIT      0.7
#define SHARE_READY      0.05
#define SHARE_THRESHOLDS 0.3

/* The saturation method takes 10 to 17 times as long (Kielmann et al. 2000): it may take this. */
#define CHECK_TIMES 20

struct run {
	struct turns turns;
	const struct calibration_plan *plan;
	struct gaps gaps; /* of the direction in which this rank asks */
};

static void take_sizes(const struct gaps *g, struct calibrated_direction *d)
{
	size_t i;

	d->g0 = g->g0;
	d->L = g->L;
	d->cores = g->cores;
	d->n = (uint32_t)g->n;
	d->cut = g->cut;
	d->full = (uint32_t)g->full;
	for (i = 0; i < g->n; i++) {
		const struct gaps_size *z = &g->size[i];

		d->size[i] = (struct calibrated_size){.bytes = z->bytes,
						      .rtt = z->rtt,
						      .o_s = z->o_s,
						      .o_r = z->o_r,
						      .expected = z->expected,
						      .g = z->g};
	}
}

/* Asynchronous progress, with the largest message that leaves time for it and has a gap. */
static void measure_progress(struct pair *p, double most_s, struct calibrated_direction *d)
{
	uint32_t i = d->n - 1;

	while (i > 0 && (d->size[i].g.value > most_s / 4 || !estimate_is_identified(d->size[i].g)))
		i--;
	thresholds_progress(p, d->size[i].bytes, d->size[i].g, most_s / 2, &d->thresholds);
}

/* Every gap by saturation too, for comparison. */
static void compare(struct turns *t, const struct calibration_plan *plan,
		    struct calibrated_direction *d)
{
	double spent;
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		d->saturated_cut +=
			(uint32_t)saturation_measure(&t->pair, d->size[i].bytes,
						     CHECK_TIMES * plan->class_s / (2 * d->n),
						     &d->saturated[i], &spent);
		d->saturated_s += spent;
	}
}

double calibration_half_width(const struct calibration_plan *plan)
{
	return plan->quick ? 0.1 : 0.05;
}

static struct gaps_plan plan_of(const struct calibration_plan *plan, uint64_t seed)
{
	return (struct gaps_plan){.half_width = calibration_half_width(plan),
				  .most_bytes = plan->quick ? 1 << 18 : PAIR_BYTES_MAX / 4,
				  .seed = seed};
}

/* The asking rank's first visit in one direction. */
static int measure(struct turns *t, void *context, void *result, struct err *err)
{
	struct run *r = context;
	struct calibrated_direction *d = result;
	double begun = MPI_Wtime(), most_s = r->plan->class_s / 2;
	struct gaps_plan plan = plan_of(r->plan, (uint64_t)(t->rank + 1) * 2654435761u);
	struct ready ready = ready_pair(&t->pair, most_s * SHARE_READY);
	uint64_t eager;

	thresholds_measure(&t->pair, ready.rtt_s, ready.byte_s, most_s * SHARE_THRESHOLDS,
			   &d->thresholds);
	eager = thresholds_eager(&d->thresholds);
	if (eager == d->thresholds.t2_bytes && eager < THRESHOLD_UNKNOWN) {
		plan.step[0] = (size_t)eager;
		plan.step[1] = d->thresholds.step_bytes;
	}
	plan.most_s = most_s * FIRST_VISIT - (MPI_Wtime() - begun);
	if (gaps_measure(&t->pair, &plan, &r->gaps, err))
		return -1;
	take_sizes(&r->gaps, d);
	d->core_share = pair_core_share(&t->pair);
	d->spent_s = MPI_Wtime() - begun;
	return 0;
}

/* Its second, after the other direction's first. */
static int measure_again(struct turns *t, void *context, void *result, struct err *err)
{
	struct run *r = context;
	struct calibrated_direction *d = result;
	double begun = MPI_Wtime(), most_s = r->plan->class_s / 2;
	struct gaps_plan plan = plan_of(r->plan, (uint64_t)(t->rank + 1) * 40503u);

	(void)err;
	measure_progress(&t->pair, most_s * 0.05, d);
	plan.most_s = fmax(0, most_s * 0.95 - d->spent_s - (MPI_Wtime() - begun));
	gaps_again(&t->pair, &plan, &r->gaps);
	d->core_share = fmin(d->core_share, pair_core_share(&t->pair));
	take_sizes(&r->gaps, d);
	d->fast_s = r->gaps.spent_s;
	gaps_release(&r->gaps);
	d->spent_s += MPI_Wtime() - begun;
	if (r->plan->check)
		compare(t, r->plan, d);
	return 0;
}

static int run_class(struct run *r, enum nearness n, void (*told)(const char *),
		     struct calibrated_class *c, struct err *err)
{
	char text[160];
	int a, b, from, to, visit, way;

	if (!turns_find(&r->turns, n, &a, &b))
		return 0;
	c->present = 1;
	c->pairs = turns_count(&r->turns, n);
	for (visit = 0; visit < 4; visit++) { /* there, back, there, back */
		way = visit % 2;
		from = c->way[way].from = way ? b : a;
		to = c->way[way].to = way ? a : b;
		snprintf(text, sizeof(text), "%s: rank %d to rank %d%s", nearness_name(n), from, to,
			 visit < 2 ? "" : ", again");
		if (r->turns.rank == 0 && told)
			told(text);
		if (turns_take(&r->turns, from, to, visit < 2 ? measure : measure_again, r,
			       &c->way[way], sizeof(c->way[way]), err))
			return -1;
	}
	for (way = 0; way < 2; way++)
		launches_widen(&c->way[way], r->plan->mpi, n);
	return 0;
}

/*
 * Of one message alone, on the furthest way there is; known on rank 0. What is measured below 0
 * is 0, and the summary says so (report/contention_text.c).
 */
static void describe_link(const struct calibration *c, struct contention_plan *plan)
{
	const struct calibrated_direction *d = NULL;
	struct derived_models m;
	int i;

	for (i = 0; i < NEAR_COUNT; i++)
		if (c->class[i].present)
			d = &c->class[i].way[0];
	if (!d || d->n < 2)
		return;
	m = derived_models(d);
	plan->link.alpha_s = fmax(0, m.alpha_s);
	plan->link.beta_s_per_byte = fmax(0, m.beta_s_per_byte);
}

static int run_contention(struct run *r, void (*told)(const char *), struct calibration *out,
			  struct err *err)
{
	struct contention_plan plan = {.most_s = r->plan->contention_s};

	if (r->plan->contention_s <= 0 || r->turns.ranks < CONTENTION_RANKS_MIN)
		return 0;
	if (r->turns.rank == 0) {
		describe_link(out, &plan);
		if (told)
			told("contention: all ranks");
	}
	return contention_measure(r->turns.comm, r->turns.places, &plan, &out->contention, err);
}

/*
 * The hosts, and whether one has more ranks than they may use cores. out->host has room for one a
 * rank.
 */
static void count_hosts(const struct turns *r, struct calibration *out)
{
	int i, k, on_host, first;

	out->machines = places_machines(r->places, r->ranks);
	for (i = 0; i < r->ranks; i++) {
		const struct place *p = &r->places[i];
		struct calibration_host *h = &out->host[out->hosts];

		for (first = 1, on_host = 0, k = 0; k < r->ranks; k++)
			if (!strcmp(p->host, r->places[k].host)) {
				first &= k >= i;
				on_host++;
			}
		if (!first)
			continue;
		memcpy(h->name, p->host, sizeof(h->name));
		memcpy(h->cpu, p->cpu, sizeof(h->cpu));
		h->ranks = on_host;
		out->hosts++;
		out->crowded |= places_are_crowded(r->places, r->ranks, i);
	}
}

int calibration_run(MPI_Comm comm, const struct calibration_plan *plan,
		    void (*told)(const char *text), struct calibration *out, struct err *err)
{
	struct run r = {.plan = plan};
	double begun = MPI_Wtime();
	int ret, n;

	memset(out, 0, sizeof(*out));
	out->plan = *plan;
	ret = turns_init(&r.turns, comm, err);
	out->ranks = r.turns.ranks;
	out->host = calloc((size_t)r.turns.ranks, sizeof(*out->host));
	if (!ret && !out->host)
		ret = err_set(err, "out of memory for %d ranks", r.turns.ranks);
	MPI_Allreduce(MPI_IN_PLACE, &ret, 1, MPI_INT, MPI_MIN, comm);
	if (!ret)
		count_hosts(&r.turns, out);
	for (n = 0; n < NEAR_COUNT && !ret; n++)
		ret = run_class(&r, (enum nearness)n, told, &out->class[n], err);
	if (!ret)
		ret = run_contention(&r, told, out, err);
	out->spent_s = MPI_Wtime() - begun;
	turns_release(&r.turns);
	return ret;
}

void calibration_release(struct calibration *c)
{
	free(c->host);
	c->host = NULL;
}
