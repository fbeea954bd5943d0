/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/thresholds.h"

#include <math.h>

#define LEAST_BYTES   64
#define MOST_BYTES    ((size_t)4 << 20)
#define FIRST_CREDITS 2
#define MOST_CREDITS  2048
#define MOST_QUEUED   ((size_t)8 << 20) /* bytes of unreceived messages at once */
#define PROGRESS_MOST 9
#define TRIES         6
#define NOES          2   /* that make a no */
#define NEAR_SHARE    16  /* of a size, that limits are below it */
#define WAYS          1.5 /* times that a look's messages could cross */

/* A look is so many round trips; shorter than so many it tells nothing. */
#define LOOK_TRIPS       20
#define LOOK_TRIPS_LEAST 4

struct looks {
	struct pair *p;
	double time_s;    /* of each */
	double message_s; /* what a message takes to send, roughly */
	double byte_s;    /* what a byte takes afterwards */
	double until;     /* when to stop */
	unsigned some;    /* for numbers that have no order */
	int cut;
};

/* Where completing ends: at yes bytes it does, at no bytes it does not. */
struct bounds {
	enum absence absence;
	int known; /* 1: yes is one; it may be 0 bytes that do not complete: then no is 0 too */
	size_t yes, no;
};

/*
 * Does a message of this size complete with the receiver so absent? 1, 0, -1 not known. That it
 * does is certain (pair_completed); that it does not, only said twice.
 */
static int completes(struct looks *l, size_t bytes, enum absence absence)
{
	/* it may have to be on its way before a sender's buffers are free */
	double time_s = l->time_s + WAYS * (double)bytes * l->byte_s;
	struct look seen;
	int i, noes = 0;

	for (i = 0; i < TRIES && noes < NOES; i++) {
		if (MPI_Wtime() + pair_away_s(time_s) > l->until) {
			l->cut = 1;
			return -1;
		}
		seen = pair_completed(l->p, bytes, 1, absence, time_s);
		if (seen.completed == 1)
			return 1;
		noes += seen.completed == 0 && seen.whole;
	}
	return noes == NOES ? 0 : -1;
}

/* By factors of four. */
static void bracket(struct looks *l, struct bounds *b)
{
	int done = completes(l, 0, b->absence);
	size_t m;

	b->known = done >= 0;
	b->yes = b->no = 0;
	for (m = LEAST_BYTES; done == 1 && m <= MOST_BYTES; m *= 4) {
		done = completes(l, m, b->absence);
		if (done == 1)
			b->yes = m;
		else if (done == 0)
			b->no = m;
	}
	if (done < 0) /* no look told where it ends */
		b->known = 0;
}

/* T1 is not above T2: it is looked for from there down, which mostly is one look. */
static void bracket_below(struct looks *l, const struct bounds *t2, struct bounds *t1)
{
	size_t m = t2->yes;
	int done;

	t1->no = t2->no;
	while ((done = completes(l, m, t1->absence)) == 0 && m > 0) {
		t1->no = m;
		m = m > LEAST_BYTES ? m / 4 : 0;
	}
	t1->known = done >= 0;
	t1->yes = done == 1 ? m : 0;
	if (done == 0)
		t1->no = 0;
}

/* At first close to the size that does not complete: limits are powers of two less a header. */
static void halve(struct looks *l, struct bounds *b)
{
	size_t m, off = b->no / NEAR_SHARE;
	int done;

	while (b->known && b->no > b->yes + 1) {
		m = off && b->no - off > b->yes ? b->no - off : b->yes + (b->no - b->yes) / 2;
		off = 0;
		done = completes(l, m, b->absence);
		if (done < 0)
			return;
		if (done)
			b->yes = m;
		else
			b->no = m;
	}
}

/* Who is outside MPI is often served like who is in it: then the limits are the same. */
static void try_same(struct looks *l, const struct bounds *t2, struct bounds *t1)
{
	if (t1->known && t2->known && t1->yes < t2->yes && t2->yes < t1->no &&
	    completes(l, t2->yes, t1->absence) == 1)
		t1->yes = t2->yes;
	if (t1->yes == t2->yes && t2->no && t2->no < t1->no)
		t1->no = t2->no; /* who is in MPI is not further away */
}

static uint64_t found(const struct bounds *b)
{
	return !b->known ? THRESHOLD_UNKNOWN : b->yes >= MOST_BYTES ? THRESHOLD_NONE : b->yes;
}

/* How long n such messages take at most to leave: two per round trip, and their bytes. */
static double leave_s(const struct looks *l, size_t bytes, int n)
{
	return l->time_s + n * (l->message_s + WAYS * (double)bytes * l->byte_s);
}

/*
 * Messages for which the receiver waits, as many as may be in its queue: the next look begins at
 * another place in it.
 */
static void shift_queue(struct looks *l, int most)
{
	l->some = l->some * 1664525u + 1013904223u;
	pair_flood(l->p, 0, 1 + (int)((l->some >> 8) % (unsigned)(most > 1 ? most : 2)));
}

/*
 * Look at n at once until it is known how many complete. Returns 1 when all do. None at all is not
 * believed of a size of which one message does complete.
 */
static int look_often(struct looks *l, struct credit *c, int n, const struct bounds *t1)
{
	double time_s = leave_s(l, c->bytes, n);
	int i;

	for (i = 0; i < TRIES * CREDIT_LOOKS && c->looks < CREDIT_LOOKS; i++) {
		struct look seen;

		if (MPI_Wtime() + pair_away_s(time_s) + time_s > l->until)
			break;
		if (c->looks)
			shift_queue(l, c->most);
		seen = pair_completed(l->p, c->bytes, n, ABSENCE_COMPUTES, time_s);
		if (seen.completed == 0 && t1->known && t1->yes > 0 && c->bytes <= t1->yes)
			seen.completed = -1;
		credit_add(c, n, seen);
		if (seen.completed == n)
			return 1;
		time_s *= seen.completed < 0 && i < TRIES ? 2 : 1; /* to send them took longer */
	}
	return 0;
}

/* More and more at once until not all of them complete or there is no time for as many. */
static struct credit credits(struct looks *l, size_t bytes, const struct bounds *t1)
{
	int most = (int)fmin(MOST_CREDITS, bytes ? (double)MOST_QUEUED / (double)bytes : INFINITY);
	struct credit c = credit_of(bytes);
	int n;

	c.none = t1->known && bytes >= t1->no && t1->no;
	if (bytes <= t1->yes && t1->yes)
		c.most = c.capped = 1;
	for (n = FIRST_CREDITS; !c.none && n <= most; n = n < most && 4 * n > most ? most : 4 * n)
		if (!look_often(l, &c, n, t1))
			break;
	l->cut |= !c.none && c.most < 0;
	return c;
}

void thresholds_measure(struct pair *p, double rtt_s, double byte_s, double most_s,
			struct thresholds *out)
{
	static const size_t sizes[CREDIT_SIZES] = {0, 64, 1024, 4096, 16384, 65536};
	double begun = MPI_Wtime();
	struct looks l = {.p = p,
			  .time_s = fmin(fmax(LOOK_TRIPS * rtt_s, 0.5e-3), most_s / 80),
			  .message_s = rtt_s,
			  .byte_s = fmax(byte_s, 1e-12)};
	struct bounds t1 = {.absence = ABSENCE_COMPUTES}, t2 = {.absence = ABSENCE_PROGRESSES};
	int i;

	l.cut = l.time_s < LOOK_TRIPS * rtt_s;
	if (l.time_s < LOOK_TRIPS_LEAST * rtt_s)
		most_s = 0;             /* not one look */
	l.until = begun + 0.5 * most_s; /* leaves some for the credits */
	bracket(&l, &t2);
	if (t2.known)
		bracket_below(&l, &t2, &t1);
	else
		bracket(&l, &t1);
	halve(&l, &t2);
	for (i = 0; i < CREDIT_SIZES; i++) {
		double left_s = begun + 0.9 * most_s - MPI_Wtime();

		l.until = MPI_Wtime() + left_s / (CREDIT_SIZES - i);
		out->credit[i] = credits(&l, sizes[i], &t1);
	}
	l.until = begun + most_s;
	try_same(&l, &t2, &t1);
	halve(&l, &t1);
	out->tried_bytes = MOST_BYTES;
	out->step_bytes = t2.known ? t2.no : 0;
	out->t1_step_bytes = t1.no;
	out->t1_bytes = found(&t1);
	out->t2_bytes = found(&t2);
	if (out->t1_bytes < THRESHOLD_UNKNOWN && out->t1_bytes > out->t2_bytes)
		out->t2_bytes = out->t1_bytes; /* who is in MPI is not further away */
	out->cut = l.cut;
	out->spent_s = MPI_Wtime() - begun;
}

void thresholds_progress(struct pair *p, size_t large_bytes, struct estimate alone, double most_s,
			 struct thresholds *out)
{
	double until = MPI_Wtime() + most_s;
	struct samples saved = {0};
	int i;

	out->progress = (struct estimate){0};
	if (!estimate_is_identified(alone))
		return;
	for (i = 0; i < PROGRESS_MOST && (i == 0 || MPI_Wtime() < until); i++)
		samples_add(&saved,
			    1 - pair_unattended(p, large_bytes, 3 * alone.value) / alone.value);
	out->progress = samples_median(&saved);
	samples_release(&saved);
}

uint64_t thresholds_eager(const struct thresholds *t)
{
	return t->t2_bytes != THRESHOLD_UNKNOWN ? t->t2_bytes : t->t1_bytes;
}
