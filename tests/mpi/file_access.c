/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files: all ways to read and write, alone and together, and what is not there. */
#include "behave.h"

#define N     256
#define BLOCK (N * (MPI_Offset)sizeof(int))
#define PATH  "files.data"

static int out[N], in[N];
static long reads, writes;
static MPI_File fh;

/* What rank wrote in a round; the sum shows that all of it came. */
static void fill(int round)
{
	int i;

	for (i = 0; i < N; i++) {
		out[i] = 10000 * round + 100 * rank + i;
		in[i] = -1;
	}
}

static void check_is(int round, int of)
{
	CHECK(in[0] == 10000 * round + 100 * of && in[N - 1] == in[0] + N - 1);
}

static void in_one_call(void)
{
	MPI_Offset at = rank * BLOCK;
	MPI_Status status;
	int count;

	fill(1);
	MPI_File_write_at(fh, at, out, N, MPI_INT, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(count == N);
	MPI_File_sync(fh);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_read_at(fh, right * BLOCK, in, N, MPI_INT, MPI_STATUS_IGNORE);
	check_is(1, right);
	MPI_Barrier(MPI_COMM_WORLD);

	fill(2);
	MPI_File_write_at_all(fh, at, out, N, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at_all(fh, right * BLOCK, in, N, MPI_INT, &status);
	check_is(2, right);
	MPI_Barrier(MPI_COMM_WORLD);

	fill(3);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	MPI_File_write_all(fh, out, N, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(fh, -BLOCK, MPI_SEEK_CUR);
	MPI_File_read_all(fh, in, N, MPI_INT, MPI_STATUS_IGNORE);
	check_is(3, rank);

	fill(4);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	MPI_File_write(fh, out, N, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	MPI_File_read(fh, in, N, MPI_INT, MPI_STATUS_IGNORE);
	check_is(4, rank);
	writes += 4;
	reads += 4;
	expect("IO_SEEK", 4);
}

static void with_requests(void)
{
	MPI_Offset at = rank * BLOCK;
	MPI_Request r, pair[2];
	int flag = 0, all;

	fill(5);
	MPI_File_iwrite_at(fh, at, out, N, MPI_INT, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_File_iread_at(fh, at, in, N, MPI_INT, &r);
	while (!flag)
		MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
	check_is(5, rank);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	fill(6);
	MPI_File_iwrite(fh, out, N, MPI_INT, &pair[0]);
	MPI_Irecv(&flag, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, &pair[1]);
	MPI_Testall(2, pair, &all, MPI_STATUSES_IGNORE); /* the test is the first one's */
	CHECK(!all);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Send(&rank, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
	MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	MPI_File_iread(fh, in, N, MPI_INT, &r);
	MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
	check_is(6, rank);
	fill(7);
	MPI_File_iwrite_at_all(fh, at, out, N, MPI_INT, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_File_iread_at_all(fh, at, in, N, MPI_INT, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	check_is(7, rank);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	fill(8);
	MPI_File_iwrite_all(fh, out, N, MPI_INT, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	MPI_File_iread_all(fh, in, N, MPI_INT, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	check_is(8, rank);
	writes += 4;
	reads += 4;
	expect("IO_SEEK", 4);
	expect("IO_OPERATION_ISSUED", 8);
}

static void in_two_calls(void)
{
	MPI_Offset at = rank * BLOCK;

	fill(9);
	MPI_File_write_at_all_begin(fh, at, out, N, MPI_INT);
	MPI_File_write_at_all_end(fh, out, MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin(fh, at, in, N, MPI_INT);
	MPI_File_read_at_all_end(fh, in, MPI_STATUS_IGNORE);
	check_is(9, rank);
	fill(10);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	MPI_File_write_all_begin(fh, out, N, MPI_INT);
	MPI_File_write_all_end(fh, out, MPI_STATUS_IGNORE);
	MPI_File_seek(fh, at, MPI_SEEK_SET);
	MPI_File_read_all_begin(fh, in, N, MPI_INT);
	MPI_File_read_all_end(fh, in, MPI_STATUS_IGNORE);
	check_is(10, rank);
	writes += 2;
	reads += 2;
	expect("IO_SEEK", 2);
	expect("IO_OPERATION_ISSUED", 4);
}

/* A position that all share. */
static void shared(void)
{
	MPI_Request r;

	MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
	fill(11);
	MPI_File_write_ordered(fh, out, N, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
	MPI_File_read_ordered(fh, in, N, MPI_INT, MPI_STATUS_IGNORE);
	check_is(11, rank);
	MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
	fill(12);
	MPI_File_write_ordered_begin(fh, out, N, MPI_INT);
	MPI_File_write_ordered_end(fh, out, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
	MPI_File_read_ordered_begin(fh, in, N, MPI_INT);
	MPI_File_read_ordered_end(fh, in, MPI_STATUS_IGNORE);
	check_is(12, rank);
	MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
	MPI_File_write_shared(fh, out, N, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_iwrite_shared(fh, out, N, MPI_INT, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
	MPI_File_read_shared(fh, in, N, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_iread_shared(fh, in, N, MPI_INT, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	CHECK(in[N - 1] == in[0] + N - 1);
	writes += 4;
	reads += 4;
	expect("IO_SEEK", 6);
	expect("IO_OPERATION_ISSUED", 4);
}

/* Beyond the end there is less than what was asked for. */
static void at_the_end(void)
{
	MPI_Status status;
	int count;

	MPI_File_set_size(fh, ranks * BLOCK);
	MPI_File_read_at(fh, ranks * BLOCK - BLOCK / 2, in, N, MPI_INT, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(count == N / 2);
	expect("IO_OPERATION_BEGIN", 1);
	expect("IO_OPERATION_COMPLETE", 1);
	expect("bytes-read", (long)BLOCK / 2);
}

static void alone(void)
{
	char path[32];
	MPI_File mine;
	int code, class;

	snprintf(path, sizeof(path), "files.%d", rank);
	MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &mine);
	MPI_File_write(mine, out, N, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&mine);
	CHECK(mine == MPI_FILE_NULL);
	MPI_File_delete(path, MPI_INFO_NULL);
	code = MPI_File_open(MPI_COMM_SELF, "files.not-there", MPI_MODE_RDONLY, MPI_INFO_NULL,
			     &mine);
	MPI_Error_class(code, &class);
	CHECK(class == MPI_ERR_NO_SUCH_FILE);
	code = MPI_File_delete("files.not-there", MPI_INFO_NULL);
	CHECK(code != MPI_SUCCESS);
	writes++;
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, PATH, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
	in_one_call();
	with_requests();
	in_two_calls();
	shared();
	MPI_Barrier(MPI_COMM_WORLD);
	at_the_end();
	MPI_File_close(&fh);
	alone();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		MPI_File_delete(PATH, MPI_INFO_NULL);
	expect("IO_CREATE_HANDLE", 2);
	expect("IO_DESTROY_HANDLE", 2);
	expect("IO_DELETE_FILE", 1 + (rank == 0));
	expect("IO_OPERATION_BEGIN", reads + writes + 1); /* and a sync */
	expect("IO_OPERATION_COMPLETE", reads + writes + 1);
	expect("bytes-read", reads * (long)BLOCK);
	expect("bytes-written", writes * (long)BLOCK);
	expect("files", 1); /* each rank has one of its own ... */
	if (rank == 0) {
		expect("files", 1); /* ... and all one together */
		expect("file-handles", 1 + ranks);
	}
	/* however many messages MPI exchanges for this */
	expect("MPI_COLLECTIVE_END", 7);
	expect("MPI_REQUEST_TEST", 0); /* they were of files */
	expect("MPI_SEND", 1);
	expect("MPI_IRECV_REQUEST", 1);
	expect("MPI_IRECV", 1);
	return finish();
}
