/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/smpi/waits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const wait_names[WAIT_PARTS] = {
	"compute",
	"send_overhead",
	"late_partner",
	"wire",
	"network_contention",
	"handler_contention",
	"receive_overhead",
	"collectives",
	"not_identifiable",
};

/* What a call ended with. */
struct cause {
	uint32_t message; /* or TRACE_NONE */
	int as_sender;
	double end_s;
};

struct search {
	const struct trace *t;
	const struct messages *m;
	const struct fate *fates;
	struct cause *cause; /* per call */
	double finalize_s;   /* the last rank enters MPI_Finalize */
};

/* A call, from its entry on. */
struct cut {
	double at_s, end_s;
	double *part_s;
};

static double seconds(int64_t ns)
{
	return (double)ns * 1e-9;
}

static void offer(struct cause *cause, struct cause other)
{
	if (cause->message == TRACE_NONE || other.end_s >= cause->end_s)
		*cause = other;
}

static void find_causes(struct search *s)
{
	for (uint32_t i = 0; i < s->m->n; i++) {
		const struct message *x = &s->m->m[i];
		const struct fate *f = &s->fates[i];

		if (!f->joined)
			continue;
		if (!f->is_eager && x->send_done != TRACE_NONE)
			offer(&s->cause[x->send_done], (struct cause){i, 1, f->arrived_s});
		offer(&s->cause[x->recv_done],
		      (struct cause){i, 0, f->taken_s + f->part_s[FATE_RECEIVE_OVERHEAD]});
	}
}

static void cut_to(struct cut *c, double until_s, enum wait_part part)
{
	until_s = fmin(until_s, c->end_s);
	if (until_s <= c->at_s)
		return;
	c->part_s[part] += until_s - c->at_s;
	c->at_s = until_s;
}

/* A call that ended with a message. */
static void cut_wait(const struct search *s, const struct cause *cause, struct cut *c)
{
	const struct fate *f = &s->fates[cause->message];

	if (!cause->as_sender)
		cut_to(c, f->sent_s, WAIT_LATE_PARTNER);
	cut_to(c, f->sent_s + f->part_s[FATE_SEND_OVERHEAD], WAIT_SEND_OVERHEAD);
	cut_to(c, f->start_s, WAIT_LATE_PARTNER);
	cut_to(c, f->start_s + f->part_s[FATE_WIRE], WAIT_WIRE);
	cut_to(c, f->arrived_s, WAIT_NETWORK_CONTENTION);
	if (!cause->as_sender)
		cut_to(c, f->taken_s, WAIT_HANDLER_CONTENTION);
	cut_to(c, c->end_s, cause->as_sender ? WAIT_SEND_OVERHEAD : WAIT_RECEIVE_OVERHEAD);
}

static void cut_other(const struct search *s, uint32_t call, struct cut *c)
{
	switch (trace_call_kind(s->t, call)) {
	case REGION_INIT:
	case REGION_IO:
		cut_to(c, c->end_s, WAIT_COMPUTE);
		break;
	case REGION_FINALIZE:
		cut_to(c, s->finalize_s, WAIT_COLLECTIVES);
		cut_to(c, c->end_s, WAIT_COMPUTE);
		break;
	case REGION_COLLECTIVE:
		cut_to(c, c->end_s, WAIT_COLLECTIVES);
		break;
	case REGION_IRECV:
		cut_to(c, c->end_s, WAIT_RECEIVE_OVERHEAD);
		break;
	case REGION_SEND: /* which is on its way at once */
	case REGION_ISEND:
	case REGION_MPI_LOCAL:
	case REGION_TEST:
	case REGION_IPROBE:
		cut_to(c, c->end_s, WAIT_SEND_OVERHEAD);
		break;
	default:
		cut_to(c, c->end_s, WAIT_UNKNOWN);
	}
}

static void cut_call(const struct search *s, uint32_t call, double *part_s)
{
	const struct call *x = &s->t->calls[call];
	struct cut c = {seconds(x->enter_ns), seconds(x->leave_ns), part_s};

	if (x->flood != TRACE_NONE) {
		double inside_s = seconds(s->t->floods[x->flood].inside_ns);

		cut_to(&c, c.end_s - inside_s, WAIT_COMPUTE);
	}
	if (s->cause[call].message != TRACE_NONE)
		cut_wait(s, &s->cause[call], &c);
	else
		cut_other(s, call, &c);
}

static void cut_rank(const struct search *s, uint32_t rank, double *part_s)
{
	const struct rank *r = &s->t->ranks[rank];
	double left_s = seconds(trace_recorded_ns(s->t, rank));

	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++)
		if (trace_call_kind(s->t, c) != REGION_OTHER)
			cut_call(s, c, part_s);
	for (int p = 0; p < WAIT_PARTS; p++)
		left_s -= part_s[p];
	part_s[WAIT_COMPUTE] += left_s;
}

int waits_find(const struct trace *t, const struct messages *m, const struct fates *f,
	       struct waits *out, struct err *err)
{
	struct search s = {.t = t, .m = m, .fates = f->fates};

	memset(out, 0, sizeof(*out));
	out->rank_s = calloc((size_t)t->n_ranks + 1, sizeof(*out->rank_s));
	s.cause = malloc(((size_t)t->n_calls + 1) * sizeof(*s.cause));
	if (!out->rank_s || !s.cause) {
		free(s.cause);
		waits_release(out);
		return err_set(err, "out of memory for %u calls", t->n_calls);
	}
	out->ranks = t->n_ranks;
	for (uint32_t c = 0; c < t->n_calls; c++) {
		s.cause[c].message = TRACE_NONE;
		if (trace_call_kind(t, c) == REGION_FINALIZE)
			s.finalize_s = fmax(s.finalize_s, seconds(t->calls[c].enter_ns));
	}
	find_causes(&s);
	for (uint32_t r = 0; r < t->n_ranks; r++)
		cut_rank(&s, r, out->rank_s[r]);
	free(s.cause);
	return 0;
}

void waits_release(struct waits *w)
{
	free(w->rank_s);
	memset(w, 0, sizeof(*w));
}

static void write_line(FILE *f, const double part_s[WAIT_PARTS])
{
	for (int p = 0; p < WAIT_PARTS; p++)
		fprintf(f, ",%.12g", part_s[p]);
	fputc('\n', f);
}

int waits_write(const struct waits *w, const char *path, struct err *err)
{
	double total_s[WAIT_PARTS] = {0};
	FILE *f = fopen(path, "w");

	if (!f)
		return err_set(err, "%s: cannot be written", path);
	fputs("rank", f);
	for (int p = 0; p < WAIT_PARTS; p++)
		fprintf(f, ",%s_s", wait_names[p]);
	fputc('\n', f);
	for (uint32_t r = 0; r < w->ranks; r++) {
		fprintf(f, "%u", r);
		write_line(f, w->rank_s[r]);
		for (int p = 0; p < WAIT_PARTS; p++)
			total_s[p] += w->rank_s[r][p];
	}
	fputs("total", f);
	write_line(f, total_s);
	return fclose(f) ? err_set(err, "%s: cannot be written", path) : 0;
}
