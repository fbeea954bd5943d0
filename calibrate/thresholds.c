/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/thresholds.h"

#include <math.h>

#define LEAST_BYTES  64
#define MOST_BYTES   ((size_t)4 << 20)
#define MOST_CREDITS 2048
#define MOST_QUEUED  ((size_t)8 << 20) /* bytes of unreceived messages at once */
#define TRIES        6
#define NOES         2   /* that make a no */
#define LOOKS        2   /* at credits, that could tell */
#define WAYS         1.5 /* times that a look's messages could cross */

/* A look is so many round trips; shorter than so many it tells nothing. */
#define LOOK_TRIPS       20
#define LOOK_TRIPS_LEAST 4

struct looks {
	struct pair *p;
	double time_s;  /* of each */
	double byte_s;  /* what a byte takes afterwards */
	double queue_s; /* that unreceived messages may take afterwards */
	double until;   /* when to stop */
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
	int i, done, noes = 0;

	for (i = 0; i < TRIES && noes < NOES; i++) {
		if (MPI_Wtime() + PAIR_AWAY * time_s > l->until) {
			l->cut = 1;
			return -1;
		}
		done = pair_completed(l->p, bytes, 1, absence, time_s);
		if (done == 1)
			return 1;
		noes += done == 0;
	}
	return noes == NOES ? 0 : -1;
}

/* By factors of four. */
static void climb(struct looks *l, struct bounds *b)
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
	if (done < 0 && b->yes == 0)
		b->known = 0;
}

static void halve(struct looks *l, struct bounds *b)
{
	size_t m;
	int done;

	while (b->no > b->yes + 1) {
		m = b->yes + (b->no - b->yes) / 2;
		done = completes(l, m, b->absence);
		if (done < 0)
			return;
		if (done)
			b->yes = m;
		else
			b->no = m;
	}
}

static uint64_t found(const struct bounds *b)
{
	return !b->known ? THRESHOLD_UNKNOWN : b->yes >= MOST_BYTES ? THRESHOLD_NONE : b->yes;
}

/*
 * The most that completed in any of a few looks. None at all is not believed of a size of
 * which one message does complete.
 */
static struct credit credits(struct looks *l, size_t bytes, const struct bounds *t1)
{
	double queued = fmin(MOST_QUEUED, l->queue_s / l->byte_s);
	int n = (int)fmax(1, fmin(MOST_CREDITS, bytes ? queued / (double)bytes : MOST_CREDITS));
	struct credit c = {.bytes = bytes, .messages = -1};
	double time_s = 2 * l->time_s + WAYS * n * (double)bytes * l->byte_s;
	int i, done, looks = 0;

	for (i = 0; i < TRIES && looks < LOOKS && c.messages < n; i++) {
		if (MPI_Wtime() > l->until) {
			l->cut = 1;
			break;
		}
		done = pair_completed(l->p, bytes, n, ABSENCE_COMPUTES, time_s);
		if (done > c.messages)
			c.messages = done;
		looks += done >= 0;
	}
	if (c.messages == 0 && t1->known && t1->yes > 0 && bytes <= t1->yes)
		c.messages = -1;
	c.capped = c.messages == n;
	return c;
}

void thresholds_measure(struct pair *p, double rtt_s, double byte_s, double most_s,
			struct thresholds *out)
{
	static const size_t sizes[CREDIT_SIZES] = {0, 64, 1024, 4096, 16384, 65536};
	double begun = MPI_Wtime();
	struct looks l = {.p = p,
			  .time_s = fmin(fmax(LOOK_TRIPS * rtt_s, 0.5e-3), most_s / 80),
			  .byte_s = fmax(byte_s, 1e-12),
			  .queue_s = most_s / 20};
	struct bounds t1 = {.absence = ABSENCE_COMPUTES}, t2 = {.absence = ABSENCE_PROGRESSES};
	int i;

	l.cut = l.time_s < LOOK_TRIPS * rtt_s;
	if (l.time_s < LOOK_TRIPS_LEAST * rtt_s)
		most_s = 0;             /* not one look */
	l.until = begun + 0.6 * most_s; /* leaves some for the credits */
	climb(&l, &t2);
	climb(&l, &t1);
	halve(&l, &t2);
	l.until = begun + most_s;
	for (i = 0; i < CREDIT_SIZES; i++)
		out->credit[i] = credits(&l, sizes[i], &t1);
	halve(&l, &t1);
	out->tried_bytes = MOST_BYTES;
	out->step_bytes = t2.known && t2.no ? t2.no : 0;
	out->t1_bytes = found(&t1);
	out->t2_bytes = found(&t2);
	if (out->t1_bytes < THRESHOLD_UNKNOWN && out->t1_bytes > out->t2_bytes)
		out->t2_bytes = out->t1_bytes; /* who is in MPI is not further away */
	out->cut = l.cut;
	out->spent_s = MPI_Wtime() - begun;
}

void thresholds_progress(struct pair *p, size_t large_bytes, double large_s, struct thresholds *out)
{
	double left_s = pair_unattended(p, large_bytes, 3 * large_s);

	out->progress = large_s > 0 && left_s < large_s ? 1 - left_s / large_s : 0;
}

uint64_t thresholds_eager(const struct thresholds *t)
{
	return t->t2_bytes != THRESHOLD_UNKNOWN ? t->t2_bytes : t->t1_bytes;
}
