/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweep: a wave over a 2-D arrangement of ranks from each corner in turn, as transport codes do
 * it. A rank waits for its two upstream neighbours, computes a block of the third dimension, and
 * feeds its two downstream neighbours; the pipeline fills and drains with every corner.
 */
#include "example.h"

struct job {
	int size, planes, block, spend_us, repeat;
	int rank, ranks;
	MPI_Comm grid;
	int p[2], at[2], n[2], first[2];
	double *cell;    /* n[0] * n[1] * planes */
	double *edge[2]; /* the values that come in, and go out: n[other] * block */
};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"size", AT(size), 1, 100000, 32, NULL, "cells in each of the two directions"},
	{"planes", AT(planes), 1, 100000, 16, NULL, "cells in the third"},
	{"block", AT(block), 1, 100000, 4, NULL, "planes that are handed on at once"},
	{"spend", AT(spend_us), 0, 100000000, 0, NULL, "us more that each block takes"},
	{"repeat", AT(repeat), 1, 1000000, 2, NULL, "sweeps from all four corners"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

/*
 * Planes first .. first + planes - 1 of an n[0] x n[1] block, walked from a corner. x_in and y_in
 * hold what comes in over the two sides and are replaced by what goes out.
 */
static void compute(double *cell, const int n[2], int corner, int first, int planes, double *x_in,
		    double *y_in)
{
	for (int z = 0; z < planes; z++)
		for (int j = 0; j < n[1]; j++)
			for (int i = 0; i < n[0]; i++) {
				int x = corner & 1 ? n[0] - 1 - i : i;
				int y = corner & 2 ? n[1] - 1 - j : j;
				double *c = &cell[((size_t)(first + z) * n[1] + y) * n[0] + x];
				double *from_x = &x_in[z * n[1] + y], *from_y = &y_in[z * n[0] + x];

				*c = 0.5 * *c + 0.3 * *from_x + 0.2 * *from_y;
				*from_x = *from_y = *c;
			}
}

/* One corner's wave through all blocks of planes. */
static void sweep(struct job *job, int corner)
{
	int up[2], down[2], planes;

	for (int d = 0; d < 2; d++) {
		MPI_Cart_shift(job->grid, d, corner >> d & 1 ? -1 : 1, &up[d], &down[d]);
		memset(job->edge[d], 0, (size_t)job->n[!d] * job->block * sizeof(double));
	}
	for (int first = 0; first < job->planes; first += job->block) {
		planes = job->planes - first < job->block ? job->planes - first : job->block;
		for (int d = 0; d < 2; d++) {
			if (up[d] == MPI_PROC_NULL)
				memset(job->edge[d], 0,
				       (size_t)job->n[!d] * job->block * sizeof(double));
			MPI_Recv(job->edge[d], job->n[!d] * planes, MPI_DOUBLE, up[d], corner,
				 job->grid, MPI_STATUS_IGNORE);
		}
		compute(job->cell, job->n, corner, first, planes, job->edge[0], job->edge[1]);
		example_spend(job->spend_us * 1e-6);
		for (int d = 0; d < 2; d++)
			MPI_Send(job->edge[d], job->n[!d] * planes, MPI_DOUBLE, down[d], corner,
				 job->grid);
	}
}

static void fill(double *cell, const int n[2], const int first[2], int planes)
{
	for (int z = 0; z < planes; z++)
		for (int y = 0; y < n[1]; y++)
			for (int x = 0; x < n[0]; x++)
				cell[((size_t)z * n[1] + y) * n[0] + x] =
					example_wave(0.1 * (first[0] + x)) + 0.01 * (first[1] + y) +
					z;
}

/* The whole alone. Returns how many of this rank's cells are wrong. */
static int verify(const struct job *job)
{
	int n[2] = {job->size, job->size}, none[2] = {0, 0}, wrong = 0;
	size_t edge = (size_t)job->size * job->planes;
	double *cell = example_alloc(edge * job->size, sizeof(double));
	double *in[2] = {example_alloc(edge, sizeof(double)), example_alloc(edge, sizeof(double))};

	fill(cell, n, none, job->planes);
	for (int i = 0; i < 4 * job->repeat; i++) {
		memset(in[0], 0, edge * sizeof(double));
		memset(in[1], 0, edge * sizeof(double));
		compute(cell, n, i % 4, 0, job->planes, in[0], in[1]);
	}
	for (int z = 0; z < job->planes; z++)
		for (int y = 0; y < job->n[1]; y++)
			for (int x = 0; x < job->n[0]; x++) {
				double ought = cell[((size_t)z * n[1] + job->first[1] + y) * n[0] +
						    job->first[0] + x];
				double got = job->cell[((size_t)z * job->n[1] + y) * job->n[0] + x];

				wrong += !(fabs(got - ought) <= 1e-12 * (1 + fabs(ought)));
			}
	free(cell);
	free(in[0]);
	free(in[1]);
	return wrong;
}

static int run_and_verify(struct job *job)
{
	int ends[2] = {0, 0}, wrong;
	double start_s;
	char what[160];

	MPI_Dims_create(job->ranks, 2, job->p);
	MPI_Cart_create(MPI_COMM_WORLD, 2, job->p, ends, 0, &job->grid);
	MPI_Cart_coords(job->grid, job->rank, 2, job->at);
	for (int d = 0; d < 2; d++) {
		job->first[d] = (int)((int64_t)job->size * job->at[d] / job->p[d]);
		job->n[d] =
			(int)((int64_t)job->size * (job->at[d] + 1) / job->p[d]) - job->first[d];
	}
	job->cell = example_alloc((size_t)job->n[0] * job->n[1] * job->planes, sizeof(double));
	for (int d = 0; d < 2; d++)
		job->edge[d] = example_alloc((size_t)job->n[!d] * job->block, sizeof(double));
	fill(job->cell, job->n, job->first, job->planes);
	MPI_Barrier(job->grid);
	start_s = MPI_Wtime();
	for (int i = 0; i < 4 * job->repeat; i++)
		sweep(job, i % 4);
	MPI_Barrier(job->grid);
	start_s = MPI_Wtime() - start_s;
	wrong = verify(job);
	snprintf(what, sizeof(what), "sweep: %d x %d ranks, blocks of %d planes", job->p[0],
		 job->p[1], job->block);
	free(job->cell);
	free(job->edge[0]);
	free(job->edge[1]);
	MPI_Comm_free(&job->grid);
	return example_conclude(what, start_s, wrong);
}

int main(int argc, char **argv)
{
	static const char does[] = "Waves over a grid of ranks from its four corners.";
	struct job job = {0};
	int go, ret;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("sweep", does, options, &job, argc, argv);
	ret = go < 0 ? 2 : go > 0 ? run_and_verify(&job) : 0;
	MPI_Finalize();
	return ret;
}
