/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks measure: one asks ("measure" in Kielmann, Bal, Verstoep 2000), the other answers
 * ("mirror"), all others of the communicator sleep. Every test is a command that the asking
 * rank sends; both then run it. Times are MPI_Wtime differences, less what reading it costs.
 */
#ifndef CALIBRATE_PAIR_H
#define CALIBRATE_PAIR_H

#include <mpi.h>
#include <stdint.h>

#include "calibrate/cacheline.h"
#include "calibrate/core.h"
#include "calibrate/look.h"
#include "calibrate/samples.h"

struct pair {
	MPI_Comm comm;
	int mirror;     /* rank of the other */
	char *buffer;   /* room for the largest message */
	size_t room;    /* bytes of it */
	double timer_s; /* what two readings of the clock differ by */
	double rest_s;  /* before each message that is timed alone (ready.h) */
	struct core_use begun;
	int on_one_host; /* then they may have memory in common: */
	struct cacheline cores;
};

/* Largest message a pair can be asked for. */
#define PAIR_BYTES_MAX ((size_t)16 << 20)

/* The cost of reading the clock, s. */
double pair_timer(void);

/* The answering side: serve commands of rank `asks` until it says that it is done. */
void pair_answer(struct pair *p, int asks);

/*
 * The asking side. Each adds n samples to its results, of messages alone: before each one it rests,
 * awake, while the other side waits in MPI.
 */

/* bytes there, nothing back: round trip; and the time in MPI_Send. */
void pair_round_trips(struct pair *p, size_t bytes, int n, struct samples *rtt,
		      struct samples *o_s);

/* Nothing there, bytes back, wanted only after wait_s: time in MPI_Recv. */
void pair_late_receives(struct pair *p, size_t bytes, int n, double wait_s, struct samples *o_r);

/* The same with the receive posted before: time in MPI_Wait. */
void pair_posted_receives(struct pair *p, size_t bytes, int n, double wait_s, struct samples *o_r);

/* n messages in a row, then one answer: the whole time, s. */
double pair_flood(struct pair *p, size_t bytes, int n);

/* What a cache line takes to the other's core and back, a few times; none where it cannot. */
void pair_cores(struct pair *p, struct samples *s);

/* What the other side does while messages wait for it. */
enum absence {
	ABSENCE_COMPUTES,   /* outside MPI */
	ABSENCE_PROGRESSES, /* in MPI, but receives nothing */
};

/*
 * How many of n messages that are sent complete within time_s while the other side is absent, in
 * any order. They are received afterwards, so this can not deadlock. A completion counts only
 * when the other side was surely still away.
 */
struct look pair_completed(struct pair *p, size_t bytes, int n, enum absence absence,
			   double time_s);

/* How long the other side is away then: a late look is one while it is. */
double pair_away_s(double time_s);

/*
 * The time in MPI_Wait for a receive posted time_s before, during which neither side was in
 * MPI: short, if messages move by themselves.
 */
double pair_unattended(struct pair *p, size_t bytes, double time_s);

/* The asking side begins. */
void pair_begin(struct pair *p, int mirror);

/* The share of the time since pair_begin that the side with less had a core (core.h). */
double pair_core_share(struct pair *p);

/* The other side may go. */
void pair_done(struct pair *p);

/* Wait for a message to be there, without taking a processor from those who measure. */
void pair_doze(MPI_Comm comm, int from, int tag);

/* Doze until rank 0's word. */
void pair_sleep(MPI_Comm comm);
void pair_wake(MPI_Comm comm, int rank);

#endif
