/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work-pile: clients work on a chunk for W, then ask one of P_s servers for the next; a server
 * takes S_o to hand one out. With few servers clients wait in line, with many there are few
 * clients: LoPC's equations (10) to (18) (Frank, Agarwal, Vernon 1997) say how many are best.
 */
#include "example.h"

enum { TAG_ASK = 1, TAG_CHUNK = 2 };

struct job {
	int servers, chunks, work_us, handler_us, exponential_work, exponential_handler, seed;
	int rank, ranks;
};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"servers", AT(servers), 1, 1000000, 1, NULL, "ranks that hand out chunks (P_s)"},
	{"chunks", AT(chunks), 1, 10000000, 100, NULL, "chunks that each client works on"},
	{"work", AT(work_us), 0, 100000000, 10000, NULL, "us to work on a chunk (W)"},
	{"handler", AT(handler_us), 0, 100000000, 2000, NULL, "us to hand one out (S_o)"},
	{"exponential-work", AT(exponential_work), 1, 1, 0, NULL, "W varies: its mean is --work"},
	{"exponential-handler", AT(exponential_handler), 1, 1, 0, NULL,
	 "S_o varies: its mean is --handler (C2 = 1)"},
	{"seed", AT(seed), 0, 1 << 30, 1, NULL, "of what varies, and of the servers asked"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

static void spend(uint64_t *s, int us, int exponential)
{
	example_spend(exponential ? example_exponential(s, us * 1e-6) : us * 1e-6);
}

/* Until every client has said that it needs no more. Returns the sum of the chunks' numbers. */
static int64_t run_server(const struct job *job, uint64_t *s)
{
	int clients = job->ranks - job->servers, wants;
	int64_t chunk = job->rank, sum = 0;
	MPI_Status status;

	while (clients) {
		MPI_Recv(&wants, 1, MPI_INT, MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &status);
		if (!wants) {
			clients--;
			continue;
		}
		spend(s, job->handler_us, job->exponential_handler);
		chunk += job->servers; /* servers' chunks are never the same */
		sum += chunk;
		MPI_Send(&chunk, 1, MPI_INT64_T, status.MPI_SOURCE, TAG_CHUNK, MPI_COMM_WORLD);
	}
	return sum;
}

/* Returns the sum of the chunks' numbers it got. */
static int64_t run_client(const struct job *job, uint64_t *s)
{
	int64_t chunk, sum = 0;
	int wants = 1, server;

	for (int i = 0; i < job->chunks; i++) {
		spend(s, job->work_us, job->exponential_work);
		server = example_draw(s, job->servers);
		MPI_Send(&wants, 1, MPI_INT, server, TAG_ASK, MPI_COMM_WORLD);
		MPI_Recv(&chunk, 1, MPI_INT64_T, server, TAG_CHUNK, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		sum += chunk;
	}
	wants = 0;
	for (server = 0; server < job->servers; server++)
		MPI_Send(&wants, 1, MPI_INT, server, TAG_ASK, MPI_COMM_WORLD);
	return sum;
}

/* Handed out and got are the same. */
static int conclude(const struct job *job, int64_t sum, double time_s)
{
	double all = (double)job->chunks * (job->ranks - job->servers);
	int64_t mine = job->rank < job->servers ? sum : -sum, balance;
	char what[160];

	MPI_Allreduce(&mine, &balance, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	snprintf(what, sizeof(what), "workpile: %d clients, %d servers, %.6g chunks a second",
		 job->ranks - job->servers, job->servers, all / time_s);
	return example_conclude(what, time_s,
				balance != 0 || (job->rank >= job->servers && sum == 0));
}

int main(int argc, char **argv)
{
	static const char does[] = "Clients ask servers for work.";
	struct job job = {0};
	int64_t sum;
	double start_s;
	uint64_t s;
	int go, ret;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("workpile", does, options, &job, argc, argv);
	if (go > 0 && job.servers >= job.ranks) {
		if (job.rank == 0)
			fprintf(stderr, "workpile: %d servers need more than %d ranks\n",
				job.servers, job.ranks);
		go = -1;
	}
	ret = go < 0 ? 2 : 0;
	if (go > 0) {
		s = example_mix(((uint64_t)job.seed << 32) + (uint64_t)job.rank);
		MPI_Barrier(MPI_COMM_WORLD);
		start_s = MPI_Wtime();
		sum = job.rank < job.servers ? run_server(&job, &s) : run_client(&job, &s);
		MPI_Barrier(MPI_COMM_WORLD);
		ret = conclude(&job, sum, MPI_Wtime() - start_s);
	}
	MPI_Finalize();
	return ret;
}
