/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators by number. What is known of one hangs on it as an attribute (so it
 * goes when the communicator goes, and a reused handle is a new communicator). Its
 * identity over all members needs no message: collective creations on one parent
 * come in the same order on all members of the result, so (parent, member list,
 * how many times that list under that parent) is the same everywhere.
 */
#ifndef INTERPOSE_COMMS_H
#define INTERPOSE_COMMS_H

#include "interpose/job/recorder.h"

struct comm_info {
	uint64_t key;
	uint32_t id; /* in this process's log */
	int size;    /* of the local group */
	int blocks;  /* ranks that a collective exchanges with: remote size if inter */
	int rank;
	int inter;
	struct occurrence *seen; /* member lists that were made from it */
	MPI_Comm comm;           /* its handle, */
	UT_hash_handle hh;       /* by which it is found */
};

/* The world and self communicators. Returns 0, or -1 when MPI refuses. */
int comms_start(void);

/* The same where there is no world: MPI has been begun by a session. */
int comms_start_session(void);

/* What is known of comm, defining it when new; NULL for the null one. */
struct comm_info *comm_lookup(struct lane *l, MPI_Comm comm);

/*
 * comm was made from parent, or from none. tag tells makings apart that may run at the same
 * time; otherwise 0.
 */
void comm_made(struct lane *l, MPI_Comm parent, MPI_Comm comm, uint64_t tag);

/* comm has a new name. */
void comm_renamed(struct lane *l, MPI_Comm comm);

/* What is made in order on a communicator, each kind with keys of its own. */
enum comm_child {
	COMM_CHILD_IDUP = 0x69647570, /* any numbers that differ */
	COMM_CHILD_WINDOW,
	COMM_CHILD_FILE,
};

/* The key of the next one on parent: the same on all members. 0: parent is not known. */
uint64_t comm_reserve(struct lane *l, MPI_Comm parent, enum comm_child what);

/* World ranks of group's n members into ranks, through from; -1: not in the world. */
void comm_world_ranks(MPI_Group group, int n, int *from, int *ranks);

/* A number for two, a number for a list: the same for the same ones. */
uint64_t comm_mix(uint64_t h, uint64_t x);
uint64_t comm_hash_list(const int *ranks, int n);

/* comm, made with a reserved key, is there. */
void comm_arrived(struct lane *l, MPI_Comm comm, uint64_t key);

extern atomic_uint comms_epoch; /* changes whenever a communicator is freed */

static inline struct comm_info *comm_of(struct lane *l, MPI_Comm comm)
{
	if (USUAL(l->comm == comm && l->comm_epoch == comms_epoch && l->info))
		return l->info;
	return comm_lookup(l, comm);
}

#endif
