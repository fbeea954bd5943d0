/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Remap: every rank sends its values elsewhere, one message each, as the runs that Moritz and
 * Frank tabulate in "LoGPC" (2001, table 4). Between messages a rank works for --think; its
 * receiver's handler takes --handler. Synchronous: each message is answered before the next is
 * sent. Asynchronous: they are sent without waiting. Long messages: --bytes.
 */
#include "example_serve.h"

enum mode { MODE_SYNC, MODE_ASYNC };
enum to { TO_RANDOM, TO_SHIFT };

struct job {
	int messages, bytes, think_us, handler_us, mode, to, shift, seed;
	int rank, ranks;
	uint64_t digest; /* of all values that arrived here */
	int reply;
};

static const char *const mode_names[] = {"sync", "async"};
static const char *const to_names[] = {"random", "shift"};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"messages", AT(messages), 1, 10000000, 1000, NULL, "messages of each rank"},
	{"bytes", AT(bytes), 8, 1 << 30, 16, NULL, "in a message, at least 8; of long remap many"},
	{"think", AT(think_us), 0, 100000000, 0, NULL, "us of work between messages (W)"},
	{"handler", AT(handler_us), 0, 100000000, 0, NULL, "us to handle a message (S_o)"},
	{"mode", AT(mode), 0, 1, 0, mode_names, "sync: each answered; async: none"},
	{"to", AT(to), 0, 1, 0, to_names, "destinations: random, shift"},
	{"shift", AT(shift), 1, 1000000, 1, NULL, "ranks between source and destination"},
	{"seed", AT(seed), 0, 1 << 30, 1, NULL, "of the destinations"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

/* Where message i of a rank goes: never to itself when there is another. */
static int destination(const struct job *job, int i)
{
	uint64_t s = example_mix(((uint64_t)job->seed << 40) ^ ((uint64_t)job->rank << 20) ^
				 (uint64_t)i);

	if (job->ranks == 1)
		return 0;
	if (job->to == TO_SHIFT)
		return (job->rank + job->shift) % job->ranks;
	return (job->rank + 1 + example_draw(&s, job->ranks - 1)) % job->ranks;
}

static uint64_t value(const struct job *job, int i)
{
	return example_mix(((uint64_t)job->rank << 32) + (uint64_t)i);
}

/* A value has come. */
static void serve(void *state, const char *request, int source)
{
	struct job *job = state;
	uint64_t v;

	memcpy(&v, request, sizeof(v));
	job->digest ^= v;
	if (job->mode == MODE_SYNC)
		MPI_Send(request, 8, MPI_BYTE, source, TAG_REPLY, MPI_COMM_WORLD);
}

/* How many messages will come here, and their values' digest. */
static int foresee(const struct job *job, uint64_t *digest)
{
	int *count = example_alloc(job->ranks, sizeof(*count)), expected;
	uint64_t *sum = example_alloc(job->ranks, sizeof(*sum));

	for (int i = 0; i < job->messages; i++) {
		count[destination(job, i)]++;
		sum[destination(job, i)] ^= value(job, i);
	}
	MPI_Reduce_scatter_block(count, &expected, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce_scatter_block(sum, digest, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
	free(count);
	free(sum);
	return expected;
}

/* All messages. Returns how many answers were not what was sent. */
static int run(struct job *job, struct server *s)
{
	char *out = example_alloc(job->bytes, 1);
	uint64_t v, answer = 0;
	MPI_Request send, reply;
	int wrong = 0;

	for (int i = 0; i < job->messages; i++) {
		v = value(job, i);
		memcpy(out, &v, sizeof(v));
		server_work(s, job->think_us * 1e-6);
		reply = MPI_REQUEST_NULL;
		if (job->mode == MODE_SYNC)
			MPI_Irecv(&answer, 8, MPI_BYTE, destination(job, i), TAG_REPLY,
				  MPI_COMM_WORLD, &reply);
		MPI_Isend(out, job->bytes, MPI_BYTE, destination(job, i), TAG_REQUEST,
			  MPI_COMM_WORLD, &send);
		server_wait(s, &send);
		server_wait(s, &reply);
		wrong += job->mode == MODE_SYNC && answer != v;
	}
	server_finish(s);
	free(out);
	return wrong;
}

int main(int argc, char **argv)
{
	static const char does[] = "Every rank sends its values elsewhere, one message each.";
	struct job job = {0};
	struct server s = {.serve = serve, .state = &job};
	uint64_t digest = 0;
	char what[160];
	double start_s;
	int go, ret, wrong;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("remap", does, options, &job, argc, argv);
	ret = go < 0 ? 2 : 0;
	if (go > 0) {
		s.handler_s = job.handler_us * 1e-6;
		server_start(&s, job.bytes, foresee(&job, &digest));
		MPI_Barrier(MPI_COMM_WORLD);
		start_s = MPI_Wtime();
		wrong = run(&job, &s);
		MPI_Barrier(MPI_COMM_WORLD);
		start_s = MPI_Wtime() - start_s;
		snprintf(what, sizeof(what), "remap: %d ranks, %s, to %s, %d bytes, cycle %.9f s",
			 job.ranks, mode_names[job.mode], to_names[job.to], job.bytes,
			 start_s / job.messages);
		ret = example_conclude(what, start_s, wrong + (digest != job.digest));
	}
	MPI_Finalize();
	return ret;
}
