/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logs -> OTF2. One code path with two callers: MPI_Finalize, where every rank writes
 * its own events and rank 0 the definitions, and `contend recover`, where one
 * process does it all. Only the archive*.c files include OTF2 (archive_mpi.c has the
 * collective callbacks).
 */
#ifndef INTERPOSE_ARCHIVE_H
#define INTERPOSE_ARCHIVE_H

#include "interpose/archive/defs.h"
#include "interpose/archive/unreceived.h"

struct archive;

#define ARCHIVE_NOT_FULL INT64_MIN
#define ARCHIVE_NOT_LOST INT64_MIN

/* What rank 0 has to know of a location that somebody wrote. */
struct archive_location {
	uint32_t rank, thread;
	uint64_t events;
	uint64_t calls;  /* MPI calls among them */
	uint64_t passes; /* through the recorder: a flood of polls is one call, and many of these */
	uint64_t polls;  /* of them: those that are in floods */
	uint64_t requests;    /* that were started */
	int64_t writing_ns;   /* spent by the recorder in writing its log, */
	int64_t unwinding_ns; /* and in finding call sites */
	int64_t first_ns, last_ns;
	int64_t alive_ns; /* the end, if it is known; else when a call last began or returned */
	int64_t full_ns; /* when the rank's events ended, in its first log; else ARCHIVE_NOT_FULL */
	int64_t lost_ns; /* until when its log could be read; ARCHIVE_NOT_LOST: all of it */
	uint32_t inside; /* 1 + call id of a call that never returned; 0 = none */
	/* What it was asked for, if it has these: a rank of a global communicator, and a tag. */
	uint32_t comm;
	int32_t peer, tag;
	uint64_t from; /* RECORD_FROM, if it was MPI_Sendrecv */
};

/*
 * Open RUN/traces for writing, of a job of so many ranks. mpi: the job's communicator as
 * archive_mpi.c wraps it, NULL for one process alone. Returns NULL with *err set.
 */
struct archive *archive_open(const char *dir, uint32_t ranks, void *mpi, struct err *err);

/*
 * Write the events of one log. rank: maps, clock and header of its rank (the process's first log).
 * Those behind a damaged place are left out, as if its rank had paused: with a gap before them they
 * cannot be joined with what other ranks did.
 * end_ns: when the job was last seen alive. Until then calls last that never returned, unless the
 * log itself says when its process ended. open: the rank's, or NULL where all were completed. *out
 * is filled in. Returns 0, or -1 with *err set.
 */
int archive_write_log(struct archive *a, const struct log_view *v, const struct def_rank *rank,
		      const struct unreceived *open, int64_t end_ns, struct archive_location *out,
		      struct err *err);

/* After all events, on every process; then definitions on one, then close on every one. */
int archive_events_done(struct archive *a, struct err *err);
int archive_write_definitions(struct archive *a, const struct defs *d, size_t n,
			      const struct archive_location locations[n], struct err *err);
int archive_close(struct archive *a, struct err *err);

/* Give up after a failure: OTF2 is not called again, not even to close (it may crash). */
void archive_abandon(struct archive *a);

/* Time of the last sign of life in a log: reference clock, ns. */
int64_t archive_log_end_ns(const struct log_view *v, const struct timeline *clock);

/* "MPI_Send" of a call id. */
const char *archive_call_name(uint32_t call);

#endif
