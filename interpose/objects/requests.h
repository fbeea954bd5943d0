/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open requests by handle. Handles are not unique (both MPIs hand out the same one
 * for several sends that are already complete), so each key holds a queue, first in
 * first out. With threads a handle is taken out before the completing call and put back when it
 * did not complete, because another thread may be given the same one in between.
 * Ids are our own and never used twice.
 */
#ifndef INTERPOSE_REQUESTS_H
#define INTERPOSE_REQUESTS_H

#include "interpose/job/recorder.h"
#include "interpose/objects/comms.h"

enum request_kind {
	REQUEST_NONE,
	REQUEST_SEND,
	REQUEST_RECV,
	REQUEST_MESSAGE, /* no request: a message that a matched probe took, see hooks_matched.c */
	REQUEST_COLL,
	REQUEST_RMA,
	REQUEST_IO
};

struct request {
	uint64_t id;       /* of this activation */
	uint64_t send;     /* of a receive: the id of the send in the same request, or 0 */
	uint64_t bytes;    /* to be sent; of a collective: handed in */
	uint64_t bytes_in; /* of a collective; of a receive with a call: the room for it */
	uint64_t comm_key; /* Comm_idup: of the communicator to come */
	MPI_Comm made;     /* and its handle; 0: none comes */
	uint32_t comm;
	uint32_t thread;   /* that started it */
	int32_t peer, tag; /* peer: of a collective the root */
	uint16_t call; /* of a collective, or a receive with a send: enum call_id of its start */
	uint8_t kind;  /* enum request_kind */
	uint8_t persistent;
	uint8_t active;
	uint8_t cancelled; /* MPI_Cancel was called */
	uint8_t off;       /* begun in a pause, and the log does not know of it */
	uint8_t plain; /* active, of a kind up to REQUEST_COLL, nothing of the above to see to */
};

void request_add(MPI_Request handle, const struct request *r);

/*
 * Take the active request of a handle, of several with the same one the first that this
 * thread started, into *r. A persistent one stays in the table, inactive. kind is REQUEST_NONE
 * when the handle is null, inactive or not known.
 */
void request_take(MPI_Request handle, struct request *r);

/* Undo request_take or request_remove. */
void request_put_back(MPI_Request handle, const struct request *r);

/* What a failing poll says of the request that it was for. */
struct polled {
	uint64_t id; /* 0: of none */
	uint32_t comm;
	uint8_t kind; /* enum request_kind */
};

static inline struct polled request_polled(const struct request *r)
{
	return (struct polled){r->id, r->comm, r->kind};
}

/* The handle's request; its id is 0 when that is not active or not known. */
struct polled request_active(MPI_Request handle);

/*
 * The request's id, for who waits for it, without a change to the table: safe in a signal handler,
 * if there is one thread. 0: nobody needs to, as it is not active, or shares its handle and so is
 * complete, or it is not in the table: of MPI_PROC_NULL, or the program's own. REQUEST_UNKNOWN: its
 * beginning is not in the log.
 */
#define REQUEST_UNKNOWN UINT64_MAX
uint64_t request_awaited(MPI_Request handle);

/* The same of what request_take() has taken. */
static inline uint64_t request_awaited_taken(const struct request *r)
{
	return r->kind == REQUEST_NONE ? 0 : r->id ? r->id : REQUEST_UNKNOWN;
}

/* A persistent request is active. */
static inline void request_started(struct request *r, uint64_t id, int off)
{
	r->id = id;
	r->off = (uint8_t)off;
	r->active = 1;
	r->cancelled = 0;
	r->plain = !off;
}

/* A persistent request begins anew, off: in a pause; kind is REQUEST_NONE when it is none. */
struct request request_start(MPI_Request handle, int off);

/* MPI_Cancel was called. */
void request_cancel(MPI_Request handle);

/* Take a request out of the table, active or not: the handle is about to be freed. */
void request_remove(MPI_Request handle, struct request *r);

/* Calls visit for each request, in no order, under a lock of the table. */
void requests_each(void (*visit)(struct request *, void *), void *data);

/* MPI_Start may exchange the handle. */
void request_rekey(MPI_Request from, MPI_Request to);

#endif
