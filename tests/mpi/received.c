/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a receive brought: less than it asked for, with a datatype that is gone when it
 * completes, from anybody, with any tag.
 */
#include "behave.h"

struct gapped {
	double x;
	int a, b;
};

/* The first two of it, 12 bytes; the last one is a gap. */
static MPI_Datatype gapped_type(void)
{
	int blocks[2] = {1, 1};
	MPI_Aint at[2] = {0, 8};
	MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
	MPI_Datatype bare, type;

	MPI_Type_create_struct(2, blocks, at, types, &bare);
	MPI_Type_create_resized(bare, 0, sizeof(struct gapped), &type);
	MPI_Type_commit(&type);
	MPI_Type_free(&bare);
	return type;
}

int main(int argc, char **argv)
{
	struct gapped in[10], out[10];
	MPI_Datatype type, column;
	MPI_Request request;
	MPI_Status status;
	double matrix[10][10] = {{0}}, line[10];
	int i, got, value = 1;

	begin(&argc, &argv);
	memset(out, 1, sizeof(out));

	/* 7 of the 10 elements of a type with a gap: 7 x 12 bytes */
	type = gapped_type();
	MPI_Irecv(in, 10, type, left, 1, MPI_COMM_WORLD, &request);
	MPI_Send(out, 7, type, right, 1, MPI_COMM_WORLD);
	MPI_Type_free(&type);
	MPI_Wait(&request, &status);

	/* half an element: Get_count is MPI_UNDEFINED, the bytes are 5 x 8 */
	MPI_Type_vector(10, 1, 10, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	for (i = 0; i < 10; i++)
		line[i] = i;
	MPI_Irecv(matrix, 1, column, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
	MPI_Send(line, 5, MPI_DOUBLE, right, 42, MPI_COMM_WORLD);
	MPI_Wait(&request, &status);
	MPI_Get_count(&status, column, &got);
	CHECK(got == MPI_UNDEFINED && status.MPI_TAG == 42 && status.MPI_SOURCE == left);
	CHECK(matrix[4][0] == 4 && matrix[5][0] == 0);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Sendrecv(line, 3, MPI_DOUBLE, right, 43, matrix, 1, column, MPI_ANY_SOURCE, MPI_ANY_TAG,
		     MPI_COMM_WORLD, &status);
	CHECK(status.MPI_TAG == 43);
	MPI_Type_free(&column);

	/* nothing at all */
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Sendrecv(NULL, 0, MPI_INT, right, 44, &value, 1, MPI_INT, left, 44, MPI_COMM_WORLD,
		     &status);
	MPI_Get_count(&status, MPI_INT, &got);
	CHECK(got == 0 && value == 1);

	expect("MPI_SEND", 4);
	expect("MPI_RECV", 2);
	expect("MPI_IRECV_REQUEST", 2);
	expect("MPI_IRECV", 2);
	expect("bytes-sent", 7 * 12 + 40 + 24);
	expect("bytes-received", 7 * 12 + 40 + 24);
	expect("senders-of-all-received", 4 * left);
	expect("tags-of-all-received", 1 + 42 + 43 + 44);
	return finish();
}
