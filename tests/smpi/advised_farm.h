/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The habits of advised.c in which one rank gives work to others, or takes what they have done. */
#ifndef TESTS_SMPI_ADVISED_FARM_H
#define TESTS_SMPI_ADVISED_FARM_H

#include "tests/smpi/advised_job.h"

/*
 * Hands out pieces of work, all of them at once or one after the other, and waits for the answers:
 * long ones, or only that all are done.
 */
static inline void hand_out(struct job *job, int first, int end)
{
	int answers = job->requests;

	for (int r = first; r < end && !job->blocking; r++)
		begin_receive(job, r, job->bytes);
	answers = job->requests - answers;
	memset(job->out, job->rank + job->round, (size_t)job->bytes);
	for (int k = 0; k < job->count; k++)
		for (int r = first; r < end; r++)
			if (job->advised)
				MPI_Ssend(job->out, job->bytes, MPI_BYTE, r, TAG, MPI_COMM_WORLD);
			else
				MPI_Isend(job->out, job->bytes, MPI_BYTE, r, TAG, MPI_COMM_WORLD,
					  &job->request[job->requests++]);
	example_spend(job->after_us * 1e-6);
	MPI_Waitall(job->requests - answers, job->request + answers, MPI_STATUSES_IGNORE);
	job->requests = answers;
}

static inline void asynchronous(struct job *job)
{
	int first = job->rank - job->rank % (job->peers + 1), end = first + job->peers + 1;

	end = end < job->ranks ? end : job->ranks;
	if (job->rank == first) {
		hand_out(job, first + 1, end);
	} else {
		for (int k = 0; k < job->count; k++)
			begin_receive(job, first, job->bytes);
		for (int k = 0; k < job->count; k++) {
			MPI_Wait(&job->request[k], MPI_STATUS_IGNORE);
			example_spend(uneven_s(job));
		}
		check(job, first, job->bytes);
		job->requests = 0;
		if (!job->blocking)
			begin_send(job, first, job->bytes, 0);
	}
	finish(job);
	if (job->blocking)
		MPI_Barrier(MPI_COMM_WORLD);
}

/*
 * One rank takes what the others send in the order of their ranks, or as it comes, and works on
 * each, which it may answer at once. Posted before, with --each.
 */
static inline void take_all(struct job *job)
{
	int n = job->ranks - 1, from;
	MPI_Status status;

	for (int r = 1; r <= n && job->each; r++)
		begin_receive(job, r, job->bytes);
	for (int k = 0; k < n; k++) {
		from = job->advised ? MPI_ANY_SOURCE : k + 1;
		if (job->each && job->advised)
			MPI_Waitany(n, job->request, &from, &status);
		else if (job->each)
			MPI_Wait(&job->request[k], &status);
		else
			MPI_Recv(job->in, job->bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &status);
		example_spend(job->after_us * 1e-6);
		if (job->blocking)
			MPI_Send(job->out, job->bytes, MPI_BYTE, status.MPI_SOURCE, TAG,
				 MPI_COMM_WORLD);
	}
	job->requests = 0;
}

/*
 * One rank gives the others pieces of work that are not equal, one each, and the next when all are
 * done; or --count parts of each, the next one to who is done.
 */
static inline void give_round(struct job *job, int parts)
{
	int next = 0, all = (job->ranks - 1) * parts, none = -1, done;
	MPI_Status status;

	for (int to = 1; to < job->ranks; to++, next++)
		MPI_Send(&next, 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
	for (int k = 0; k < all; k++) {
		MPI_Recv(&done, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
		MPI_Send(next < all ? &next : &none, 1, MPI_INT, status.MPI_SOURCE, TAG,
			 MPI_COMM_WORLD);
		next += next < all;
	}
}

static inline void rounds(struct job *job)
{
	int parts = job->advised ? job->count : 1, piece;

	if (job->rank == 0) {
		give_round(job, parts);
		return;
	}
	for (;;) {
		MPI_Recv(&piece, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (piece < 0)
			break;
		example_spend((job->work_us + job->uneven_us * chance(job, piece / parts, 0)) *
			      1e-6 / parts);
		MPI_Send(&piece, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
	}
}

static inline void receive_order(struct job *job)
{
	if (job->rank == 0) {
		take_all(job);
		return;
	}
	example_spend(uneven_s(job));
	MPI_Send(job->out, job->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
	if (job->blocking)
		MPI_Recv(job->in, job->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#endif
