/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C++ exceptions that pass through MPI: an error handler and a user's operation throw, and the
 * program goes on behind its catch. All calls after them are recorded, and at their times.
 */
#include "behave.h"

static int sends, destroyed;

struct witness {
	~witness()
	{
		destroyed++;
	}
};

static void exchange(int times)
{
	int x = 0;

	for (int i = 0; i < times; i++)
		MPI_Sendrecv_replace(&x, 1, MPI_INT, partner, 1, partner, 1, MPI_COMM_WORLD,
				     MPI_STATUS_IGNORE);
	sends += times;
}

static void throw_error(MPI_Comm *, int *code, ...)
{
	throw *code;
}

static void throw_operands(void *in, void *, int *, MPI_Datatype *)
{
	throw *static_cast<int *>(in);
}

static int class_of(int code)
{
	int error_class = -1;

	MPI_Error_class(code, &error_class);
	return error_class;
}

/* Several frames between the throw and the catch, MPI's and the recorder's among them. */
static void send_to_nobody(int depth)
{
	witness w;
	int x = 0;

	if (depth > 0)
		send_to_nobody(depth - 1);
	else
		MPI_Send(&x, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
}

static void from_error_handler()
{
	MPI_Errhandler handler;
	int caught = 0;

	MPI_Comm_create_errhandler(throw_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	for (int i = 0; i < 3; i++) {
		try {
			send_to_nobody(i);
			CHECK(!"no error");
		} catch (int code) {
			CHECK(class_of(code) == MPI_ERR_RANK);
			caught++;
		}
		exchange(5);
	}
	CHECK(caught == 3 && destroyed == 6);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
}

static void from_operation()
{
	int in = 42, out = 0, caught = 0;
	MPI_Op op;

	MPI_Op_create(throw_operands, 1, &op);
	try {
		MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
		CHECK(!"no operation");
	} catch (int value) {
		caught = value;
	}
	CHECK(caught == 42);
	exchange(5);
	MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	exchange(1);
	from_error_handler();
	from_operation();
	expect("MPI_SEND", sends);
	expect("MPI_RECV", sends);
	expect("calls-entered-at-the-end", 0);
	return finish();
}
