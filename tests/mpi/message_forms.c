/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every way to send and to receive a message: at once, with a request, started again; with counts
 * of int and, in MPI 4, large ones. Each way has a tag and a length of its own, by which the trace
 * must have it.
 */
#include "behave.h"

#define N 64 /* more ints than any message has */

static const MPI_Comm world = MPI_COMM_WORLD;
static int tag, n, out[N], in[N];
static char space[8 * (sizeof(out) + MPI_BSEND_OVERHEAD)];
static MPI_Request r, other_end;
static MPI_Status status;

static void another_way(void)
{
	n = ++tag;
}

static void fill(int round)
{
	int i;

	for (i = 0; i < N; i++) {
		out[i] = 1000 * rank + 10 * tag + round;
		in[i] = -1;
	}
}

static void sent(const char *function, const char *event)
{
	expect_in(function, event, "%d:%d:%d", right, tag, 4 * n);
	expect("MPI_ISEND_COMPLETE", strcmp(event, "MPI_ISEND") == 0);
}

static void came(const char *function, const char *event, int round)
{
	int count;

	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(count == n && status.MPI_SOURCE == left && status.MPI_TAG == tag);
	CHECK(in[0] == 1000 * left + 10 * tag + round && in[n - 1] == in[0] && in[n] == -1);
	expect_in(function, event, "%d:%d:%d", left, tag, 4 * n);
	expect("MPI_IRECV_REQUEST", strcmp(event, "MPI_IRECV") == 0);
}

/* All receives are posted: so MPI_Rsend wants it. */
static void ready(int round)
{
	fill(round);
	MPI_Irecv(in, N, MPI_INT, left, tag, world, &other_end);
	expect("MPI_Irecv", 1);
	MPI_Barrier(world);
}

static void arrived(const char *function, const char *event, int round)
{
	sent(function, event);
	MPI_Wait(&other_end, &status);
	came("MPI_Wait", "MPI_IRECV", round);
}

#define SEND(send)                                \
	another_way();                            \
	ready(0);                                 \
	send(out, n, MPI_INT, right, tag, world); \
	arrived(#send, "MPI_SEND", 0)

#define ISEND(send)                                   \
	another_way();                                \
	ready(0);                                     \
	send(out, n, MPI_INT, right, tag, world, &r); \
	MPI_Wait(&r, MPI_STATUS_IGNORE);              \
	arrived(#send, "MPI_ISEND", 0)

/* r is started and waited for twice, each time after prepare(). */
#define TWICE(init, prepare, completed) \
	for (i = 0; i < 2; i++) {       \
		prepare(i);             \
		MPI_Start(&r);          \
		MPI_Wait(&r, &status);  \
		completed;              \
	}                               \
	MPI_Request_free(&r);           \
	expect(#init, 1)

#define SEND_INIT(init)                               \
	another_way();                                \
	init(out, n, MPI_INT, right, tag, world, &r); \
	TWICE(init, ready, arrived("MPI_Start", "MPI_ISEND", i))

static void give(int round)
{
	fill(round);
	MPI_Isend(out, n, MPI_INT, right, tag, world, &other_end);
}

static void taken(const char *function, const char *event, int round)
{
	came(function, event, round);
	MPI_Wait(&other_end, MPI_STATUS_IGNORE);
	sent("MPI_Isend", "MPI_ISEND");
}

#define RECV(receive)                                       \
	another_way();                                      \
	give(0);                                            \
	receive(in, N, MPI_INT, left, tag, world, &status); \
	taken(#receive, "MPI_RECV", 0)

#define IRECV(receive)                                 \
	another_way();                                 \
	give(0);                                       \
	receive(in, N, MPI_INT, left, tag, world, &r); \
	MPI_Wait(&r, &status);                         \
	taken("MPI_Wait", "MPI_IRECV", 0);             \
	expect(#receive, 1)

#define MRECV(receive)                                   \
	another_way();                                   \
	give(0);                                         \
	MPI_Mprobe(left, tag, world, &message, &status); \
	receive(in, N, MPI_INT, &message, &status);      \
	taken(#receive, "MPI_RECV", 0)

#define IMRECV(receive)                                  \
	another_way();                                   \
	give(0);                                         \
	MPI_Mprobe(left, tag, world, &message, &status); \
	receive(in, N, MPI_INT, &message, &r);           \
	MPI_Wait(&r, &status);                           \
	taken("MPI_Wait", "MPI_IRECV", 0);               \
	expect(#receive, 1)

#define RECV_INIT(init)                             \
	another_way();                              \
	init(in, N, MPI_INT, left, tag, world, &r); \
	TWICE(init, give, taken("MPI_Wait", "MPI_IRECV", i))

#define SENDRECV(both)                                                                \
	another_way();                                                                \
	fill(0);                                                                      \
	both(out, n, MPI_INT, right, tag, in, N, MPI_INT, left, tag, world, &status); \
	sent(#both, "MPI_SEND");                                                      \
	came(#both, "MPI_RECV", 0)

#define SENDRECV_REPLACE(both)                                       \
	another_way();                                               \
	fill(0);                                                     \
	memcpy(in, out, n * sizeof(int));                            \
	both(in, n, MPI_INT, right, tag, left, tag, world, &status); \
	sent(#both, "MPI_SEND");                                     \
	came(#both, "MPI_RECV", 0)

#define WITH_BUFFER(c, COUNT, sends)                            \
	do {                                                    \
		COUNT size = 0;                                 \
		void *where = NULL;                             \
		MPI_Buffer_attach##c(space, sizeof(space));     \
		sends;                                          \
		MPI_Buffer_detach##c(&where, &size);            \
		CHECK(where == space && size == sizeof(space)); \
		expect("MPI_Buffer_detach" #c, 1);              \
	} while (0)

/* c: what the functions' names end with */
#define EVERY_WAY(c, COUNT)                                  \
	SEND(MPI_Send##c);                                   \
	SEND(MPI_Ssend##c);                                  \
	SEND(MPI_Rsend##c);                                  \
	ISEND(MPI_Isend##c);                                 \
	ISEND(MPI_Issend##c);                                \
	ISEND(MPI_Irsend##c);                                \
	SEND_INIT(MPI_Send_init##c);                         \
	SEND_INIT(MPI_Ssend_init##c);                        \
	SEND_INIT(MPI_Rsend_init##c);                        \
	WITH_BUFFER(c, COUNT, SEND(MPI_Bsend##c));           \
	WITH_BUFFER(c, COUNT, ISEND(MPI_Ibsend##c));         \
	WITH_BUFFER(c, COUNT, SEND_INIT(MPI_Bsend_init##c)); \
	RECV(MPI_Recv##c);                                   \
	IRECV(MPI_Irecv##c);                                 \
	MRECV(MPI_Mrecv##c);                                 \
	IMRECV(MPI_Imrecv##c);                               \
	RECV_INIT(MPI_Recv_init##c);                         \
	SENDRECV(MPI_Sendrecv##c);                           \
	SENDRECV_REPLACE(MPI_Sendrecv_replace##c)

int main(int argc, char **argv)
{
	MPI_Message message;
	int i;

	begin(&argc, &argv);
	expect_much();
	EVERY_WAY(, int);
#if MPI_VERSION >= 4
	EVERY_WAY(_c, MPI_Count);
#endif
	/* before each that is sent when all are ready: nine, three of them twice */
	expect("MPI_COLLECTIVE_END", (12 + 4) * (MPI_VERSION >= 4 ? 2 : 1));
	return finish();
}
