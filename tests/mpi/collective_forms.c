/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every collective in all its forms: at once, with a request, started again; with counts of int
 * and, in MPI 4, large ones. collectives.def says what each must be in the trace.
 */
#include "again.h"
#include "behave.h"

#define P      64      /* at most so many ranks */
#define N      (P + 8) /* ints in a block, more than any rank */
#define ROOT   1
#define BLOCK  (4 * N)
#define OWN    (4 * (rank + 1)) /* bytes of as many ints as own says, stairs and theirs */
#define STAIRS (4 * below(ranks + 1))
#define THEIRS (4 * (left + 1 + right + 1))

#define TEXT(name) #name

static const MPI_Comm world = MPI_COMM_WORLD;
static MPI_Comm ring;
static int is_root, out[P * N], in[P * N]; /* block i of out is of 100 * rank + i */
static MPI_Datatype ints[P];

/* To or from rank i: as many as its rank and one; the same from all; from the two neighbours. */
static int stairs[P], own[P], theirs[2], at[P], at_byte[P];
static MPI_Count stairs_count[P], own_count[P], theirs_count[2];
static MPI_Aint at_aint[P], at_byte_aint[P];

/* The sum of 0 ... n - 1 */
static int below(int n)
{
	return n * (n - 1) / 2;
}

static void prepare(void)
{
	int dims[1] = {ranks}, yes = 1, i;

	is_root = rank == ROOT;
	MPI_Cart_create(world, 1, dims, &yes, 0, &ring);
	for (i = 0; i < ranks * N; i++)
		out[i] = 100 * rank + i / N;
	for (i = 0; i < ranks; i++) {
		stairs[i] = stairs_count[i] = i + 1;
		own[i] = own_count[i] = rank + 1;
		at[i] = at_aint[i] = N * i;
		at_byte[i] = at_byte_aint[i] = BLOCK * i;
		ints[i] = MPI_INT;
	}
	theirs[0] = theirs_count[0] = left + 1;
	theirs[1] = theirs_count[1] = right + 1;
}

static void nothing_came(void)
{
	int i;

	for (i = 0; i < ranks * N; i++)
		in[i] = -1;
}

/* MPICH 4.0.2's MPI_Scatter_init and MPI_Allgather_init may bring nothing to a second start. */
static int brings_again(int start)
{
#ifdef MPICH
	return start == 0;
#else
	return 1;
#endif
}

#define IN_TRACE(function, event, what, root, sent, got) \
	expect_in(function, event, #what ":%s:%d:%d", root, sent, got)

#define FORMS(function, with_request, init, what, root, sent, got, came, ...)                     \
	nothing_came();                                                                           \
	function(__VA_ARGS__);                                                                    \
	CHECK(came);                                                                              \
	IN_TRACE(#function, "MPI_COLLECTIVE_END", what, root, sent, got);                         \
	nothing_came();                                                                           \
	with_request(__VA_ARGS__, &r);                                                            \
	MPI_Wait(&r, MPI_STATUS_IGNORE);                                                          \
	CHECK(came);                                                                              \
	IN_TRACE(#with_request, "NON_BLOCKING_COLLECTIVE_COMPLETE", what, root, sent, got);       \
	init(__VA_ARGS__, MPI_INFO_NULL, &r);                                                     \
	for (i = 0; i < 2; i++) {                                                                 \
		nothing_came();                                                                   \
		MPI_Start(&r);                                                                    \
		MPI_Wait(&r, MPI_STATUS_IGNORE);                                                  \
		CHECK((came) || !brings_again(i));                                                \
		IN_TRACE("MPI_Start", "NON_BLOCKING_COLLECTIVE_COMPLETE", what, root, sent, got); \
	}                                                                                         \
	MPI_Request_free(&r);                                                                     \
	expect("NON_BLOCKING_COLLECTIVE_REQUEST", 3);                                             \
	expect(TEXT(init), 1)

static void counts_of_int(void)
{
	MPI_Request r;
	int i;

#define COUNTS(name)          name
#define AT(name)              name
#define ROW(name, lower, ...) FORMS(MPI_##name, MPI_I##lower, AGAIN(name), __VA_ARGS__);
#define ROW_WITHOUT_COUNTS    ROW
#include "collectives.def"
#undef ROW_WITHOUT_COUNTS
#undef ROW
#undef AT
#undef COUNTS
}

#if MPI_VERSION >= 4
static void large_counts(void)
{
	MPI_Request r;
	int i;

#define COUNTS(name) name##_count
#define AT(name)     name##_aint
#define ROW(name, lower, ...) \
	FORMS(MPI_##name##_c, MPI_I##lower##_c, MPI_##name##_init_c, __VA_ARGS__);
#define ROW_WITHOUT_COUNTS(...)
#include "collectives.def"
}
#endif

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	expect_much();
	prepare();
	counts_of_int();
#if MPI_VERSION >= 4
	large_counts();
#endif
	MPI_Comm_free(&ring);
	expect_in("MPI_Cart_create", "MPI_COLLECTIVE_END", "CREATE_HANDLE:NONE:0:0");
	expect_in("MPI_Comm_free", "MPI_COLLECTIVE_END", "DESTROY_HANDLE:NONE:0:0");
	return finish();
}
