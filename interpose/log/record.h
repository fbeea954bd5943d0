/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a log is made of: units of 64 bytes. A unit is a record, or a piece of a definition that
 * follows its record in the same half. A record counts as soon as its kind is not 0; a
 * call that was entered and never left has leave 0.
 */
#ifndef INTERPOSE_RECORD_H
#define INTERPOSE_RECORD_H

#include <stdint.h>

enum record_kind {
	RECORD_NONE,
	/*
	 * A call: enter and leave, and what it did. aux of sends and collectives = how many on the
	 * channel are not recorded before it (SCHEMA_ATTR_SKIPPED).
	 */
	RECORD_CALL,      /* nothing more to say */
	RECORD_SEND,      /* peer, tag, comm, bytes; of MPI_Sendrecv also RECORD_FROM, below */
	RECORD_RECV,      /* and request: that of its RECORD_MATCHED, or 0 */
	RECORD_ISEND,     /* and request */
	RECORD_IRECV,     /* the same as that of its RECORD_MATCHED if there is one */
	RECORD_SEND_DONE, /* request */
	RECORD_RECV_DONE, /* request, peer, tag, comm, bytes */
	/*
	 * request, of comm when tag is not LOG_TESTED_MESSAGE; aux = how many polls this stands
	 * for. When they are a flood: bytes = ticks inside of them, bytes_in = tick when the last
	 * one began; its other entries are parts.
	 */
	RECORD_TEST_FAILED,
	RECORD_CANCELLED, /* request; aux = 1: it takes a message; comm, peer, tag as asked */
	RECORD_COLL,      /* comm, peer = root or LOG_ROOT_..., bytes out, bytes_in */
	RECORD_NBC,       /* and request */
	RECORD_NBC_DONE,  /* the same; aux = the call that started it */
	RECORD_MATCHED, /* request, peer, tag, comm of a probed message; aux = others may receive */
	RECORD_METRIC,  /* no call: aux = enum counter, bytes = its value at enter */
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

/* Of a peer or tag that was asked for: anybody, any. */
#define RECORD_ANY (-1)

/* Of a peer: MPI_PROC_NULL. */
#define RECORD_NOBODY (-2)

/*
 * What MPI_Sendrecv is to receive, in bytes_in while it has not returned (its kind is RECORD_CALL
 * if it sends to nobody): source and tag, either RECORD_ANY perhaps. 0: not noted, as in logs of
 * before. The communicator is that of the record.
 */
#define RECORD_FROM(source, tag) ((uint64_t)(uint32_t)(tag) << 32 | ((uint32_t)(source) + 3u))
#define RECORD_FROM_SOURCE(from) ((int32_t)((uint32_t)(from)-3u))
#define RECORD_FROM_TAG(from)    ((int32_t)(uint32_t)((from) >> 32))

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

#endif
