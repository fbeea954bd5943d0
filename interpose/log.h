/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder's log, one file per thread:
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
 * The same format is read by archive.c at MPI_Finalize and by `contend recover`.
 */
#ifndef INTERPOSE_LOG_H
#define INTERPOSE_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "interpose/counters.h"

#define LOG_MAGIC        UINT64_C(0x35676f6c646e7463) /* "ctndlog5", little endian */
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

enum record_kind {
	RECORD_NONE,
	/*
	 * A call: enter and leave, and what it did. aux of sends and collectives = how many on the
	 * channel are not recorded before it (SCHEMA_ATTR_SKIPPED).
	 */
	RECORD_CALL, /* nothing more to say */
	RECORD_SEND, /* peer, tag, comm, bytes */
	RECORD_RECV,
	RECORD_ISEND, /* and request */
	RECORD_IRECV,
	RECORD_SEND_DONE, /* request */
	RECORD_RECV_DONE, /* request, peer, tag, comm, bytes */
	/*
	 * request, of comm when tag is not LOG_TESTED_MESSAGE; aux = how many polls this stands for. When they are a flood: bytes = ticks
	 * inside of them, bytes_in = tick when the last one began; its other entries are parts.
	 */
	RECORD_TEST_FAILED,
	RECORD_CANCELLED, /* request */
	RECORD_COLL,      /* comm, peer = root or -1, bytes out, bytes_in */
	RECORD_NBC,       /* and request */
	RECORD_NBC_DONE,  /* the same; aux = the call that started it */
	RECORD_METRIC,    /* no call: aux = enum counter, bytes = its value at enter */
	/* One-sided: comm = window, peer = target, request = matching id. */
	RECORD_RMA_PUT,    /* bytes */
	RECORD_RMA_GET,    /* bytes_in */
	RECORD_RMA_ATOMIC, /* tag = enum log_atomic, bytes, bytes_in */
	RECORD_RMA_DONE,   /* all operations of that id; aux = LOG_RMA_... */
	RECORD_RMA_GROUP,  /* synchronized with group peer */
	RECORD_RMA_SYNC,
	RECORD_RMA_LOCK,   /* asked for; tag = 1 if shared; peer = -1: of all */
	RECORD_RMA_LOCKED, /* known to be held */
	RECORD_RMA_UNLOCK,
	RECORD_RMA_COLL, /* of all members; tag = 1 if MPI allocated the memory */
	/* Files: comm = handle, request = matching id. */
	RECORD_IO_OPEN, /* aux = LOG_IO_... of the mode */
	RECORD_IO_CLOSE,
	RECORD_IO_DELETE, /* comm = path */
	RECORD_IO_SEEK,   /* bytes = offset, bytes_in = result, tag = enum log_whence */
	RECORD_IO,       /* bytes asked for, bytes_in = done, tag = enum log_io, aux = LOG_IO_... */
	RECORD_IO_START, /* the same: goes on after the call */
	RECORD_IO_DONE,  /* bytes_in */
	RECORD_IO_FAILED,
	RECORD_PAUSE,   /* nothing is recorded from its end on ... */
	RECORD_RESUME,  /* ... until the beginning of this one */
	RECORD_SKIPPED, /* part of it: aux receives of (comm, peer, tag) were not recorded */
	/* Definitions; aux = units of payload that follow. */
	RECORD_DEF_OBJECT, /* site = object id, bytes = load bias; payload: "BUILDID\0PATH\0" */
	RECORD_DEF_SITE,   /* site = site id, peer = frames; payload: struct log_frame[] */
	RECORD_DEF_COMM,   /* comm = id, see struct log_comm in the payload */
	RECORD_DEF_OFFSET, /* the clock against the reference; see struct log_offset */
	RECORD_DEF_GROUP,  /* comm = id, see struct log_group */
	RECORD_DEF_WINDOW, /* comm = id, see struct log_window */
	RECORD_DEF_PATH,   /* comm = id, see struct log_path */
	RECORD_DEF_FILE,   /* comm = id, see struct log_file */
	RECORD_DEF_TOTAL,  /* of a digest only; see struct log_total, ticks in ns */
	RECORD_PAD,        /* aux units to skip: the chunk's rest was too short */
	RECORD_KINDS
};

#define RECORD_IS_DEF(kind) ((kind) >= RECORD_DEF_OBJECT && (kind) < RECORD_PAD)
#define RECORD_IS_RMA(kind) ((kind) >= RECORD_RMA_PUT && (kind) <= RECORD_RMA_COLL)
#define RECORD_IS_IO(kind)  ((kind) >= RECORD_IO_OPEN && (kind) <= RECORD_IO_FAILED)

/* What it says of the call's end comes after what its parts say. */
#define RECORD_ENDS_LAST(kind) ((kind) == RECORD_RMA_UNLOCK || (kind) == RECORD_RMA_COLL)

/*
 * Part of the call before it (one call may complete many requests). No times of its own, but
 * leave when it is known that it completed before the call returned; such parts are in order.
 */
#define RECORD_FLAG_PART 1

/* This happened in a pause and is noted where there was a call to note it in. */
#define RECORD_FLAG_UNSEEN 2

struct record {
	uint64_t enter; /* clock ticks */
	uint64_t leave; /* clock ticks; 0 = still inside */
	uint64_t bytes;
	uint64_t bytes_in;
	uint64_t request;
	uint32_t site;
	int32_t peer; /* rank in the communicator */
	int32_t tag;
	uint32_t comm;
	uint32_t aux;
	uint16_t call; /* enum call_id */
	uint8_t kind;  /* enum record_kind, stored last */
	uint8_t flags;
};
_Static_assert(sizeof(struct record) == 64, "a record is one unit");

struct log_frame {
	uint64_t offset; /* return address minus the object's load bias */
	uint32_t object;
	uint32_t pad;
};

/* Keys of the communicators that need no list. */
#define LOG_COMM_WORLD 1
#define LOG_COMM_SELF  2

/* The parent key of one that was made by a call which is not recorded. */
#define LOG_COMM_UNKNOWN 3

/* In place of listed: nothing new but the name. */
#define LOG_COMM_RENAMED 2

/* Head of a communicator's payload; the member lists follow as int32_t world ranks. */
struct log_comm {
	uint64_t key; /* the same on all members, no communication needed */
	uint64_t parent_key;
	uint32_t size;   /* of the local group */
	uint32_t remote; /* of the remote group; 0 for an intra-communicator */
	uint32_t listed; /* 1: the lists follow; 0: another member wrote them; LOG_COMM_RENAMED */
	uint32_t self;   /* 1: MPI_COMM_SELF */
	char name[32];
};

/* What a failing test was for: a message or collective, something in a window, in a file. */
enum log_tested { LOG_TESTED_MESSAGE, LOG_TESTED_RMA, LOG_TESTED_IO };

/* Where one-sided operations are complete. */
#define LOG_RMA_LOCAL  1
#define LOG_RMA_REMOTE 2

enum log_atomic {
	LOG_ATOMIC_ACCUMULATE,
	LOG_ATOMIC_COMPARE_AND_SWAP,
	LOG_ATOMIC_SWAP,
	LOG_ATOMIC_FETCH_AND_ADD,
	LOG_ATOMIC_FETCH_AND_ACCUMULATE,
};

/* Head of a group's payload; its world ranks follow as int32_t, unless they are too many. */
struct log_group {
	uint64_t key; /* of the list: the same for the same list */
	uint32_t size;
	uint32_t pad;
};

struct log_window {
	uint64_t key; /* the same on all members */
	uint64_t comm_key;
	char name[32]; /* empty: as before */
};

/* Of an access. */
#define LOG_IO_COLLECTIVE 1

enum log_io { LOG_IO_READ, LOG_IO_WRITE, LOG_IO_FLUSH };
enum log_whence { LOG_FROM_START, LOG_FROM_CURRENT, LOG_FROM_END };

/* How a file was opened. */
#define LOG_IO_MAY_READ  1
#define LOG_IO_MAY_WRITE 2
#define LOG_IO_CREATE    4
#define LOG_IO_EXCLUSIVE 8
#define LOG_IO_APPEND    16
#define LOG_IO_UNIQUE    32
#define LOG_IO_NO_SEEK   64
#define LOG_IO_TEMPORARY 128 /* deleted when it is closed */

/* Head of a path's payload; its text follows with its \0. */
struct log_path {
	uint64_t key; /* of the text */
};

struct log_file {
	uint64_t key; /* the same for all that opened it together */
	uint64_t comm_key;
	uint64_t path_key;
};

/* LOG_LEFT: the program ended by itself (exit, quick_exit, _exit), but without MPI_Finalize. */
enum log_end { LOG_RUNNING, LOG_FINALIZED, LOG_ABORTED, LOG_LEFT };

/* Two readings of tick counter and CLOCK_MONOTONIC, as far apart as possible: the rate. */
struct log_anchor {
	uint64_t tick;
	int64_t mono_ns;
};

/*
 * A measured difference to the reference node's clock, in the log of the node's leader: at
 * MPI_Init and MPI_Finalize in the header, between them as records (enter is tick, request
 * mono_ns, bytes offset_ns and bytes_in error_ns).
 */
struct log_offset {
	uint64_t tick;     /* when, ... */
	int64_t mono_ns;   /* ... the same on this node's clock */
	int64_t offset_ns; /* reference = mono_ns + offset */
	int64_t error_ns;
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
	double request_ns;           /* and to each request that is followed */
	uint64_t writing_ticks;      /* spent in squeezing and writing chunks */
	struct counters counters[2]; /* at the beginning, and when last read */
	struct log_queue queue[2];   /* unexpected messages, posted receives */
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
	uint64_t end_tick;   /* of LOG_ABORTED and LOG_LEFT: when, ... */
	int32_t end_status;  /* ... and the exit status of LOG_LEFT, if ... */
	uint32_t has_status; /* ... it is known */
	char options[1024];  /* settings.h; of the first log */
	char cpu[64];        /* the processors' model, "" when not told */
};
_Static_assert(sizeof(struct log_header) <= LOG_HEADER_BYTES, "the header fits its page");

/* Before the squeezed units of a chunk. */
struct log_chunk {
	uint32_t sequence;
	uint32_t bytes;
};

/* A log being written by one thread. */
struct log {
	struct log_header *header;
	struct record *next; /* first free unit */
	struct record *end;  /* of the current half */
	struct record *half[2];
	struct record *tail;
	struct log_total *totals;
	unsigned char *squeezed; /* room for a chunk */
	unsigned char *gather;
	size_t gathered;     /* bytes there */
	uint64_t *left;      /* bytes that it may still grow, with others; NULL: any number */
	int at_limit;        /* there were not as many left as it needed */
	uint64_t file_bytes; /* with all that is written */
	uint32_t sequence;   /* of the current half; it is half[sequence % 2] */
	int fd;              /* a program may close it and get its number for a file of its own: */
	uint64_t device, inode; /* only this file is written */
};

/* Create path (it must not exist). Returns 0, or -1 with *err set. */
int log_create(struct log *l, const char *path, struct err *err);

/*
 * Room for units more units in a row: goes on in the other half. The half before stays as it
 * is until the next call, so the current call's record may lie there. Returns 0, or
 * -1 with *err set (disk full ...): then the log must not be written any more.
 */
int log_grow(struct log *l, size_t units, struct err *err);

/* Of what is left to l and others, bytes are taken: it never becomes more than it was. */
void log_takes(struct log *l, uint64_t bytes);

/* After log_grow() has failed: go on in the tail, to whose end there is little room. */
void log_begin_tail(struct log *l);

static inline int log_is_in_tail(const struct log *l)
{
	return l->tail && l->end > l->tail && l->end <= l->tail + LOG_TAIL_UNITS;
}

/* The entry of a function called from a place; when there are too many, the one for the rest. */
struct log_total *log_total_of(struct log *l, uint16_t call, uint32_t site);

/* Unmap and close. What was written stays. */
void log_close(struct log *l);

/* A log being read: the whole file mapped, read only, and two chunks unsqueezed. */
struct log_view {
	const struct log_header *header;
	size_t mapped_bytes;
	struct log_cache *cache;
};

/* Returns 0, or -1 with *err set (not a log, another version, cut short). */
int log_view_open(struct log_view *v, const char *path, struct err *err);
void log_view_close(struct log_view *v);

/*
 * The record at *i, in the order of writing, and step over it and its payload; NULL at the
 * end. Start with *i = 0. What it points to lasts while reading goes on in the same half
 * and the next.
 */
const struct record *log_view_next(const struct log_view *v, size_t *i);

/* Its totals, LOG_TOTALS of them. */
const struct log_total *log_view_totals(const struct log_view *v);

#endif
