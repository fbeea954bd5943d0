/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/together.h"

#include <stdlib.h>

enum { TAG_BURST = 21, TAG_TAKEN, TAG_FAN, TAG_GO, TAG_SHIFT };

static void run_pair(const struct together *t, const struct together_plan *p)
{
	int i, b, n = (int)p->bytes;

	for (i = 0; i < p->k; i++) {
		int from = t->pairs[2 * i], to = t->pairs[2 * i + 1];

		for (b = 0; b < TOGETHER_BURST && t->rank == from; b++)
			MPI_Send(t->out, n, MPI_BYTE, to, TAG_BURST, t->comm);
		for (b = 0; b < TOGETHER_BURST && t->rank == to; b++)
			MPI_Recv(t->in, n, MPI_BYTE, from, TAG_BURST, t->comm, MPI_STATUS_IGNORE);
		if (t->rank == from)
			MPI_Recv(NULL, 0, MPI_BYTE, to, TAG_TAKEN, t->comm, MPI_STATUS_IGNORE);
		if (t->rank == to)
			MPI_Send(NULL, 0, MPI_BYTE, from, TAG_TAKEN, t->comm);
	}
}

/* Is this rank one of the first k? */
static int is_in_fan(const struct together *t, int k)
{
	int i;

	for (i = 0; i < k; i++)
		if (t->others[i] == t->rank)
			return 1;
	return 0;
}

/*
 * One with k, its messages all at once, and the one knows when that begins and when all is over:
 * what comes in he asks for, as some would otherwise be out of the barrier, and their messages
 * here, before him; what goes out is answered.
 */
static void run_middle(const struct together *t, const struct together_plan *p)
{
	MPI_Request *request = malloc((size_t)p->k * sizeof(*request));
	MPI_Status *status = malloc((size_t)p->k * sizeof(*status));
	int i, n = (int)p->bytes;

	if (request && status) {
		for (i = 0; i < p->k; i++)
			if (p->traffic == TRAFFIC_FAN_IN)
				MPI_Irecv(t->in, n, MPI_BYTE, t->others[i], TAG_FAN, t->comm,
					  &request[i]);
			else
				MPI_Isend(t->out, n, MPI_BYTE, t->others[i], TAG_FAN, t->comm,
					  &request[i]);
		for (i = 0; i < p->k && p->traffic == TRAFFIC_FAN_IN; i++)
			MPI_Send(NULL, 0, MPI_BYTE, t->others[i], TAG_GO, t->comm);
		MPI_Waitall(p->k, request, status);
		for (i = 0; i < p->k && p->traffic == TRAFFIC_FAN_OUT; i++)
			MPI_Recv(NULL, 0, MPI_BYTE, t->others[i], TAG_TAKEN, t->comm,
				 MPI_STATUS_IGNORE);
	}
	free(status);
	free(request);
}

static void run_fan(const struct together *t, const struct together_plan *p)
{
	int n = (int)p->bytes;

	if (t->rank == 0) {
		run_middle(t, p);
	} else if (is_in_fan(t, p->k) && p->traffic == TRAFFIC_FAN_IN) {
		MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_GO, t->comm, MPI_STATUS_IGNORE);
		MPI_Send(t->out, n, MPI_BYTE, 0, TAG_FAN, t->comm);
	} else if (is_in_fan(t, p->k)) {
		MPI_Recv(t->in, n, MPI_BYTE, 0, TAG_FAN, t->comm, MPI_STATUS_IGNORE);
		MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_TAKEN, t->comm);
	}
}

static void run_shift(const struct together *t, const struct together_plan *p)
{
	int from = (t->rank - p->k + t->n) % t->n, to = (t->rank + p->k) % t->n, n = (int)p->bytes;

	MPI_Sendrecv(t->out, n, MPI_BYTE, t->rank < p->senders ? to : MPI_PROC_NULL, TAG_SHIFT,
		     t->in, n, MPI_BYTE, from < p->senders ? from : MPI_PROC_NULL, TAG_SHIFT,
		     t->comm, MPI_STATUS_IGNORE);
}

static void run(const struct together *t, const struct together_plan *p)
{
	int n = (int)p->bytes;

	switch (p->traffic) {
	case TRAFFIC_PAIRS:
		run_pair(t, p);
		break;
	case TRAFFIC_FAN_IN:
	case TRAFFIC_FAN_OUT:
		run_fan(t, p);
		break;
	case TRAFFIC_SHIFT:
		run_shift(t, p);
		break;
	case TRAFFIC_ALL:
		MPI_Alltoall(t->out, n, MPI_BYTE, t->in, n, MPI_BYTE, t->comm);
		break;
	}
}

/* Of all ranks: what to keep of one repetition. Only rank 0 keeps anything. */
static void keep(const struct together *t, const struct together_plan *p, double mine, double of[],
		 struct samples *slowest, struct samples *each)
{
	double longest = 0;
	int i;

	/* Of a fan only the one in the middle knows. */
	if ((p->traffic == TRAFFIC_FAN_IN || p->traffic == TRAFFIC_FAN_OUT) && t->rank)
		mine = 0;
	MPI_Gather(&mine, 1, MPI_DOUBLE, of, 1, MPI_DOUBLE, 0, t->comm);
	if (t->rank)
		return;
	for (i = 0; i < t->n; i++)
		longest = of[i] > longest ? of[i] : longest;
	for (i = 0; each && i < t->n; i++)
		if (p->traffic != TRAFFIC_SHIFT)
			samples_add(each, of[i]);
		else if (i < p->senders) /* its receiver knows when it was there */
			samples_add(each, of[(i + p->k) % t->n]);
	samples_add(slowest, longest);
}

void together_measure(const struct together *t, const struct together_plan *plan,
		      struct samples *slowest, struct samples *each)
{
	double *of = malloc((size_t)t->n * sizeof(*of)), until = MPI_Wtime() + plan->most_s, begun;
	struct samples warm = {0}, warm_each = {0};
	int i, go_on = 1;

	for (i = 0; go_on; i++) {
		MPI_Barrier(t->comm);
		begun = MPI_Wtime();
		run(t, plan);
		keep(t, plan, MPI_Wtime() - begun, of, i ? slowest : &warm,
		     each && i ? each : &warm_each);
		go_on = of && i < plan->most && (i < plan->least || MPI_Wtime() < until);
		MPI_Bcast(&go_on, 1, MPI_INT, 0, t->comm);
	}
	samples_release(&warm);
	samples_release(&warm_each);
	free(of);
}
