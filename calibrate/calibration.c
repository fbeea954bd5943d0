/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/calibration.h"

#include "calibrate/derived.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_RESULT = 77 };

/* Before anything is measured: empty round trips, and some with so many bytes. */
#define READY_TRIPS 50
#define READY_BYTES 16384

struct run {
	MPI_Comm comm;
	int rank, ranks;
	struct place *places;
	const struct calibration_plan *plan;
	struct pair pair;
};

/* The first two ranks that are as near as that. Returns 1 when there are any. */
static int choose_pair(const struct run *r, enum nearness n, int *a, int *b)
{
	for (*a = 0; *a < r->ranks; ++*a)
		for (*b = *a + 1; *b < r->ranks; ++*b)
			if (place_nearness(&r->places[*a], &r->places[*b]) == n)
				return 1;
	return 0;
}

static void take_sizes(const struct gaps *g, struct calibrated_direction *d)
{
	size_t i;

	d->g0 = g->g0;
	d->L = g->L;
	d->n = (uint32_t)g->n;
	d->cut = g->cut;
	for (i = 0; i < g->n; i++) {
		const struct gaps_size *z = &g->size[i];

		d->size[i] = (struct calibrated_size){z->bytes, z->rtt,      z->o_s,
						      z->o_r,   z->expected, z->g};
	}
}

/* Connect and warm up: what a round trip takes, and what a byte more, roughly. */
static void get_ready(struct pair *p, double most_s, double *rtt_s, double *byte_s)
{
	double until = MPI_Wtime() + most_s;
	struct samples empty = {0}, full = {0}, o_s = {0};
	int i;

	pair_round_trips(p, 0, 1, &empty, &o_s);
	samples_release(&empty);
	for (i = 0; i < READY_TRIPS && (i == 0 || MPI_Wtime() < until); i++)
		pair_round_trips(p, 0, 1, &empty, &o_s);
	for (i = 0; i < READY_TRIPS / 10 && (i == 0 || MPI_Wtime() < until); i++)
		pair_round_trips(p, READY_BYTES, 1, &full, &o_s);
	*rtt_s = samples_median(&empty).value;
	*byte_s = fmax(0, samples_median(&full).value - *rtt_s) / READY_BYTES;
	samples_release(&empty);
	samples_release(&full);
	samples_release(&o_s);
}

/* Asynchronous progress, with the largest message that leaves time for it. */
static void measure_progress(struct run *r, double most_s, struct calibrated_direction *d)
{
	uint32_t i = d->n - 1;

	while (i > 0 && d->size[i].g.value > most_s / 4)
		i--;
	thresholds_progress(&r->pair, d->size[i].bytes, fmax(0, d->size[i].g.value),
			    &d->thresholds);
}

/* Every gap by saturation too, for comparison. */
static void compare(struct run *r, struct calibrated_direction *d)
{
	double spent;
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		d->saturated[i] = gaps_saturated(&r->pair, d->size[i].bytes,
						 r->plan->class_s / (2 * d->n), &spent);
		d->saturated_s += spent;
	}
}

/* The asking rank's part of one direction. */
static int measure(struct run *r, struct calibrated_direction *d, struct err *err)
{
	double begun = MPI_Wtime(), most_s = r->plan->class_s / 2, rtt_s, byte_s;
	struct gaps_plan plan = {.half_width = r->plan->quick ? 0.1 : 0.05,
				 .most_bytes = r->plan->quick ? 1 << 18 : PAIR_BYTES_MAX / 4,
				 .seed = (uint64_t)(r->rank + 1) * 2654435761u};
	struct gaps g;
	uint64_t eager;

	get_ready(&r->pair, most_s * 0.05, &rtt_s, &byte_s);
	thresholds_measure(&r->pair, rtt_s, byte_s, most_s * 0.3, &d->thresholds);
	eager = thresholds_eager(&d->thresholds);
	plan.step_bytes = eager < THRESHOLD_UNKNOWN ? (size_t)eager : 0;
	plan.most_s = most_s * 0.9 - (MPI_Wtime() - begun);
	if (gaps_measure(&r->pair, &plan, &g, err))
		return -1;
	take_sizes(&g, d);
	d->fast_s = g.spent_s;
	gaps_release(&g);
	measure_progress(r, most_s * 0.05, d);
	d->spent_s = MPI_Wtime() - begun;
	if (r->plan->check)
		compare(r, d);
	return 0;
}

/* One direction, on every rank: ask, answer, or sleep. *d is filled on rank 0. */
static int run_direction(struct run *r, int from, int to, struct calibrated_direction *d,
			 struct err *err)
{
	int ret = 0, i;

	d->from = from;
	d->to = to;
	if (r->rank == from) {
		r->pair.mirror = to;
		ret = measure(r, d, err);
		pair_done(&r->pair);
		if (from != 0)
			MPI_Send(d, sizeof(*d), MPI_BYTE, 0, TAG_RESULT, r->comm);
	} else if (r->rank == to) {
		pair_answer(&r->pair, from);
	}
	if (r->rank == 0) {
		if (from != 0) {
			pair_doze(r->comm, from, TAG_RESULT);
			MPI_Recv(d, sizeof(*d), MPI_BYTE, from, TAG_RESULT, r->comm,
				 MPI_STATUS_IGNORE);
		}
		for (i = 1; i < r->ranks; i++)
			if (i != from && i != to)
				pair_wake(r->comm, i);
	} else if (r->rank != from && r->rank != to) {
		pair_sleep(r->comm);
	}
	return ret;
}

static int run_class(struct run *r, enum nearness n, void (*told)(const char *),
		     struct calibrated_class *c, struct err *err)
{
	char text[160];
	int a, b, way;

	if (!choose_pair(r, n, &a, &b))
		return 0;
	c->present = 1;
	for (way = 0; way < 2; way++) {
		snprintf(text, sizeof(text), "%s: rank %d to rank %d", nearness_name(n),
			 way ? b : a, way ? a : b);
		if (r->rank == 0 && told)
			told(text);
		if (run_direction(r, way ? b : a, way ? a : b, &c->way[way], err))
			return -1;
	}
	return 0;
}

/* Of one message alone, on the furthest way there is; known on rank 0. */
static void describe_link(const struct calibration *c, struct contention_plan *plan)
{
	const struct calibrated_direction *d = NULL;
	struct derived_models m;
	uint64_t eager;
	int i;

	for (i = 0; i < NEAR_COUNT; i++)
		if (c->class[i].present)
			d = &c->class[i].way[0];
	if (!d || d->n < 2)
		return;
	m = derived_models(d);
	eager = thresholds_eager(&d->thresholds);
	plan->link.alpha_s = fmax(0, m.alpha_s);
	plan->link.beta_s_per_byte = fmax(0, m.beta_s_per_byte);
	plan->eager_bytes = eager < THRESHOLD_UNKNOWN ? (size_t)eager : 0;
}

static int run_contention(struct run *r, void (*told)(const char *), struct calibration *out,
			  struct err *err)
{
	struct contention_plan plan = {.most_s = r->plan->contention_s};

	if (r->plan->contention_s <= 0 || r->ranks < CONTENTION_RANKS_MIN)
		return 0;
	if (r->rank == 0) {
		describe_link(out, &plan);
		if (told)
			told("contention: all ranks");
	}
	return contention_measure(r->comm, r->places, &plan, &out->contention, err);
}

/* The hosts, and whether one has more ranks than cores. out->host has room for one a rank. */
static void count_hosts(const struct run *r, struct calibration *out)
{
	int i, k, on_host, first;

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
		out->crowded |= on_host > p->cores && !p->bound;
	}
}

int calibration_run(MPI_Comm comm, const struct calibration_plan *plan,
		    void (*told)(const char *text), struct calibration *out, struct err *err)
{
	struct run r = {.comm = comm, .plan = plan};
	double begun = MPI_Wtime();
	struct place mine;
	int ret = 0, n;

	memset(out, 0, sizeof(*out));
	MPI_Comm_rank(comm, &r.rank);
	MPI_Comm_size(comm, &r.ranks);
	if (r.ranks < 2)
		return err_set(err, "one rank has nobody to send to: start at least two");
	place_here(&mine);
	r.places = calloc((size_t)r.ranks, sizeof(*r.places));
	r.pair = (struct pair){.comm = comm, .room = PAIR_BYTES_MAX, .timer_s = pair_timer()};
	r.pair.buffer = calloc(PAIR_BYTES_MAX, 1);
	out->host = calloc((size_t)r.ranks, sizeof(*out->host));
	if (!r.places || !r.pair.buffer || !out->host)
		ret = err_set(err, "out of memory for %d ranks", r.ranks);
	MPI_Allreduce(MPI_IN_PLACE, &ret, 1, MPI_INT, MPI_MIN, comm);
	if (!ret) {
		MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, r.places, sizeof(mine), MPI_BYTE,
			      comm);
		out->ranks = r.ranks;
		count_hosts(&r, out);
		for (n = 0; n < NEAR_COUNT && !ret; n++)
			ret = run_class(&r, (enum nearness)n, told, &out->class[n], err);
		if (!ret)
			ret = run_contention(&r, told, out, err);
	}
	out->spent_s = MPI_Wtime() - begun;
	free(r.pair.buffer);
	free(r.places);
	return ret;
}

void calibration_release(struct calibration *c)
{
	free(c->host);
	c->host = NULL;
}
