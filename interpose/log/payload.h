/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What follows a definition's record, by its kind, and what numbers in a record's fields mean.
 */
#ifndef INTERPOSE_PAYLOAD_H
#define INTERPOSE_PAYLOAD_H

#include <stdint.h>

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

/* Head of a path's payload; its text follows with its \0. */
struct log_path {
	uint64_t key; /* of the text */
};

struct log_file {
	uint64_t key; /* the same for all that opened it together */
	uint64_t comm_key;
	uint64_t path_key;
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

/* What a failing test was for: a message or collective, something in a window, in a file. */
enum log_tested { LOG_TESTED_MESSAGE, LOG_TESTED_RMA, LOG_TESTED_IO };

/*
 * In place of a collective's root: none, the rank itself, another of its side of an
 * inter-communicator.
 */
#define LOG_ROOT_NONE       (-1)
#define LOG_ROOT_SELF       (-2)
#define LOG_ROOT_THIS_GROUP (-3)

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

#endif
