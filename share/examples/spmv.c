/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse matrix times vector with remote gets, as in LoPC's figure 8 (Frank, Agarwal, Vernon
 * 1997): for every element of a row that lies in another rank's part of the vector the value is
 * fetched from there, one at a time. --get=request asks the owner, whose handler takes
 * --handler; --get=rma reads its memory (MPI_Get); --get=exchange fetches all values of a row
 * block at once, for comparison.
 */
#include "example_serve.h"

enum get { GET_REQUEST, GET_RMA, GET_EXCHANGE };

struct job {
	int rows, per_row, products, get, work_us, handler_us, seed;
	int rank, ranks;
	int first, n; /* own rows and own part of the vector */
	double *x, *y;
	MPI_Win window;
	struct server server;
};

static const char *const get_names[] = {"request", "rma", "exchange"};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"rows", AT(rows), 1, 10000000, 200, NULL, "rows of the matrix"},
	{"per-row", AT(per_row), 1, 10000, 8, NULL, "elements in a row"},
	{"products", AT(products), 1, 1000000, 5, NULL, "how many times"},
	{"get", AT(get), 0, 2, 0, get_names, "values by: request, rma, exchange"},
	{"work", AT(work_us), 0, 100000000, 0, NULL, "us of work for an element (W)"},
	{"handler", AT(handler_us), 0, 100000000, 0, NULL, "us to answer a request (S_o)"},
	{"seed", AT(seed), 0, 1 << 30, 1, NULL, "of the matrix"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

static int first_of(const struct job *job, int rank)
{
	return (int)((int64_t)job->rows * rank / job->ranks);
}

static int owner_of(const struct job *job, int row)
{
	return (int)((((int64_t)row + 1) * job->ranks - 1) / job->rows);
}

/* Element e of a row: its column and its weight, the same for everybody. */
static int element(const struct job *job, int row, int e, double *weight)
{
	uint64_t s = example_mix(((uint64_t)job->seed << 48) ^ ((uint64_t)row << 16) ^ (uint64_t)e);

	*weight = (example_draw(&s, 1000) + 1) / (1000.0 * job->per_row);
	return example_draw(&s, job->rows);
}

/* Somebody asks for one of our values. */
static void serve(void *state, const char *request, int source)
{
	struct job *job = state;
	int column;

	memcpy(&column, request, sizeof(column));
	MPI_Send(&job->x[column - job->first], 1, MPI_DOUBLE, source, TAG_REPLY, MPI_COMM_WORLD);
}

static double fetch(struct job *job, int column)
{
	int owner = owner_of(job, column);
	MPI_Request send, reply;
	double value = 0;

	if (owner == job->rank)
		return job->x[column - job->first];
	if (job->get == GET_RMA) {
		MPI_Get(&value, 1, MPI_DOUBLE, owner, column - first_of(job, owner), 1, MPI_DOUBLE,
			job->window);
		MPI_Win_flush(owner, job->window);
		return value;
	}
	MPI_Irecv(&value, 1, MPI_DOUBLE, owner, TAG_REPLY, MPI_COMM_WORLD, &reply);
	MPI_Isend(&column, sizeof(column), MPI_BYTE, owner, TAG_REQUEST, MPI_COMM_WORLD, &send);
	server_wait(&job->server, &send);
	server_wait(&job->server, &reply);
	return value;
}

/* How many requests a product will bring here. */
static int foresee(const struct job *job)
{
	int *asked = example_alloc(job->ranks, sizeof(int)), expected;
	double weight;

	for (int i = 0; i < job->n * job->per_row; i++)
		asked[owner_of(job, element(job, job->first + i / job->per_row, i % job->per_row,
					    &weight))]++;
	asked[job->rank] = 0;
	MPI_Reduce_scatter_block(asked, &expected, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	free(asked);
	return expected;
}

/* y = A x, one element at a time. */
static void multiply(struct job *job, int expected)
{
	double weight;
	int column;

	server_start(&job->server, sizeof(int), job->get == GET_REQUEST ? expected : 0);
	for (int i = 0; i < job->n; i++) {
		job->y[i] = 0;
		for (int e = 0; e < job->per_row; e++) {
			column = element(job, job->first + i, e, &weight);
			server_work(&job->server, job->work_us * 1e-6);
			job->y[i] += weight * fetch(job, column);
		}
	}
	server_finish(&job->server);
}

/* The same with the whole vector fetched first. */
static void multiply_whole(struct job *job, double *whole, const int *counts, const int *firsts)
{
	double weight;
	int column;

	MPI_Allgatherv(job->x, job->n, MPI_DOUBLE, whole, counts, firsts, MPI_DOUBLE,
		       MPI_COMM_WORLD);
	for (int i = 0; i < job->n; i++) {
		job->y[i] = 0;
		for (int e = 0; e < job->per_row; e++) {
			column = element(job, job->first + i, e, &weight);
			example_spend(job->work_us * 1e-6);
			job->y[i] += weight * whole[column];
		}
	}
}

/* All products, the result of one being the vector of the next. */
static void run(struct job *job)
{
	int *counts = example_alloc(job->ranks, sizeof(int)), expected = foresee(job);
	int *firsts = example_alloc(job->ranks, sizeof(int));
	double *whole = example_alloc(job->rows, sizeof(double));

	for (int r = 0; r < job->ranks; r++) {
		firsts[r] = first_of(job, r);
		counts[r] = first_of(job, r + 1) - firsts[r];
	}
	if (job->get == GET_RMA)
		MPI_Win_lock_all(0, job->window);
	for (int p = 0; p < job->products; p++) {
		if (job->get == GET_EXCHANGE)
			multiply_whole(job, whole, counts, firsts);
		else
			multiply(job, expected);
		MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the old values any more */
		memcpy(job->x, job->y, (size_t)job->n * sizeof(double));
		if (job->get == GET_RMA)
			MPI_Win_sync(job->window);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (job->get == GET_RMA)
		MPI_Win_unlock_all(job->window);
	free(whole);
	free(firsts);
	free(counts);
}

static double preset(int i)
{
	return 2 + example_wave(0.1 * i);
}

/* The products computed alone. Returns how many of this rank's values are wrong. */
static int verify(const struct job *job)
{
	double *x = example_alloc(job->rows, sizeof(double)), weight, sum;
	double *y = example_alloc(job->rows, sizeof(double));
	int wrong = 0, column;

	for (int i = 0; i < job->rows; i++)
		x[i] = preset(i);
	for (int p = 0; p < job->products; p++) {
		for (int i = 0; i < job->rows; i++) {
			sum = 0;
			for (int e = 0; e < job->per_row; e++) {
				column = element(job, i, e, &weight);
				sum += weight * x[column];
			}
			y[i] = sum;
		}
		memcpy(x, y, (size_t)job->rows * sizeof(double));
	}
	for (int i = 0; i < job->n; i++)
		wrong += !(fabs(job->x[i] - x[job->first + i]) <= 1e-12 * fabs(job->x[i]));
	free(x);
	free(y);
	return wrong;
}

static int run_and_verify(struct job *job)
{
	double start_s;
	char what[160];
	int wrong;

	job->first = first_of(job, job->rank);
	job->n = first_of(job, job->rank + 1) - job->first;
	job->y = example_alloc(job->n, sizeof(double));
	/* In whole cache lines: of windows that end at no multiple of 16 bytes MPICH 4.0.2 gets
	 * from 8 bytes too low. */
	MPI_Win_allocate((MPI_Aint)((job->n + 7) / 8 * 8 * sizeof(double)), sizeof(double),
			 MPI_INFO_NULL, MPI_COMM_WORLD, &job->x, &job->window);
	for (int i = 0; i < job->n; i++)
		job->x[i] = preset(job->first + i);
	job->server =
		(struct server){.serve = serve, .state = job, .handler_s = job->handler_us * 1e-6};
	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime();
	run(job);
	start_s = MPI_Wtime() - start_s;
	wrong = verify(job);
	MPI_Win_free(&job->window);
	free(job->y);
	snprintf(what, sizeof(what), "spmv: %d ranks, %d rows of %d, by %s", job->ranks, job->rows,
		 job->per_row, get_names[job->get]);
	return example_conclude(what, start_s, wrong);
}

int main(int argc, char **argv)
{
	static const char does[] = "Sparse matrix times vector with remote gets.";
	struct job job = {0};
	int go, ret;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("spmv", does, options, &job, argc, argv);
	if (go > 0 && job.rows < job.ranks) {
		if (job.rank == 0)
			fprintf(stderr, "spmv: %d ranks need as many --rows\n", job.ranks);
		go = -1;
	}
	ret = go < 0 ? 2 : go > 0 ? run_and_verify(&job) : 0;
	MPI_Finalize();
	return ret;
}
