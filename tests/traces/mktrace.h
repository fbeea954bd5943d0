/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes OTF2 archives with exactly known events, for tests: the same shape as the
 * recorder's (location id = rank, standard MPI records, call sites as an attribute).
 *
 * Use: mktrace_new, then describe hosts and communicators, then append events; the
 * events of one location in time order, locations in any order. mktrace_close writes
 * the definitions. Times are ns from any origin >= 0. The first failure sticks and is
 * reported by mktrace_close, so calls in between need no check.
 */
#ifndef TESTS_TRACES_MKTRACE_H
#define TESTS_TRACES_MKTRACE_H

#include "analyze/trace.h"
#include "common/schema.h"

#define MKTRACE_WORLD 0U

struct mktrace;

/* Start to stop of one call. */
struct mkspan {
	int64_t enter_ns;
	int64_t leave_ns;
};

/*
 * One communication record; peers are communicator ranks. Of one-sided communication comm is
 * the window, and of OP_EPOCH request is a communicator: its members are the group. Of files
 * OP_ASIDE is non-blocking if tag is 1, and failed if that of OP_ASIDE_DONE is -1.
 */
struct mkop {
	enum op_kind kind;
	uint32_t comm;
	int32_t peer; /* OP_COLL: root, -1: none, -2: itself, -3: its side's; OP_*LOCK, -1: all */
	int32_t tag;
	uint64_t bytes;
	uint64_t bytes_in;
	uint64_t request;
	uint64_t polls;   /* OP_TEST_FAILED: the last of so many */
	uint32_t skipped; /* before it on its channel */
	uint8_t coll_op;
	uint8_t unseen;    /* it happened in a pause */
	uint8_t of_window; /* OP_COLL, OP_ASIDE_DONE: of a window */
};

/* An archive in directory dir, which is made when it is not there. NULL with *err set. */
struct mktrace *mktrace_new(const char *dir, uint32_t ranks, struct err *err);

/* Event chunk bytes (default 1 MiB; 256 KiB at least). Before the first event. */
void mktrace_chunk(struct mktrace *m, uint64_t bytes);

/* From now on a site is one of all the function's next calls there, and "" is not known. */
void mktrace_new_sites(struct mktrace *m);

/* The node of a rank and the boot id of its clock (NULL: none). Default: node R for rank R. */
void mktrace_host(struct mktrace *m, uint32_t rank, const char *host, const char *boot_id);

/* What recording took of a rank's time. */
void mktrace_cost(struct mktrace *m, uint32_t rank, struct rank_cost cost);

/* A communicator of these world ranks; returns its id. MKTRACE_WORLD is there already. */
uint32_t mktrace_comm(struct mktrace *m, const char *name, uint32_t n, const uint32_t *members);

/* The communicator of every rank with itself; returns its id. */
uint32_t mktrace_comm_self(struct mktrace *m);

/* A window on a communicator; returns its id. */
uint32_t mktrace_window(struct mktrace *m, uint32_t comm);

/* Ids written = base + step * i for regions and communicators, as foreign writers do. */
void mktrace_sparse(struct mktrace *m, uint32_t base, uint32_t step);

/* The reader is to add offset_ns to the location's times at (and, with two, between) at_ns. */
void mktrace_clock_offset(struct mktrace *m, uint64_t location, int64_t at_ns, int64_t offset_ns);

/* Events. A location is SCHEMA_LOCATION(rank, thread); site may be NULL. */
void mktrace_enter(struct mktrace *m, uint64_t location, int64_t ns, const char *function,
		   const char *site);
/* A call that stands for many failing polls. */
void mktrace_enter_flood(struct mktrace *m, uint64_t location, int64_t ns, const char *function,
			 struct flood flood);
void mktrace_leave(struct mktrace *m, uint64_t location, int64_t ns, const char *function);
void mktrace_op(struct mktrace *m, uint64_t location, int64_t ns, const struct mkop *op);

/*
 * A whole call with n records in it, each at the time a recorder would give it: what
 * starts something at the call's enter, what completes something at its leave.
 */
void mktrace_call(struct mktrace *m, uint64_t location, struct mkspan when, const char *function,
		  const char *site, uint32_t n, const struct mkop ops[n]);

/* A reading of a counter of this name, a metric that counts from the begin. */
void mktrace_reading(struct mktrace *m, uint64_t location, int64_t ns, const char *counter,
		     uint64_t value);

/* Events written so far. */
uint64_t mktrace_events(const struct mktrace *m);

/* Write the definitions, close, free. Returns 0, or -1 with *err set to the first failure. */
int mktrace_close(struct mktrace *m, struct err *err);

/* Cut a file to its first bytes (to make damaged archives). Returns 0, or -1 with *err set. */
int mktrace_cut(const char *path, int64_t bytes, struct err *err);

/* A run.json beside the archive in dir; ended as in the recorder's. Returns 0, or -1. */
int mktrace_run_json(const char *dir, uint32_t ranks, double wall_s, const char *ended,
		     struct err *err);

#endif
