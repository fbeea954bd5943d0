/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call of the program while it is recorded: entered, given its record, left.
 */
#ifndef INTERPOSE_SCOPE_H
#define INTERPOSE_SCOPE_H

#include <stdatomic.h>

#include "interpose/job/recorder.h"
#include "interpose/objects/requests.h"

/* Is a call recorded? If not, its record is the lane's unseen, which nobody keeps. */
enum scope_off { SCOPE_ON, SCOPE_PAUSED, SCOPE_COUNTED, SCOPE_WITHIN };

/* One call being recorded. */
struct scope {
	struct lane *lane;
	struct record *r;
	int off;                 /* enum scope_off */
	int filled;              /* r holds a completion: the next one is a part */
	int watched;             /* the saved requests were watched, see hooks_watch.c */
	uint64_t done;           /* when the next part completed; 0: when the call returned */
	int count;               /* of saved requests */
	struct file *file;       /* being closed */
	struct window *window;   /* being freed */
	struct record *kept;     /* of a counted call that is in the log: its record */
	struct log_total *total; /* of a counted call */
	MPI_Request handle;      /* of a request being freed, or a message being taken */
	struct request request;
};

/* Many saved requests, in lane->handles. */
struct saved {
	MPI_Request handle;
	int nth;       /* of a watched call: which request was the nth to complete */
	uint64_t done; /* and when this one did, in ticks; 0: not known */
	struct request request;
#ifdef CONTEND_SIMULATED
	MPI_Status status; /* of a watched call: as it was when this one completed */
#endif
};

/* r is of that kind from now on: what its fields say is there before, whenever a kill comes. */
static inline void scope_become(struct record *r, enum record_kind kind)
{
	atomic_signal_fence(memory_order_release);
	r->kind = (uint8_t)kind;
}

/*
 * Enter: returns 0 when this call is not to be recorded (off, or inside another
 * MPI call). ra and frame are the wrapper's.
 */
int scope_enter(struct scope *s, enum call_id call, void *ra, void *frame);

/*
 * Enter in a pause: returns 0 when there is none, or inside another MPI call. The hooks are to
 * be called as ever; nothing is kept but what counts. pause.c.
 */
int scope_enter_off(struct scope *s, enum call_id call, void *ra, void *frame);

/*
 * Enter a call within another: MPI has called code of the program, which calls MPI. Returns 0
 * unless it may complete receives: these are then parts of the outer call, of which a moment is
 * known, and all that is recorded of the inner one.
 */
int scope_enter_within(struct scope *s, enum call_id call);

static inline int scope_off(struct scope *s, enum call_id call, void *ra, void *frame)
{
	return recorder.paused ? scope_enter_off(s, call, ra, frame) : scope_enter_within(s, call);
}

/* The real function has returned. */
void scope_returned_off(struct scope *s);

/* The real function has returned. */
static inline void scope_returned(struct scope *s)
{
	s->r->leave = ticks_now();
}

static inline void scope_leave(struct scope *s)
{
	s->lane->inside = NULL;
}

/* The same of a call that is not recorded itself. */
struct record *scope_part_off(struct scope *s);

/* The record of something more that this call did; NULL when inert. */
static inline struct record *scope_part(struct scope *s)
{
	return s->off ? scope_part_off(s) : lane_part(s->lane);
}

#endif
