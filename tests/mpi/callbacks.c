/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code of the program that MPI calls: attributes, error handlers, operations. */
#include "behave.h"

static int copies, deletions, errors;

static int copy_it(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
	(void)comm;
	(void)keyval;
	(void)extra;
	*(void **)out = in;
	*flag = 1;
	copies++;
	return MPI_SUCCESS;
}

static int delete_it(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm;
	(void)keyval;
	(void)value;
	(void)extra;
	deletions++;
	return MPI_SUCCESS;
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
	int size;

	(void)code;
	MPI_Comm_size(*comm, &size);
	errors++;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
	int i, size;

	MPI_Type_size(*type, &size);
	for (i = 0; i < *n; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
	int keyval, sum, flag, i, x = 0, *tag_ub, value = 5, *got;
	MPI_Errhandler handler;
	MPI_Comm comm;
	MPI_Op op;

	begin(&argc, &argv);
	MPI_Comm_create_keyval(copy_it, delete_it, &keyval, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
	for (i = 0; i < 10; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		MPI_Comm_get_attr(comm, keyval, &got, &flag);
		CHECK(flag && got == &value);
		MPI_Barrier(comm);
		MPI_Comm_free(&comm);
	}
	MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
	MPI_Comm_free_keyval(&keyval);
	CHECK(copies == 10 && deletions == 11);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag);
	CHECK(flag && *tag_ub >= 32767);
	printf("MPI_TAG_UB %d\n", *tag_ub);

	MPI_Comm_create_errhandler(handle_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	for (i = 0; i < 3; i++)
		MPI_Send(&x, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
	MPI_Send(&x, 1, MPI_DATATYPE_NULL, right, 1, MPI_COMM_WORLD);
	printf("errors: %d\n", errors);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);

	MPI_Op_create(add, 1, &op);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	CHECK(sum == ranks * (ranks - 1) / 2);
	MPI_Op_free(&op);
	return finish();
}
