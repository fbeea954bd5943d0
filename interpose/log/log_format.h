/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder's log as a file, one per thread:
 *
 *   header page | half 0 | half 1 | tail | totals | gathered chunks | chunk 0 | chunk 1 | ...
 *
 * All before chunk 0 is mapped MAP_SHARED, so that every record is in the page cache the
 * moment it is stored and survives SIGKILL. Records fill one half, then the other; when
 * both are full the older one is squeezed (squeeze.h) into the next chunk, and its place is used
 * again. Chunks are gathered first and written behind the file's end many at a time: that costs
 * half as much a byte. So the mapped pages stay few and warm (a fresh
 * page costs more than the 64 records it holds), and a full disk is an error code and
 * never a SIGBUS. When no chunk can be written any more both halves stay as they are; what must
 * still be said goes into the tail, and calls are only counted, in the totals (full.h).
 *
 * Everything is units of 64 bytes. A unit is a record, or a piece of a definition that
 * follows its record in the same half. A record counts as soon as its kind is not 0; a
 * call that was entered and never left has leave 0. The first unit of a half carries its
 * sequence number: while a half is being cleared it has an old one, and is not read.
 *
 * What is there says whether it is whole: the file never was smaller than all before chunk 0,
 * chunks are numbered and have checksums, the header says which halves there are and has a
 * checksum of what it is told at first, and one of when its process ended. Only what is not
 * squeezed yet, the last 4,094 records at most, the counters and the totals have none: there
 * nothing but nonsense is noticed.
 *
 * The same format is read by archive.c at MPI_Finalize and by `contend recover`.
 */
#ifndef INTERPOSE_LOG_FORMAT_H
#define INTERPOSE_LOG_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "interpose/evidence/confines.h"
#include "interpose/evidence/counters.h"
#include "interpose/log/payload.h"
#include "interpose/log/record.h"

#define LOG_MAGIC        UINT64_C(0x39676f6c646e7463) /* "ctndlog9", little endian */
#define LOG_HEADER_BYTES 4096
#define LOG_HALF_BYTES   (128 * 1024)
#define LOG_HALF_UNITS   (LOG_HALF_BYTES / 64)
#define LOG_TAIL_UNITS   512
#define LOG_TAIL_KEPT    4 /* of them, for the very last records */
#define LOG_TOTALS       256
#define LOG_TAIL_AT      (LOG_HEADER_BYTES + 2 * LOG_HALF_BYTES)
#define LOG_TOTALS_AT    (LOG_TAIL_AT + 64 * LOG_TAIL_UNITS)
#define LOG_GATHER_AT    (LOG_TOTALS_AT + 64 * LOG_TOTALS)
#define LOG_GATHER_BYTES (64 * 1024)
#define LOG_DATA_BYTES   (LOG_GATHER_AT + LOG_GATHER_BYTES) /* where chunk 0 begins */

/*
 * LOG_LEFT: the program ended by itself (exit, quick_exit, _exit), but without MPI_Finalize;
 * LOG_REPLACED: by exec, another one is in its process. LOG_KILLED: by a signal, end_status.
 */
enum log_end { LOG_RUNNING, LOG_FINALIZED, LOG_ABORTED, LOG_LEFT, LOG_REPLACED, LOG_KILLED };

/*
 * Who sent that signal: the process itself or the kernel for what it did; the launcher, or who is
 * between it and the process and may have passed its signal on; another process.
 */
enum log_sender { LOG_FROM_SELF, LOG_FROM_LAUNCHER, LOG_FROM_OTHER, LOG_FROM_BETWEEN };

/* Two readings of tick counter and CLOCK_MONOTONIC, as far apart as possible: the rate. */
struct log_anchor {
	uint64_t tick;
	int64_t mono_ns;
};

/* Calls of one function from one place that were only counted. */
struct log_total {
	uint64_t calls, ticks;
	uint64_t sent, sent_bytes; /* messages; a collective has bytes and no messages */
	uint64_t received, received_bytes;
	uint32_t site; /* id; UINT32_MAX: not known */
	uint16_t call;
	uint16_t used; /* 1: this entry is one */
	uint64_t pad;
};
_Static_assert(sizeof(struct log_total) == 64, "a total is one unit");

/* Why the events of a process ended before it did. */
enum log_full { LOG_NOT_FULL, LOG_FULL_ASKED, LOG_FULL_DISK };

/* Looks at one of MPI's queues. */
struct log_queue {
	uint64_t looks, sum, most;
};

/* Whether there were any; COUNTABLE: Open MPI has counters of its own, which may be off. */
enum log_queues { LOG_QUEUES_LEFT, LOG_QUEUES_LOOKED, LOG_QUEUES_COUNTABLE };

#define LOG_GIVEN 128

/*
 * The requests that the call which began then was given to wait for, if they are no more than fit.
 */
struct log_given {
	uint64_t enter;
	uint32_t n; /* 0: not known, or none */
	uint32_t pad;
	uint32_t id[LOG_GIVEN];
};

struct log_header {
	uint64_t magic;
	uint32_t rank;
	uint32_t ranks;
	uint32_t thread;
	uint32_t end;       /* enum log_end */
	uint32_t has_ticks; /* 1: ticks are a cycle counter, 0: ticks are ns */
	uint32_t n_offsets;
	uint32_t flushed;    /* chunks that there are: the halves' numbers follow */
	uint32_t full;       /* enum log_full, of the process's first log ... */
	uint64_t full_tick;  /* ... and since when */
	int64_t realtime_ns; /* CLOCK_REALTIME at anchor[0] */
	struct log_anchor anchor[2];
	struct log_offset offset[2];
	double cost_ns;              /* what the recorder adds to a call, measured here, ... */
	double request_ns;           /* and to each request that is followed, ... */
	double poll_ns;              /* and to a call that joins a flood */
	uint64_t writing_ticks;      /* spent in squeezing and writing chunks */
	uint64_t unwinding_ticks;    /* and in finding call sites that were not known */
	struct counters counters[2]; /* at the beginning, and when last read */
	struct log_queue queue[2];   /* unexpected messages, posted receives */
	uint32_t queues;             /* enum log_queues */
	uint32_t metrics;            /* 1: readings are records too */
	uint32_t written;            /* of the chunks, behind the end; the others are gathered */
	int64_t aside_ns;            /* what comparing clocks between calls took in all */
	int32_t pid;
	uint32_t cores; /* of this node */
	char host[64];
	char boot_id[64]; /* of the clock: boot, and time namespace if not the first */
	char mpi[64];
	char version[16];
	char exe[512];
	char command[1024];
	struct log_anchor end_at; /* of LOG_ABORTED and those after it: when, ... */
	uint64_t end_seal;        /* ... if this is the seal of it: log_seal.h, ... */
	int32_t end_status;  /* ... and the exit status, MPI_Abort's code or the signal, if ... */
	uint32_t has_status; /* ... it is known */
	char options[1024];  /* settings.h; of the first log */
	char cpu[64];        /* the processors' model, "" when not told */
	uint64_t seal;       /* of who writes this, and by which clock: log_seal.h */
	uint32_t sequence;   /* of the current half: flushed, or one more when there are two */
	uint32_t threads;    /* of the first log: how many the process has */
	uint32_t everybody;  /* 1: every rank of the job has a log */
	uint32_t end_from;   /* enum log_sender, of LOG_KILLED */
	char end_by[16];     /* the name of that process; "" when it is not known */
	struct log_given given; /* of this thread's last call of MPI_Wait and the like */
	uint32_t pid_space;     /* the process numbers' namespace, see common/space.h */
	uint32_t pad;
	struct confines confines; /* of the process, once MPI has begun */
};
_Static_assert(sizeof(struct log_header) <= LOG_HEADER_BYTES, "the header fits its page");

/* Before the squeezed units of a chunk. */
struct log_chunk {
	uint32_t sequence;
	uint32_t bytes;
	uint64_t seal; /* of these numbers and the bytes: log_seal.h */
};

#endif
