/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one thread of the program records with: its log, the call that it is inside of, and what
 * was found out for the calls before. Only this thread writes it, without locks.
 */
#ifndef INTERPOSE_LANE_H
#define INTERPOSE_LANE_H

#include <stdint.h>

#include "interpose/calls/real.h"
#include "interpose/log/arena.h"
#include "interpose/log/log.h"

struct comm_info;
struct scope;

#define SITE_CACHE 2048

/* Where on the stack a caller's return address lies. */
struct site_guard {
	const uintptr_t *slot;
	uintptr_t caller;
};

/*
 * A call path that was unwound: the wrapper's return address and frame, and the guards of all
 * callers that are recorded. As long as their return addresses are there it is the same path.
 */
struct site_key {
	uintptr_t ra; /* 0: none */
	uintptr_t sp;
	struct site_guard *guard;
	uint32_t site;
	uint16_t guards, room; /* that there are, and may be */
};

#define FLOOD_ENTRIES 128

/*
 * Failing polls with nothing between them: records that lie in the log one behind the other. The
 * first is the call that stands for all, the others are its parts; each counts polls of its
 * own kind, found again by going round.
 */
struct flood {
	struct record *end; /* behind the last of them */
	unsigned n, turn;   /* the last poll's entry */
	struct record *entry[FLOOD_ENTRIES];
};

/* Not all were known before the call, and so are asked for after it. */
enum lane_sizes { LANE_SIZES_KNOWN, LANE_SIZES_WANTED, LANE_SIZES_ASKED };

struct lane {
	struct log log;
	struct scope *inside; /* the call being recorded; what MPI or its callbacks call is not */
	struct record *call;  /* its record; NULL: not made yet */
	uint32_t thread;
	uint64_t anchor_due;       /* tick at which the clock is to be read against again */
	uint64_t evidence_due;     /* when counters are; evidence.h */
	struct counters looked_at; /* this thread's then */
	struct flood flood;        /* the failing polls just before, for the next one to join */
	MPI_Comm comm;             /* last communicator looked up ... */
	struct comm_info *info;
	unsigned comm_epoch;
	int sizes; /* enum lane_sizes, of the current call's datatypes */
	struct scratch statuses, handles, members;
	int waiting; /* requests in handles that are waited for; negative: and out of the table */
	struct record unseen;           /* in place of the log's while recording pauses */
	struct lane *other;             /* next in recorder.lanes */
	struct lane *parked;            /* next in recorder.parked */
	struct lane *within;            /* in place of this one in a call within another */
	unsigned victim;                /* the cached call site to give up next */
	uintptr_t stack_low, stack_end; /* of this thread's stack; 0 when not known */
	unsigned long long unloads;     /* of objects, when this cache was emptied last */
	struct site_key sites[SITE_CACHE];
};
extern LANE_LOCAL struct lane *lane_self;

/* This thread's lane, made at its first call; NULL when inert. */
struct lane *lane_open(void);

/*
 * Room for units more units; NULL when there is none: then events end (full.h), or the recorder
 * goes inert.
 */
struct record *lane_room(struct lane *l, size_t units);

/* A record without times of its own behind the current call; NULL when inert. */
static inline struct record *lane_part(struct lane *l)
{
	struct record *r = l->log.next;

	if (r == l->log.end)
		r = lane_room(l, 1);
	if (r) {
		l->log.next = r + 1;
		r->flags = RECORD_FLAG_PART;
	}
	return r;
}

/*
 * Between two calls, about ten times a second: read the clock against CLOCK_MONOTONIC once more,
 * and what else is due. Returns the time after it.
 */
uint64_t lane_anchor(struct lane *l, uint64_t now);

#endif
