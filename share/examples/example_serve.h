/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests between ranks that are each both client and server, as active messages are: a
 * request is served by its receiver whenever that one looks, also in the middle of its own
 * work; serving takes time (S_o of LoPC), and more requests wait in line meanwhile. Used by
 * remap and spmv.
 */
#ifndef EXAMPLE_SERVE_H
#define EXAMPLE_SERVE_H

#include "example.h"

enum { TAG_REQUEST = 1, TAG_REPLY = 2, SLICES = 8 };

struct server {
	char *in; /* the request being received */
	int bytes;
	MPI_Request posted;
	int served, expected;
	double handler_s; /* what serving one takes */
	void (*serve)(void *state, const char *request, int source);
	void *state;
};

static inline void server_post(struct server *s)
{
	MPI_Irecv(s->in, s->bytes, MPI_BYTE, MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD,
		  &s->posted);
}

/*
 * bytes: the longest request. expected: how many there will be in all. The rest of *s must be
 * set. The last request served leaves nothing posted.
 */
static inline void server_start(struct server *s, int bytes, int expected)
{
	s->in = example_alloc(bytes, 1);
	s->bytes = bytes;
	s->expected = expected;
	s->served = 0;
	s->posted = MPI_REQUEST_NULL;
	if (expected)
		server_post(s);
}

static inline void server_serve(struct server *s, const MPI_Status *status)
{
	example_spend(s->handler_s);
	s->serve(s->state, s->in, status->MPI_SOURCE);
	if (++s->served < s->expected)
		server_post(s);
}

/* Serve what has come. */
static inline void server_poll(struct server *s)
{
	MPI_Status status;
	int there = 1;

	while (s->served < s->expected) {
		MPI_Test(&s->posted, &there, &status);
		if (!there)
			return;
		server_serve(s, &status);
	}
}

/* Work for work_s, interrupted by requests. */
static inline void server_work(struct server *s, double work_s)
{
	for (int i = 0; i < SLICES; i++) {
		example_spend(work_s / SLICES);
		server_poll(s);
	}
}

/* Wait for *mine, serving meanwhile. */
static inline void server_wait(struct server *s, MPI_Request *mine)
{
	MPI_Request both[2];
	MPI_Status status;
	int which = 0;

	while (*mine != MPI_REQUEST_NULL) {
		both[0] = *mine;
		both[1] = s->posted;
		MPI_Waitany(2, both, &which, &status);
		*mine = both[0];
		s->posted = both[1];
		if (which == 1)
			server_serve(s, &status);
	}
}

/* Serve all that is still to come. */
static inline void server_finish(struct server *s)
{
	MPI_Status status;

	while (s->served < s->expected) {
		MPI_Wait(&s->posted, &status);
		server_serve(s, &status);
	}
	free(s->in);
}

#endif
