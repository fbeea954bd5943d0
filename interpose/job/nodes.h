/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which ranks share a clock, and who speaks for them: the lowest of each, the leader.
 * Found with one collective of 8 bytes a rank and a sort. Leaders are numbered by rank,
 * so rank 0 is leader 0, the reference.
 */
#ifndef INTERPOSE_NODES_H
#define INTERPOSE_NODES_H

struct nodes {
	int n;        /* clocks in the job */
	int index;    /* this rank's */
	int *leaders; /* of all clocks; NULL but on leaders */
	int leader;   /* this rank's */
	int *members; /* a leader's other ranks; NULL but on leaders */
	int n_members;
};

/*
 * Collective over recorder.comm. clock_id: equal on the ranks that share a clock. Returns 0,
 * or -1 without memory (on every rank).
 */
int nodes_find(const char *clock_id, struct nodes *out);

#endif
