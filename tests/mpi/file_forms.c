/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every way to read and to write a file: where it stands and elsewhere, alone and together, with a
 * request, in two calls; with counts of int and, in MPI 4, large ones. And what is done to a file
 * as a whole.
 */
#include "behave.h"

#define PATH  "forms.data"
#define ROOM  64 /* ints of a rank's block */
#define BLOCK (MPI_Offset)sizeof(out)

static MPI_File fh;
static int way, n, out[ROOM], in[ROOM]; /* n ints: the number of the way */
static MPI_Offset mine; /* where this rank's block is, beyond all that share a position */
static MPI_Status status;

static void another_way(void)
{
	int i;

	n = ++way;
	for (i = 0; i < ROOM; i++) {
		out[i] = 1000 * rank + 10 * way + i;
		in[i] = -1;
	}
}

static void to_mine(void)
{
	MPI_File_seek(fh, mine, MPI_SEEK_SET);
	expect("IO_SEEK", 1);
}

/* Of the position that all share */
static void to_begin(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
	expect("IO_SEEK", 1);
	expect("MPI_COLLECTIVE_END", 1);
}

static void done(const char *function, const char *mode, const char *how)
{
	int count;

	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(count == n);
	expect_in(function, "IO_OPERATION_BEGIN", "%s:%s:%d", mode, how, 4 * n);
	expect_in(function, "IO_OPERATION_COMPLETE", "%d", 4 * n);
}

/* Whole, and by the rank itself where it knows its place. */
static void check_read(void (*position)(void), const char *how)
{
	CHECK(in[0] % 1000 == 10 * way && in[n - 1] == in[0] + n - 1 && in[n] == -1);
	if (position != to_begin || strstr(how, "COLLECTIVE"))
		CHECK(in[0] / 1000 == rank);
}

/* write, then read, from the same position */
#define AT_ONCE(position, how, name, where)                    \
	another_way();                                         \
	position();                                            \
	MPI_File_write##name(where, out, n, MPI_INT, &status); \
	done("MPI_File_write" #name, "WRITE", how);            \
	position();                                            \
	MPI_File_read##name(where, in, n, MPI_INT, &status);   \
	done("MPI_File_read" #name, "READ", how);              \
	check_read(position, how)

#define WITH_REQUEST(position, how, name, where)           \
	another_way();                                     \
	position();                                        \
	MPI_File_iwrite##name(where, out, n, MPI_INT, &r); \
	MPI_Wait(&r, &status);                             \
	done("MPI_File_iwrite" #name, "WRITE", how);       \
	position();                                        \
	MPI_File_iread##name(where, in, n, MPI_INT, &r);   \
	MPI_Wait(&r, &status);                             \
	done("MPI_File_iread" #name, "READ", how);         \
	check_read(position, how);                         \
	expect("IO_OPERATION_ISSUED", 2)

#define IN_TWO(position, how, name, c, where)                    \
	another_way();                                           \
	position();                                              \
	MPI_File_write##name##_begin##c(where, out, n, MPI_INT); \
	MPI_File_write##name##_end(fh, out, &status);            \
	done("MPI_File_write" #name "_begin" #c, "WRITE", how);  \
	position();                                              \
	MPI_File_read##name##_begin##c(where, in, n, MPI_INT);   \
	MPI_File_read##name##_end(fh, in, &status);              \
	done("MPI_File_read" #name "_begin" #c, "READ", how);    \
	check_read(position, how);                               \
	expect("IO_OPERATION_ISSUED", 2)

#define HERE      fh
#define THERE     fh, mine
#define ALONE     "NONE"
#define ALL       "{COLLECTIVE}"
#define BEGUN     "{NON_BLOCKING}"
#define BEGUN_ALL "{NON_BLOCKING,COLLECTIVE}"

/* c: what the functions' names end with */
#define EVERY_WAY(c)                                         \
	AT_ONCE(to_mine, ALONE, c, HERE);                    \
	AT_ONCE(to_mine, ALONE, _at##c, THERE);              \
	AT_ONCE(to_mine, ALL, _all##c, HERE);                \
	AT_ONCE(to_mine, ALL, _at_all##c, THERE);            \
	AT_ONCE(to_begin, ALONE, _shared##c, HERE);          \
	AT_ONCE(to_begin, ALL, _ordered##c, HERE);           \
	WITH_REQUEST(to_mine, BEGUN, c, HERE);               \
	WITH_REQUEST(to_mine, BEGUN, _at##c, THERE);         \
	WITH_REQUEST(to_mine, BEGUN_ALL, _all##c, HERE);     \
	WITH_REQUEST(to_mine, BEGUN_ALL, _at_all##c, THERE); \
	WITH_REQUEST(to_begin, BEGUN, _shared##c, HERE);     \
	IN_TWO(to_mine, BEGUN_ALL, _all, c, HERE);           \
	IN_TWO(to_mine, BEGUN_ALL, _at_all, c, THERE);       \
	IN_TWO(to_begin, BEGUN_ALL, _ordered, c, HERE)

static void as_a_whole(void)
{
	MPI_Offset size = 0, shared = -1;

	MPI_Barrier(MPI_COMM_WORLD); /* all have read */
	MPI_File_set_atomicity(fh, 0);
	MPI_File_set_info(fh, MPI_INFO_NULL);
	MPI_File_set_size(fh, BLOCK * ranks);
	MPI_File_preallocate(fh, 3 * BLOCK * ranks);
	MPI_File_get_size(fh, &size);
	CHECK(size == 3 * BLOCK * ranks);
	to_begin();
	MPI_File_get_position_shared(fh, &shared);
	CHECK(shared == 0);
}

/* The same place by another name: a view that begins there, in which ints are counted. */
static void by_a_view(void)
{
	another_way();
	MPI_File_set_view(fh, mine, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_write_at(fh, 2, out, n, MPI_INT, &status);
	done("MPI_File_write_at", "WRITE", ALONE);
	MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	MPI_File_read_at(fh, mine + 2 * (MPI_Offset)sizeof(int), in, n, MPI_INT, &status);
	done("MPI_File_read_at", "READ", ALONE);
	check_read(to_mine, ALONE);
}

int main(int argc, char **argv)
{
	MPI_Request r;

	begin(&argc, &argv);
	expect_much();
	mine = (ranks + rank) * BLOCK;
	MPI_File_open(MPI_COMM_WORLD, PATH, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
	EVERY_WAY();
#if MPI_VERSION >= 4
	EVERY_WAY(_c);
#endif
	by_a_view();
	as_a_whole();
	MPI_File_close(&fh);
	if (rank == 0)
		MPI_File_delete(PATH, MPI_INFO_NULL);
	expect("MPI_COLLECTIVE_END", 1);
	expect("IO_CREATE_HANDLE", 1);
	expect("IO_DELETE_FILE", rank == 0);
	return finish();
}
