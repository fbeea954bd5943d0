/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of mkforeign share. */
#ifndef TESTS_TRACES_MKFOREIGN_H
#define TESTS_TRACES_MKFOREIGN_H

#include "tests/traces/mkchecked.h"

#define RANKS  4
#define ROUNDS 25
#define BYTES  1000
#define US     2500 /* ticks */
#define BEGIN  UINT64_C(1000000000000)
#define NOBODY UINT32_C(0xfffffffe)
#define MORE   (UINT64_C(20000) * US) /* after BEGIN */

/* The group of one rank. */
#define GROUP_OF(rank) ((uint32_t)(rank) + 10)

/* Names, and at the same time the ids of strings; the regions' first. */
enum name {
	MAIN,
	PARALLEL,
	MPI_INIT,
	MPI_IRECV,
	MPI_ISEND,
	MPI_WAITALL,
	MPI_SENDRECV,
	MPI_ALLREDUCE,
	MPI_IBARRIER,
	MPI_WAIT,
	MPI_WIN_CREATE,
	MPI_WIN_FENCE,
	MPI_PUT,
	MPI_WIN_POST,
	MPI_WIN_START,
	MPI_WIN_COMPLETE,
	MPI_WIN_WAIT,
	MPI_WIN_LOCK,
	MPI_WIN_UNLOCK,
	MPI_WIN_FREE,
	MPI_SEND,
	MPI_RECV,
	MPI_MPROBE,
	MPI_MRECV,
	MPI_RECV_INIT,
	MPI_START,
	MPI_TEST,
	MPI_CANCEL,
	MPI_REQUEST_FREE,
	CUDA_MEMCPY,
	MPI_FINALIZE,
	FLUSHING,
	REGIONS,
	EMPTY = REGIONS,
	MACHINE_CLASS,
	NODE_CLASS,
	CLUSTER,
	NODE_A,
	NODE_B,
	PROCESS,
	THREAD,
	WORLD,
	TEAM,
	CYCLES,
	NAMES
};

/* A rank at work: its writer and its time. */
struct rank {
	OTF2_EvtWriter *w;
	uint64_t now;
	uint64_t requests;
	uint32_t rank;
};

#define EVENT(r, ticks, what, ...) \
	must(OTF2_EvtWriter_##what((r)->w, NULL, (r)->now += (ticks), ##__VA_ARGS__))

/* With the metric that is written at each entry; the leave so many ticks after the last event. */
void foreign_enter(struct rank *r, enum name region);
void foreign_leave(struct rank *r, uint64_t ticks, enum name region);

/*
 * The communicators, as they are defined: of all; of OpenMP's threads; of each rank alone; of two
 * groups.
 */
enum { COMM_WORLD, COMM_TEAM, COMM_SELF, COMM_HALVES, COMM_DEVICE };

/* The windows: MPI's, and one that a device's memory is. */
enum { WINDOW, WINDOW_DEVICE };

/* One-sided communication of a rank. */
void foreign_windows(struct rank *r);

/* What else there is, of a rank and of its second thread: mkforeign_more.c. */
void foreign_more(struct rank *r);
void foreign_thread(struct rank *r);

/* Before each round: of some rounds a rank keeps no more than when they began and ended. */
void foreign_rewind(struct rank *r, int round);

#endif
