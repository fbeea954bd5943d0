/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statuses: the program sees its own, filled as MPI fills them and nowhere else. */
#include "behave.h"

#define MARK 77

static MPI_Status marked(void)
{
	MPI_Status s;

	memset(&s, 0x5a, sizeof(s));
	s.MPI_ERROR = MARK;
	return s;
}

static int is_from_left(MPI_Status *s, int tag, int count)
{
	int got;

	MPI_Get_count(s, MPI_INT, &got);
	return s->MPI_SOURCE == left && s->MPI_TAG == tag && got == count;
}

static void given(void)
{
	MPI_Status s = marked(), two[2] = {marked(), marked()};
	MPI_Request r[2];
	int out[3] = {1, 2, 3}, in[3], flag = 0;

	MPI_Sendrecv(out, 2, MPI_INT, right, 1, in, 3, MPI_INT, left, 1, MPI_COMM_WORLD, &s);
	CHECK(is_from_left(&s, 1, 2));
	printf("Sendrecv leaves MPI_ERROR %s\n", s.MPI_ERROR == MARK ? "alone" : "changed");
	s = marked();
	MPI_Irecv(in, 3, MPI_INT, left, 2, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(out, 3, MPI_INT, right, 2, MPI_COMM_WORLD, &r[1]);
	while (!flag)
		MPI_Test(&r[0], &flag, &s);
	CHECK(is_from_left(&s, 2, 3));
	printf("Test leaves MPI_ERROR %s\n", s.MPI_ERROR == MARK ? "alone" : "changed");
	MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	MPI_Irecv(in, 3, MPI_INT, left, 3, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(out, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, two);
	CHECK(is_from_left(&two[0], 3, 1));
	printf("Waitall leaves MPI_ERROR %s\n", two[0].MPI_ERROR == MARK ? "alone" : "changed");
}

/* Every call that takes one can do without. */
static void ignored(void)
{
	int out = rank, in = -1, index, n, at[2], flag = 0;
	MPI_Message message;
	MPI_Request r[2];

	MPI_Irecv(&in, 1, MPI_INT, left, 4, MPI_COMM_WORLD, &r[0]);
	MPI_Send(&out, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	CHECK(in == left);
	MPI_Irecv(&in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &r[0]);
	MPI_Send(&out, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
	while (!flag)
		MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
	MPI_Irecv(&in, 1, MPI_INT, left, 6, MPI_COMM_WORLD, &r[0]);
	MPI_Send(&out, 1, MPI_INT, right, 6, MPI_COMM_WORLD);
	MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE);
	MPI_Irecv(&in, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &r[0]);
	MPI_Send(&out, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
	for (flag = 0; !flag;)
		MPI_Testany(1, r, &index, &flag, MPI_STATUS_IGNORE);
	MPI_Irecv(&in, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(&out, 1, MPI_INT, right, 8, MPI_COMM_WORLD, &r[1]);
	for (n = 0, flag = 0; n < 2; n += flag)
		MPI_Waitsome(2, r, &flag, at, MPI_STATUSES_IGNORE);
	MPI_Send(&out, 1, MPI_INT, right, 9, MPI_COMM_WORLD);
	MPI_Probe(left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Mprobe(left, 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(&out, 1, MPI_INT, right, 10, left, 10, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	CHECK(out == left);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	given();
	ignored();
	expect("MPI_SEND", 1 + 5 + 1);
	expect("MPI_RECV", 1 + 1 + 1);
	expect("MPI_ISEND", 3);
	expect("MPI_ISEND_COMPLETE", 3);
	expect("MPI_IRECV_REQUEST", 7);
	expect("MPI_IRECV", 7);
	expect("bytes-received", 4 * (2 + 3 + 1 + 5 + 1 + 1));
	return finish();
}
