/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of all kinds while each rank turns its recording off and on where it likes. All
 * sizes are different. For each message its ends say in said.RANK what a recording holds of them:
 *	sent BYTES WINDOW            0: in a pause
 *	received BYTES WINDOW WINDOW   posted or taken by a matched probe, completed
 * pauses SEED: another seed, other messages and pauses.
 */
#include "behave.h"

#include <stdint.h>

#define ROUNDS   40
#define MESSAGES 24 /* a round */
#define OPEN_MAX 4096
#define ROOM     (ROUNDS * (MESSAGES + 64) + 1)

enum { TAG_PLAIN, TAG_ANY_SOURCE = 3, TAG_BLOCKING = 5, TAG_AGAIN = 7, TAG_RELAY = 8 };

static uint64_t common, mine; /* random states: of all ranks, of this one */
static int on = 1, size_of_next;
static MPI_Comm twin;

static struct open {
	MPI_Request request;
	int posted; /* 0: a send */
	char *buffer;
} open_now[OPEN_MAX];
static int n_open;

/* Messages that matched probes took. */
static struct held {
	MPI_Message message;
	int taken;
} held_now[OPEN_MAX];
static int n_held;
static char out[ROOM];

static unsigned draw(uint64_t *state, unsigned n)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*state >> 33) % n;
}

/* Now and then recording is turned off or on. */
static void perhaps_toggle(void)
{
	if (draw(&mine, 9))
		return;
	on = !on;
	MPI_Pcontrol(on);
}

static void say_received(MPI_Status *status, int posted)
{
	int bytes;

	MPI_Get_count(status, MPI_BYTE, &bytes);
	printf("received %d %d %d\n", bytes, posted, on + 1);
}

static void keep(MPI_Request request, int posted, char *buffer)
{
	open_now[n_open].request = request;
	open_now[n_open].posted = posted;
	open_now[n_open++].buffer = buffer;
	perhaps_toggle();
}

static void completed(int i, MPI_Status *status)
{
	if (open_now[i].posted)
		say_received(status, open_now[i].posted);
	free(open_now[i].buffer);
	open_now[i] = open_now[--n_open];
}

static void complete_one(int i)
{
	MPI_Status status;

	MPI_Wait(&open_now[i].request, &status);
	completed(i, &status);
	perhaps_toggle();
}

static void try_some(void)
{
	MPI_Status status;
	int i, flag;

	for (i = n_open - 1; i >= 0; i--) {
		MPI_Test(&open_now[i].request, &flag, &status);
		if (flag)
			completed(i, &status);
		perhaps_toggle();
	}
}

static void send_one(int bytes, int to, int tag, MPI_Comm comm)
{
	MPI_Request request;

	printf("sent %d %d\n", bytes, on);
	if (tag == TAG_BLOCKING) {
		MPI_Send(out, bytes, MPI_BYTE, to, tag, comm);
		return;
	}
	MPI_Isend(out, bytes, MPI_BYTE, to, tag, comm, &request);
	keep(request, 0, NULL);
}

static void receive_later(int from, int tag, MPI_Comm comm)
{
	char *buffer = malloc(ROOM);
	MPI_Request request;

	if (comm == twin)
		MPI_Irecv(buffer, ROOM, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
	else
		MPI_Irecv(buffer, ROOM, MPI_BYTE,
			  tag >= TAG_ANY_SOURCE && tag < TAG_BLOCKING ? MPI_ANY_SOURCE : from, tag,
			  comm, &request);
	keep(request, on + 1, buffer);
}

/* A message is taken off its channel: what follows counts from here. */
static void take_message(int from)
{
	struct held *held = &held_now[n_held++];
	int flag = draw(&mine, 2) != 0;

	if (flag)
		MPI_Mprobe(from, TAG_BLOCKING, MPI_COMM_WORLD, &held->message, MPI_STATUS_IGNORE);
	while (!flag)
		MPI_Improbe(from, TAG_BLOCKING, MPI_COMM_WORLD, &flag, &held->message,
			    MPI_STATUS_IGNORE);
	held->taken = on + 1;
	perhaps_toggle();
}

static void receive_message(int i)
{
	static char buffer[ROOM];
	struct held held = held_now[i];
	MPI_Request request;
	MPI_Status status;
	char *later;

	held_now[i] = held_now[--n_held];
	if (draw(&mine, 2)) {
		MPI_Mrecv(buffer, ROOM, MPI_BYTE, &held.message, &status);
		say_received(&status, held.taken);
		perhaps_toggle();
	} else {
		later = malloc(ROOM);
		MPI_Imrecv(later, ROOM, MPI_BYTE, &held.message, &request);
		keep(request, held.taken, later);
	}
}

static void receive_now(int from)
{
	static char buffer[ROOM];
	MPI_Status status;

	if (draw(&mine, 2)) {
		take_message(from);
		while (n_held && draw(&mine, 2))
			receive_message((int)draw(&mine, (unsigned)n_held));
		return;
	}
	MPI_Recv(buffer, ROOM, MPI_BYTE, from, TAG_BLOCKING, MPI_COMM_WORLD, &status);
	say_received(&status, on + 1);
	perhaps_toggle();
}

/* Everybody draws the same messages: those for me are posted, those from me sent. */
static void exchange(void)
{
	int from[MESSAGES], n_now = 0, i;

	for (i = 0; i < MESSAGES; i++) {
		int src = (int)draw(&common, (unsigned)ranks), tag = (int)draw(&common, 6);
		int dst = (int)draw(&common, (unsigned)ranks);
		MPI_Comm comm = tag < TAG_BLOCKING && !draw(&common, 4) ? twin : MPI_COMM_WORLD;
		int bytes = ++size_of_next;

		if (src == dst)
			continue;
		if (dst == rank && tag == TAG_BLOCKING)
			from[n_now++] = src;
		else if (dst == rank)
			receive_later(src, tag, comm);
		if (src == rank)
			send_one(bytes, dst, tag, comm);
	}
	for (i = 0; i < n_now; i++)
		receive_now(from[i]);
}

/* Round the ring with one call at each rank. */
static void relay(void)
{
	static char buffer[ROOM];
	int bytes = size_of_next + 1 + rank;
	MPI_Status status;

	size_of_next += ranks;
	printf("sent %d %d\n", bytes, on);
	MPI_Sendrecv(out, bytes, MPI_BYTE, right, TAG_RELAY, buffer, ROOM, MPI_BYTE, left,
		     TAG_RELAY, MPI_COMM_WORLD, &status);
	say_received(&status, on + 1);
	perhaps_toggle();
}

/* Round the ring with requests that are started again and again. */
static void start_again(void)
{
	static MPI_Request request[2];
	static char buffer[ROOM], *to_send = out;
	static int bytes;
	int posted, first = !bytes, i;
	MPI_Status status[2];

	bytes = size_of_next + 1 + rank;
	size_of_next += ranks;
	if (!first)
		MPI_Request_free(&request[1]); /* another size */
	if (first)
		MPI_Recv_init(buffer, ROOM, MPI_BYTE, left, TAG_AGAIN, MPI_COMM_WORLD, &request[0]);
	MPI_Send_init(to_send, bytes, MPI_BYTE, right, TAG_AGAIN, MPI_COMM_WORLD, &request[1]);
	perhaps_toggle();
	posted = on + 1;
	printf("sent %d %d\n", bytes, on);
	MPI_Startall(2, request);
	for (i = 0; i < 3; i++)
		perhaps_toggle();
	MPI_Waitall(2, request, status);
	say_received(&status[0], posted);
}

static void gather_round(int round)
{
	static char a[ROOM], b[ROOM];

	if (draw(&common, 2))
		MPI_Allreduce(a, b, 1 + round, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
	perhaps_toggle();
	if (draw(&common, 2))
		MPI_Bcast(a, 100 + round, MPI_BYTE, 0, twin);
	perhaps_toggle();
}

/* A window for a while: it is made, fenced a few times and freed by all. */
static void access_round(void)
{
	static int memory;
	int fences = 1 + (int)draw(&common, 4);
	MPI_Win win;

	MPI_Win_create(&memory, sizeof(memory), sizeof(memory), MPI_INFO_NULL, MPI_COMM_WORLD,
		       &win);
	for (; fences; fences--) {
		perhaps_toggle();
		perhaps_toggle();
		MPI_Win_fence(0, win);
		perhaps_toggle();
		MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, win);
		MPI_Win_fence(0, win);
	}
	perhaps_toggle();
	MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
	char said[32];
	int round;

	begin(&argc, &argv);
	snprintf(said, sizeof(said), "said.%d", rank); /* on one pipe the ranks' lines mix */
	if (!freopen(said, "w", stdout))
		MPI_Abort(MPI_COMM_WORLD, 1);
	common = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
	mine = common * 1000 + (uint64_t)rank;
	on = !getenv("CONTEND_START_OFF");
	perhaps_toggle();
	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	for (round = 0; round < ROUNDS; round++) {
		exchange();
		gather_round(round);
		relay();
		start_again();
		access_round();
		try_some();
		while (n_open > (round % 4 == 3 ? 0 : 20))
			complete_one((int)draw(&mine, (unsigned)n_open));
	}
	while (n_held)
		receive_message(0);
	while (n_open)
		complete_one(0);
	return finish();
}
