/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/what_if.h"

#include <math.h>

#include "analyze/gains/retime.h"
#include "analyze/gains/what_if_trial.h"
#include "analyze/tools/share.h"
#include "common/table.h"

const struct what_if what_ifs[WHAT_IFS] = {
	{"bandwidth", {2, 1, 1, 1}},
	{"latency", {1, 0.5, 1, 1}},
	{"overhead", {1, 1, 0.5, 1}},
	{"processors", {1, 1, 1, 2}},
};

#define MARGIN_OF_SAVED 0.1
#define MARGIN_OF_WALL  0.02

const char *what_if_refusal(const struct factors *x)
{
	if (!(x->bandwidth >= 1 && x->latency <= 1 && x->overhead <= 1 && x->processors >= 1 &&
	      x->latency >= 0 && x->overhead >= 0))
		return "a slower machine: what would be in each other's way there is not known";
	return NULL;
}

static int try(struct trial *t, struct machine_reading reading, enum contention_reading contention,
	       struct what_if_saving *out, struct err *err)
{
	const struct retime shorter = {
		.less_ns = t->less_ns, .rest_ns = t->rest_ns, .own_ns = t->own_ns};
	double saved_s;
	int ret;

	if (scaled_machine_init(&t->machine, t->b->machine, &t->what->machine, reading, err))
		return -1;
	t->contention = contention;
	ret = trial_cut(t, err);
	if (!ret) {
		trial_shorten(t);
		ret = retime_run(t->b, &shorter, &saved_s, err);
	}
	scaled_machine_release(&t->machine);
	if (ret)
		return -1;
	if (contention == CONTENTION_LIKELY)
		*out = (struct what_if_saving){saved_s, saved_s, saved_s};
	out->least_s = fmin(out->least_s, saved_s);
	out->most_s = fmax(out->most_s, saved_s);
	return 0;
}

/*
 * Who meets whom changes with everything else, which no replay of what met knows: so far off were
 * replays of simulated programs (doc/validation.md).
 */
double what_if_margin_s(const struct evidence_base *b, double likely_s)
{
	return MARGIN_OF_SAVED * fabs(likely_s) + MARGIN_OF_WALL * b->wall_s;
}

/*
 * All times so much shorter would make the run so much shorter, and a machine on which some stay as
 * they are is none that is faster than that.
 */
static void cap(const struct trial *t, struct what_if_saving *s)
{
	const struct factors *x = &t->what->machine;
	double left = fmin(fmin(x->latency, x->overhead), 1 / fmax(x->bandwidth, x->processors));
	double most_s = t->b->wall_s * (1 - left);

	s->least_s = fmin(s->least_s, most_s);
	s->likely_s = fmin(s->likely_s, most_s);
	s->most_s = fmin(s->most_s, most_s);
}

/* The extremes of what is not known of the machine, with all and with no contention. */
static int try_all(struct trial *t, struct what_if_saving *out, struct err *err)
{
	struct machine_reading x = {BYTES_LIKELY, 0};
	int bytes_open = scaled_machine_is_open(t->b->machine);
	int work_open = scaled_machine_work_is_open(t->b->machine);

	if (try(t, x, CONTENTION_LIKELY, out, err))
		return -1;
	for (int k = 0; k < 1 << (bytes_open + work_open); k++) {
		if (bytes_open)
			x.bytes = k & 1 ? BYTES_MOST : BYTES_LEAST;
		x.all_work = work_open && k >> bytes_open & 1;
		if (try(t, x, CONTENTION_STAYS, out, err) || try(t, x, CONTENTION_GOES, out, err))
			return -1;
	}
	out->least_s = fmax(0, out->least_s - what_if_margin_s(t->b, out->likely_s));
	out->most_s += what_if_margin_s(t->b, out->likely_s);
	cap(t, out);
	return 0;
}

/* All that are asked for, a piece each. */
struct asked {
	const struct evidence_base *b;
	struct predictions *p;
};

static int find_one(void *all, unsigned hand, uint32_t piece, struct err *err)
{
	const struct asked *x = all;
	const struct evidence_base *b = x->b;
	size_t calls = (size_t)b->t->n_calls + 1, messages = (size_t)b->m->n + 1;
	struct trial t = {.b = b, .what = &x->p->what[piece]};
	int ret = -1;

	(void)hand;
	t.cuts = table_calloc((size_t)b->n_prices + 1, sizeof(*t.cuts));
	t.coll = table_calloc((size_t)b->c->n + 1, sizeof(*t.coll));
	t.coll_s = table_calloc((size_t)b->c->n + 1, sizeof(*t.coll_s));
	t.core = table_calloc((size_t)b->t->n_ranks + 1, sizeof(*t.core));
	t.less_ns = table_calloc(messages, sizeof(*t.less_ns));
	t.rest_ns = table_calloc(calls, sizeof(*t.rest_ns));
	t.own_ns = table_calloc(calls, sizeof(*t.own_ns));
	t.handled = table_calloc(calls, sizeof(*t.handled));
	if (!t.cuts || !t.coll || !t.coll_s || !t.core || !t.less_ns || !t.rest_ns || !t.own_ns ||
	    !t.handled)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else if (!own_steps_find(b, &t.steps, err) && !file_calls_init(&t.files, b->t, err))
		ret = try_all(&t, &x->p->saving[piece], err);
	file_calls_release(&t.files);
	table_free(t.handled);
	table_free(t.own_ns);
	table_free(t.rest_ns);
	table_free(t.less_ns);
	table_free(t.core);
	table_free(t.coll_s);
	table_free(t.coll);
	table_free(t.cuts);
	return ret;
}

int what_ifs_find(const struct evidence_base *b, struct predictions *p, struct err *err)
{
	return share_run(share_hands(), p->n, find_one, &(struct asked){b, p}, err);
}
