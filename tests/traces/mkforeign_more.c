/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What Score-P and EZTrace also write, or leave out, rank 0 to 3 after MORE ticks, 1 ms each:
 *
 * 1  six messages of rank 0 to 1, the second and third by MPI_Mprobe and MPI_Mrecv, of which
 * Score-P
 *    has no record
 * 2  six of rank 2 to 3 with a persistent receive, the first three of which EZTrace never completes
 * 3  one from rank 0 to 2 and one back, in an inter-communicator: each is rank 0 of its group there
 * 4  each rank with itself, in the communicator of one
 * 5  a receive that is tested in vain, and cancelled; a send whose request is freed
 * 6  a copy to the device, as put into a window of its own
 *
 * Meanwhile the second threads of rank 0 and 1 exchange six messages, as in MPI_THREAD_MULTIPLE.
 * All take 10 us, so whichever takes longer is another's.
 */
#include "tests/traces/mkforeign.h"

#define LATENCY (10 * US)
#define STEP    (1000 * US)

static void start(struct rank *r, uint64_t at, enum name region)
{
	r->now = BEGIN + MORE + at;
	EVENT(r, 0, Enter, region);
}

static void send_to(struct rank *r, uint64_t at, uint32_t to, OTF2_CommRef comm, uint32_t tag)
{
	start(r, at, MPI_SEND);
	EVENT(r, 0, MpiSend, to, comm, tag, BYTES);
	EVENT(r, US, Leave, MPI_SEND);
}

static void receive(struct rank *r, uint64_t sent, uint32_t from, OTF2_CommRef comm, uint32_t tag)
{
	start(r, sent, MPI_RECV);
	EVENT(r, LATENCY, MpiRecv, from, comm, tag, BYTES);
	EVENT(r, 0, Leave, MPI_RECV);
}

static void silently(struct rank *r, uint64_t at, enum name region)
{
	start(r, at, region);
	EVENT(r, US, Leave, region);
}

static void probed(struct rank *r)
{
	for (uint64_t k = 0; k < 6; k++) {
		if (r->rank == 0)
			send_to(r, k * 100 * US, 1, COMM_WORLD, 9);
		if (r->rank != 1)
			continue;
		if (k == 1 || k == 2) {
			silently(r, k * 100 * US + LATENCY, MPI_MPROBE);
			silently(r, k * 100 * US + LATENCY + 2 * US, MPI_MRECV);
		} else {
			receive(r, k * 100 * US, 0, COMM_WORLD, 9);
		}
	}
}

static void persistent(struct rank *r)
{
	uint64_t request = ++r->requests;

	for (uint64_t k = 0; k < 6; k++) {
		if (r->rank == 2)
			send_to(r, STEP + k * 100 * US, 3, COMM_WORLD, 10);
		if (r->rank != 3)
			continue;
		start(r, STEP + k * 100 * US - 50 * US, MPI_START);
		EVENT(r, 0, MpiIrecvRequest, request);
		EVENT(r, US, Leave, MPI_START);
		start(r, STEP + k * 100 * US, k < 3 ? MPI_WAITALL : MPI_WAIT);
		if (k < 3) {
			EVENT(r, LATENCY, Leave, MPI_WAITALL);
			continue;
		}
		EVENT(r, LATENCY, MpiIrecv, 2, COMM_WORLD, 10, BYTES, request);
		EVENT(r, 0, Leave, MPI_WAIT);
	}
}

static void across(struct rank *r)
{
	if (r->rank == 0) {
		send_to(r, 2 * STEP, 0, COMM_HALVES, 11);
		receive(r, 2 * STEP + 100 * US, 0, COMM_HALVES, 12);
	} else if (r->rank == 2) {
		receive(r, 2 * STEP, 0, COMM_HALVES, 11);
		send_to(r, 2 * STEP + 100 * US, 0, COMM_HALVES, 12);
	}
}

static void alone(struct rank *r)
{
	start(r, 3 * STEP, MPI_SENDRECV);
	EVENT(r, 0, MpiSend, 0, COMM_SELF, 13, BYTES);
	EVENT(r, LATENCY, MpiRecv, 0, COMM_SELF, 13, BYTES);
	EVENT(r, 0, Leave, MPI_SENDRECV);
}

static void given_up(struct rank *r)
{
	uint64_t awaited = ++r->requests, sent = ++r->requests;

	if (r->rank == 0) {
		start(r, 4 * STEP, MPI_IRECV);
		EVENT(r, 0, MpiIrecvRequest, awaited);
		EVENT(r, US, Leave, MPI_IRECV);
		start(r, 4 * STEP + 10 * US, MPI_TEST);
		EVENT(r, 0, MpiRequestTest, awaited);
		EVENT(r, US, Leave, MPI_TEST);
		silently(r, 4 * STEP + 20 * US, MPI_CANCEL);
		start(r, 4 * STEP + 30 * US, MPI_WAIT);
		EVENT(r, 0, MpiRequestCancelled, awaited);
		EVENT(r, US, Leave, MPI_WAIT);
		start(r, 4 * STEP + 40 * US, MPI_ISEND);
		EVENT(r, 0, MpiIsend, 3, COMM_WORLD, 14, BYTES, sent);
		EVENT(r, US, Leave, MPI_ISEND);
		silently(r, 4 * STEP + 42 * US, MPI_REQUEST_FREE);
	} else if (r->rank == 3) {
		receive(r, 4 * STEP + 40 * US, 0, COMM_WORLD, 14);
	}
}

static void copy(struct rank *r)
{
	if (r->rank)
		return;
	start(r, 5 * STEP, CUDA_MEMCPY);
	EVENT(r, 0, RmaPut, WINDOW_DEVICE, 1, BYTES, 1);
	EVENT(r, US, RmaOpCompleteBlocking, WINDOW_DEVICE, 1);
	EVENT(r, US, Leave, CUDA_MEMCPY);
}

void foreign_more(struct rank *r)
{
	probed(r);
	persistent(r);
	across(r);
	alone(r);
	given_up(r);
	copy(r);
	r->now = BEGIN + MORE + 6 * STEP;
}

void foreign_thread(struct rank *r)
{
	for (uint64_t k = 0; k < 6; k++) {
		if (r->rank == 0)
			send_to(r, k * 50 * US + 25 * US, 1, COMM_WORLD, 15);
		else if (r->rank == 1)
			receive(r, k * 50 * US + 25 * US, 0, COMM_WORLD, 15);
	}
}
