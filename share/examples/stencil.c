/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stencil: Jacobi's iteration on a 2-D or 3-D grid. Every rank has a block and exchanges the
 * faces of its halo with its neighbours in a Cartesian communicator; --periodic closes the grid.
 */
#include "example.h"

struct job {
	int size, dims, iterations, periodic, spend_us, residual;
	int rank, ranks;
	MPI_Comm cart;
	int p[3], at[3], n[3], first[3]; /* ranks, own place, own cells, where they begin */
	double *old, *new;
	double *face[4]; /* in and out, low and high */
};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"size", AT(size), 1, 100000, 64, NULL, "cells in each direction"},
	{"dims", AT(dims), 2, 3, 2, NULL, "of the grid"},
	{"iterations", AT(iterations), 1, 10000000, 50, NULL, "updates"},
	{"periodic", AT(periodic), 1, 1, 0, NULL, "the grid's ends meet"},
	{"spend", AT(spend_us), 0, 100000000, 0, NULL, "us more that each update takes"},
	{"residual", AT(residual), 0, 1000000, 10, NULL,
	 "updates between sums of the change; 0: none"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

/* A block with its halo: cell (x, y, z), each from -1 to n. */
static size_t cell(const int n[3], int x, int y, int z)
{
	return ((size_t)(z + 1) * (size_t)(n[1] + 2) + (size_t)(y + 1)) * (size_t)(n[0] + 2) +
	       (size_t)(x + 1);
}

static size_t cells(const int n[3])
{
	return (size_t)(n[0] + 2) * (size_t)(n[1] + 2) * (size_t)(n[2] + 2);
}

static double preset(int x, int y, int z)
{
	return example_wave(0.3 * x) + example_wave(1 + 0.2 * y + 0.1 * z);
}

/* One update of a block. Returns the sum of the changes. */
static double update(const int n[3], int dims, const double *old, double *new)
{
	size_t step[3] = {1, (size_t)n[0] + 2, (size_t)(n[0] + 2) * (size_t)(n[1] + 2)};
	double change = 0;

	for (int z = 0; z < n[2]; z++)
		for (int y = 0; y < n[1]; y++)
			for (int x = 0; x < n[0]; x++) {
				size_t i = cell(n, x, y, z);
				double sum = 0;

				for (int d = 0; d < dims; d++)
					sum += old[i - step[d]] + old[i + step[d]];
				new[i] = sum / (2 * dims);
				change += fabs(new[i] - old[i]);
			}
	return change;
}

/* Copy the layer at place along d between the block and a face. */
static int copy_face(const int n[3], double *block, int d, int place, double *face, int out)
{
	int lo[3] = {0, 0, 0}, hi[3] = {n[0], n[1], n[2]}, count = 0;

	lo[d] = place;
	hi[d] = place + 1;
	for (int z = lo[2]; z < hi[2]; z++)
		for (int y = lo[1]; y < hi[1]; y++)
			for (int x = lo[0]; x < hi[0]; x++) {
				double *c = &block[cell(n, x, y, z)];

				if (out)
					face[count++] = *c;
				else
					*c = face[count++];
			}
	return count;
}

/* All faces at once: the usual halo exchange. */
static void exchange(struct job *job)
{
	for (int d = 0; d < job->dims; d++) {
		MPI_Request request[4];
		MPI_Status status[4];
		int low, high, count;

		MPI_Cart_shift(job->cart, d, 1, &low, &high);
		count = copy_face(job->n, job->old, d, 0, job->face[2], 1);
		copy_face(job->n, job->old, d, job->n[d] - 1, job->face[3], 1);
		MPI_Irecv(job->face[0], count, MPI_DOUBLE, low, 1, job->cart, &request[0]);
		MPI_Irecv(job->face[1], count, MPI_DOUBLE, high, 0, job->cart, &request[1]);
		MPI_Isend(job->face[2], count, MPI_DOUBLE, low, 0, job->cart, &request[2]);
		MPI_Isend(job->face[3], count, MPI_DOUBLE, high, 1, job->cart, &request[3]);
		MPI_Waitall(4, request, status);
		if (low != MPI_PROC_NULL)
			copy_face(job->n, job->old, d, -1, job->face[0], 0);
		if (high != MPI_PROC_NULL)
			copy_face(job->n, job->old, d, job->n[d], job->face[1], 0);
	}
}

static void swap(double **a, double **b)
{
	double *kept = *a;

	*a = *b;
	*b = kept;
}

static void run(struct job *job)
{
	double change, all;

	for (int i = 1; i <= job->iterations; i++) {
		exchange(job);
		change = update(job->n, job->dims, job->old, job->new);
		example_spend(job->spend_us * 1e-6);
		swap(&job->old, &job->new);
		if (job->residual && i % job->residual == 0)
			MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, job->cart);
	}
}

static void fill(const struct job *job, const int n[3], const int first[3], double *block)
{
	for (int z = 0; z < n[2]; z++)
		for (int y = 0; y < n[1]; y++)
			for (int x = 0; x < n[0]; x++)
				block[cell(n, x, y, z)] =
					preset(first[0] + x, first[1] + y, first[2] + z);
	(void)job;
}

/* The whole grid alone. Returns how many of this rank's cells are wrong. */
static int verify(const struct job *job)
{
	int n[3] = {job->size, job->size, job->dims == 3 ? job->size : 1}, none[3] = {0, 0, 0};
	double *old = example_alloc(cells(n), sizeof(double));
	double *new = example_alloc(cells(n), sizeof(double));
	double *face = example_alloc((size_t)job->size * job->size, sizeof(double));
	int wrong = 0;

	fill(job, n, none, old);
	for (int i = 0; i < job->iterations; i++) {
		for (int d = 0; job->periodic && d < job->dims; d++) {
			copy_face(n, old, d, n[d] - 1, face, 1);
			copy_face(n, old, d, -1, face, 0);
			copy_face(n, old, d, 0, face, 1);
			copy_face(n, old, d, n[d], face, 0);
		}
		update(n, job->dims, old, new);
		swap(&old, &new);
	}
	for (int z = 0; z < job->n[2]; z++)
		for (int y = 0; y < job->n[1]; y++)
			for (int x = 0; x < job->n[0]; x++) {
				double ought = old[cell(n, job->first[0] + x, job->first[1] + y,
							job->first[2] + z)];

				wrong += !(fabs(job->old[cell(job->n, x, y, z)] - ought) <= 1e-12);
			}
	free(old);
	free(new);
	free(face);
	return wrong;
}

static int run_and_verify(struct job *job)
{
	int ends[3] = {job->periodic, job->periodic, job->periodic}, wrong;
	double start_s;
	char what[160];

	MPI_Dims_create(job->ranks, job->dims, job->p);
	if (job->p[0] > job->size) { /* the longest side */
		if (job->rank == 0)
			fprintf(stderr, "stencil: %d parts in a direction need as many cells\n",
				job->p[0]);
		return 2;
	}
	MPI_Cart_create(MPI_COMM_WORLD, job->dims, job->p, ends, 0, &job->cart);
	MPI_Cart_coords(job->cart, job->rank, job->dims, job->at);
	for (int d = 0; d < 3; d++) {
		int whole = d < job->dims ? job->size : 1, p = d < job->dims ? job->p[d] : 1;

		job->first[d] = (int)((int64_t)whole * job->at[d] / p);
		job->n[d] = (int)((int64_t)whole * (job->at[d] + 1) / p) - job->first[d];
	}
	job->old = example_alloc(cells(job->n), sizeof(double));
	job->new = example_alloc(cells(job->n), sizeof(double));
	for (int f = 0; f < 4; f++)
		job->face[f] = example_alloc(cells(job->n), sizeof(double));
	fill(job, job->n, job->first, job->old);
	MPI_Barrier(job->cart);
	start_s = MPI_Wtime();
	run(job);
	MPI_Barrier(job->cart);
	start_s = MPI_Wtime() - start_s;
	wrong = verify(job);
	snprintf(what, sizeof(what), "stencil: %d ranks, %d-D%s", job->ranks, job->dims,
		 job->periodic ? " periodic" : "");
	for (int f = 0; f < 4; f++)
		free(job->face[f]);
	free(job->old);
	free(job->new);
	MPI_Comm_free(&job->cart);
	return example_conclude(what, start_s, wrong);
}

int main(int argc, char **argv)
{
	static const char does[] = "Jacobi's iteration on a grid, halos exchanged.";
	struct job job = {0};
	int go, ret;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("stencil", does, options, &job, argc, argv);
	ret = go < 0 ? 2 : go > 0 ? run_and_verify(&job) : 0;
	MPI_Finalize();
	return ret;
}
