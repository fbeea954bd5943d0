/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which job this process belongs to, before MPI can be asked: all ranks of a job
 * come to the same run directory without a message, whatever program each runs.
 * A directory that has logs or a finished trace belongs to another job: an earlier
 * run is never written into. Claiming is creating the rank's first log with O_EXCL.
 */
#ifndef INTERPOSE_LAUNCH_H
#define INTERPOSE_LAUNCH_H

#include <stddef.h>

#include "interpose/log/log.h"

struct launch {
	int rank;     /* 0 of 1 when no launcher says otherwise */
	int ranks;    /* 0: the launcher does not say */
	int known;    /* a launcher said so */
	char job[96]; /* the same for all ranks of the job; a time when started alone */
};

void launch_read(struct launch *l);

/*
 * This process's parents up to the one that started it as a rank, that one included; n at most.
 * Returns how many. *launcher: that one, or 0 when it was not found.
 */
size_t launch_parents(size_t n, int pids[n], int *launcher);

/*
 * Find or make the run directory and create this rank's first log in it. dir gets the
 * directory's path. Returns 0, or -1 with *err set.
 */
int launch_claim(const struct launch *l, struct log *log, size_t n, char dir[n], struct err *err);

/* Path of the log of a rank's thread. */
void launch_log_path(char *path, size_t n, const char *dir, int rank, unsigned thread);

/*
 * After MPI_Init: 1 when every rank of the job has claimed its log in dir. Rank 0 looks for all,
 * the others for rank 0's: all come to the same answer (answer.h). Every rank that has claimed must
 * ask.
 */
int launch_all_claimed(const struct launch *l, const char *dir, int ranks);

/*
 * The same without asking, for a rank that the others cannot count on: none of the job will say
 * that all are there. To be called before this rank's MPI has begun.
 */
void launch_leave_part(const char *dir);

/* At the end of such a rank: the way to dir is not needed any more once all have come. */
void launch_forget(const struct launch *l, const char *dir, int ranks);

/* At MPI_Finalize: rank 0, which would have done that when MPI began, may not be recorded. */
void launch_forget_without_first(const struct launch *l, const char *dir);

/*
 * This rank has recorded nothing and will not: take its first log away, and the whole run
 * directory when no other rank has one.
 */
void launch_withdraw(const struct launch *l, const char *dir);

/* Point contend.latest, beside dir, at it; failing is of no consequence. */
void launch_link_latest(const char *dir);

#endif
