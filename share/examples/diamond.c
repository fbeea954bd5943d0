/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diamond DAG: the longest common subsequence of two random DNA strings by dynamic programming,
 * as in "LoGPC" (Moritz, Frank 2001, equation 15). Each rank has a stripe of the columns; the
 * rows come in --blocks; a rank waits for its left neighbour's last column of a block, computes,
 * and hands its own last column to the right, with --extra bytes. Where the stripes' owners lie
 * (--map, --map-file) decides how far the messages go.
 */
#include "example.h"

enum map { MAP_LINEAR, MAP_REVERSE, MAP_RANDOM };

struct job {
	int length, blocks, extra, task_ns, map, seed, send_sync, repeat;
	const char *map_file; /* or NULL */
	int rank, ranks;      /* in the order of the stripes */
	MPI_Comm comm;
	int first, columns;
	int *above;     /* the row above the block, one more to the left */
	int *border;    /* a block's column: its left neighbour's, then its own last, then extra */
	uint64_t taken; /* a sum over all that came from the left */
};

static const char *const map_names[] = {"linear", "reverse", "random"};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"length", AT(length), 1, 1000000, 1024, NULL, "of each string (n)"},
	{"blocks", AT(blocks), 1, 1000000, 64, NULL, "that the rows come in (b)"},
	{"extra", AT(extra), 0, 1 << 28, 0, NULL, "bytes more in each message"},
	{"task", AT(task_ns), 0, 1000000000, 0, NULL, "ns more that each cell takes"},
	{"map", AT(map), 0, 2, 0, map_names, "ranks of the stripes: linear, reverse, random"},
	{"map-file", AT(map_file), 1, 0, 0, NULL, "file with the stripes of ranks 0, 1, 2, ..."},
	{"seed", AT(seed), 0, 1 << 30, 1, NULL, "of the strings and of the random map"},
	{"ssend", AT(send_sync), 1, 1, 0, NULL, "send synchronously"},
	{"repeat", AT(repeat), 1, 1000000, 1, NULL, "how many times"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

/* Letter i of string which. */
static int letter(const struct job *job, int which, int i)
{
	return (int)(example_mix(((uint64_t)job->seed << 34) + ((uint64_t)which << 32) +
				 (uint64_t)i) %
		     4);
}

/* The stripes of all ranks from the file, on rank 0. Returns 0 unless each is there once. */
static int read_map(const char *path, int ranks, int *stripe)
{
	char *has = example_alloc(ranks, 1);
	FILE *f = fopen(path, "r");
	int n = 0;

	while (f && n < ranks && fscanf(f, "%d", &stripe[n]) == 1 && stripe[n] >= 0 &&
	       stripe[n] < ranks && !has[stripe[n]])
		has[stripe[n++]] = 1;
	if (f)
		fclose(f);
	free(has);
	if (n < ranks)
		fprintf(stderr, "diamond: %s does not have each of 0 to %d once\n", path,
			ranks - 1);
	return n == ranks;
}

/* Which stripe this rank owns: the same permutation everywhere. -1: the file has none. */
static int stripe_of(const struct job *job, int rank, int ranks)
{
	int *stripe = example_alloc(ranks, sizeof(int)), mine, kept, j;
	uint64_t s = example_mix((uint64_t)job->seed);

	for (int i = 0; i < ranks; i++)
		stripe[i] = job->map == MAP_REVERSE ? ranks - 1 - i : i;
	for (int i = ranks - 1; job->map == MAP_RANDOM && i > 0; i--) {
		j = example_draw(&s, i + 1);
		kept = stripe[i];
		stripe[i] = stripe[j];
		stripe[j] = kept;
	}
	if (job->map_file && rank == 0 && !read_map(job->map_file, ranks, stripe))
		memset(stripe, -1, (size_t)ranks * sizeof(int));
	if (job->map_file)
		MPI_Bcast(stripe, ranks, MPI_INT, 0, MPI_COMM_WORLD);
	mine = stripe[rank];
	free(stripe);
	return mine;
}

/*
 * Rows first .. first + n - 1 of columns left .. left + columns - 1. above: the row above, from
 * one column to the left on; border: the column to the left, replaced by the last one.
 */
static void compute(const struct job *job, int first, int n, int left, int columns, int *above,
		    int *border)
{
	for (int i = 0; i < n; i++) {
		int diagonal = above[0], west = border[i], here;

		above[0] = border[i];
		for (int j = 0; j < columns; j++) {
			here = above[j + 1] > west ? above[j + 1] : west;
			if (letter(job, 0, first + i) == letter(job, 1, left + j) &&
			    diagonal + 1 > here)
				here = diagonal + 1;
			diagonal = above[j + 1];
			above[j + 1] = west = here;
		}
		border[i] = west;
	}
}

/* What the value of a row in a stripe's left border adds to the sum over all of them. */
static uint64_t sum_of(int row, int value)
{
	return example_mix(((uint64_t)row << 32) + (uint64_t)value);
}

/* Returns the length of the longest common subsequence up to the stripe's last column. */
static int run(struct job *job)
{
	int rows, first, bytes;

	memset(job->above, 0, ((size_t)job->columns + 1) * sizeof(int));
	job->taken = 0;
	for (int b = 0; b < job->blocks; b++) {
		first = (int)((int64_t)job->length * b / job->blocks);
		rows = (int)((int64_t)job->length * (b + 1) / job->blocks) - first;
		bytes = rows * (int)sizeof(int) + job->extra;
		if (job->rank > 0)
			MPI_Recv(job->border, bytes, MPI_BYTE, job->rank - 1, 0, job->comm,
				 MPI_STATUS_IGNORE);
		else
			memset(job->border, 0, (size_t)rows * sizeof(int));
		for (int i = 0; i < rows; i++)
			job->taken += sum_of(first + i, job->border[i]);
		compute(job, first, rows, job->first, job->columns, job->above, job->border);
		example_spend(1e-9 * job->task_ns * rows * job->columns);
		if (job->rank < job->ranks - 1 && job->send_sync)
			MPI_Ssend(job->border, bytes, MPI_BYTE, job->rank + 1, 0, job->comm);
		else if (job->rank < job->ranks - 1)
			MPI_Send(job->border, bytes, MPI_BYTE, job->rank + 1, 0, job->comm);
	}
	return job->above[job->columns];
}

/*
 * The same by this rank alone, up to its stripe's end; in taken what should have come from its
 * left.
 */
static int alone(const struct job *job, uint64_t *taken)
{
	int end = job->first + job->columns, *above = example_alloc((size_t)end + 1, sizeof(int));
	int zero, found;

	*taken = 0;
	for (int i = 0; i < job->length; i++) {
		zero = 0;
		compute(job, i, 1, 0, end, above, &zero);
		*taken += sum_of(i, above[job->first]);
	}
	found = above[end];
	free(above);
	return found;
}

static int run_and_verify(struct job *job, int world_rank)
{
	int stripe = stripe_of(job, world_rank, job->ranks), found = 0, wrong;
	uint64_t taken;
	size_t rows = (size_t)job->length / (size_t)job->blocks + 1;
	double start_s;
	char what[160];

	if (stripe < 0)
		return 2;
	MPI_Comm_split(MPI_COMM_WORLD, 0, stripe, &job->comm);
	MPI_Comm_rank(job->comm, &job->rank);
	job->first = (int)((int64_t)job->length * job->rank / job->ranks);
	job->columns = (int)((int64_t)job->length * (job->rank + 1) / job->ranks) - job->first;
	job->above = example_alloc((size_t)job->columns + 1, sizeof(int));
	job->border = example_alloc(rows * sizeof(int) + (size_t)job->extra, 1);
	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime();
	for (int i = 0; i < job->repeat; i++)
		found = run(job);
	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime() - start_s;
	wrong = found != alone(job, &taken) || taken != job->taken;
	MPI_Bcast(&found, 1, MPI_INT, job->ranks - 1, job->comm);
	snprintf(what, sizeof(what), "diamond: %d ranks %s, %d blocks, common subsequence of %d",
		 job->ranks, job->map_file ? "as in the file" : map_names[job->map], job->blocks,
		 found);
	free(job->above);
	free(job->border);
	MPI_Comm_free(&job->comm);
	return example_conclude(what, start_s, wrong);
}

int main(int argc, char **argv)
{
	static const char does[] = "Two strings compared in stripes, a wave over the ranks.";
	struct job job = {0};
	int go, ret, rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("diamond", does, options, &job, argc, argv);
	ret = go < 0 ? 2 : go > 0 ? run_and_verify(&job, rank) : 0;
	MPI_Finalize();
	return ret;
}
