/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Masters hand out tasks to who asks, a worker asks them in turn, and with each request brings the
 * result of the task before: who is fast does more of them. With other numbers of masters it does
 * the same tasks. For tests/smpi/servers.sh.
 */
#include "share/examples/example.h"

enum { TAG_ASK = 1, TAG_TASK = 2, NO_MORE = -1 };

struct job {
	int servers, tasks, work_us, handler_us, varies, random, at_once, seed;
	int rank, ranks;
	uint64_t chance;
};

static void spend(struct job *job, int us)
{
	example_spend(job->varies ? example_exponential(&job->chance, us * 1e-6) : us * 1e-6);
}

/* Until every worker has been told that there are no more. Returns how many it handed out. */
static int hand_out(struct job *job)
{
	int left = job->ranks - job->servers, n = 0, worker, task;
	int mine = job->tasks / job->servers + (job->rank < job->tasks % job->servers);
	MPI_Status status;

	while (left) {
		MPI_Recv(&worker, 1, MPI_INT, MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &status);
		task = n < mine ? n++ : NO_MORE;
		if (task == NO_MORE)
			left--;
		else
			spend(job, job->handler_us);
		MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, TAG_TASK, MPI_COMM_WORLD);
	}
	return n;
}

/* The same, but takes all that have asked before it answers the first of them. */
static int hand_out_at_once(struct job *job)
{
	int workers = job->ranks - job->servers, left = workers, n = 0, some;
	int mine = job->tasks / job->servers + (job->rank < job->tasks % job->servers);
	int *asks = example_alloc((size_t)workers, sizeof(*asks));
	int *task = example_alloc((size_t)workers, sizeof(*task));
	int *which = example_alloc((size_t)workers, sizeof(*which));
	MPI_Request *request = example_alloc((size_t)workers, sizeof(MPI_Request));

	for (int i = 0; i < workers; i++)
		MPI_Irecv(&asks[i], 1, MPI_INT, job->servers + i, TAG_ASK, MPI_COMM_WORLD,
			  &request[i]);
	while (left) {
		MPI_Waitsome(workers, request, &some, which, MPI_STATUSES_IGNORE);
		for (int k = 0; k < some; k++) {
			task[k] = n < mine ? n++ : NO_MORE;
			if (task[k] != NO_MORE)
				spend(job, job->handler_us);
		}
		for (int k = 0; k < some; k++) {
			MPI_Send(&task[k], 1, MPI_INT, job->servers + which[k], TAG_TASK,
				 MPI_COMM_WORLD);
			left -= task[k] == NO_MORE;
			if (task[k] != NO_MORE)
				MPI_Irecv(&asks[which[k]], 1, MPI_INT, job->servers + which[k],
					  TAG_ASK, MPI_COMM_WORLD, &request[which[k]]);
		}
	}
	free(request);
	free(which);
	free(task);
	free(asks);
	return n;
}

static int next_server(struct job *job, int server)
{
	return job->random ? (int)example_draw(&job->chance, (uint64_t)job->servers)
			   : (server + 1) % job->servers;
}

/* Returns how many it did. */
static int work(struct job *job)
{
	char *ended = example_alloc((size_t)job->servers, 1);
	int left = job->servers, n = 0, task;

	for (int server = job->rank % job->servers; left; server = next_server(job, server)) {
		if (ended[server])
			continue;
		MPI_Send(&job->rank, 1, MPI_INT, server, TAG_ASK, MPI_COMM_WORLD);
		MPI_Recv(&task, 1, MPI_INT, server, TAG_TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (task == NO_MORE) {
			ended[server] = 1;
			left--;
			continue;
		}
		spend(job, job->work_us);
		n++;
	}
	free(ended);
	return n;
}

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"servers", AT(servers), 1, 1000000, 1, NULL, "ranks that hand out tasks"},
	{"tasks", AT(tasks), 1, 10000000, 600, NULL, "in all"},
	{"work", AT(work_us), 0, 100000000, 1000, NULL, "us that a task takes"},
	{"handler", AT(handler_us), 0, 100000000, 2000, NULL, "us to hand one out"},
	{"varies", AT(varies), 1, 1, 0, NULL, "those are means, of exponential times"},
	{"random", AT(random), 1, 1, 0, NULL, "a worker asks any master, not in turn"},
	{"at-once", AT(at_once), 1, 1, 0, NULL,
	 "a master answers when it has taken all that asked"},
	{"seed", AT(seed), 0, 1 << 30, 1, NULL, "of what varies"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

int main(int argc, char **argv)
{
	struct job job = {0};
	int mine, done, ret = 2;
	double start_s;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	if (example_parse("master", "Workers ask for tasks.", options, &job, argc, argv) > 0 &&
	    job.servers < job.ranks) {
		job.chance = example_mix(((uint64_t)job.seed << 32) + (uint64_t)job.rank);
		MPI_Barrier(MPI_COMM_WORLD);
		start_s = MPI_Wtime();
		if (job.rank >= job.servers)
			mine = work(&job);
		else
			mine = job.at_once ? -hand_out_at_once(&job) : -hand_out(&job);
		MPI_Barrier(MPI_COMM_WORLD);
		start_s = MPI_Wtime() - start_s;
		MPI_Allreduce(&mine, &done, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		ret = example_conclude("master", start_s, done);
	}
	MPI_Finalize();
	return ret;
}
