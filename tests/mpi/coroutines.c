/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI from coroutines: two stacks of the program's own take turns, between calls and, in a
 * user's operation, within one. Calls within a call are MPI's own affair and not recorded,
 * whatever stack they are made on.
 */
#include "behave.h"

#include <ucontext.h>

#define ROOM  (256 * 1024)
#define TURNS 20

static ucontext_t caller, workers[2], helper;
static int sends;
static MPI_Comm pair;
static MPI_Op other_stack, this_stack;

/* A call that is recorded unless it is made within another. */
static void call_within(void)
{
	MPI_Datatype two;

	MPI_Type_contiguous(2, MPI_INT, &two);
	MPI_Type_commit(&two);
	MPI_Type_free(&two);
}

/* One whose operation calls on the same stack, whichever that is. */
static void reduce(void)
{
	int in = 2, out = 0;

	MPI_Allreduce(&in, &out, 1, MPI_INT, this_stack, pair);
	CHECK(out == 4);
}

static void exchange(void)
{
	int x = rank;

	MPI_Sendrecv_replace(&x, 1, MPI_INT, partner, 1, partner, 1, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	CHECK(x == partner);
	sends++;
}

/* Never at the same depth twice in a row. */
static __attribute__((noinline)) void exchange_deep(int depth)
{
	volatile char room[500];

	memset((char *)room, depth, sizeof(room));
	if (depth > 0)
		exchange_deep(depth - 1);
	else
		exchange();
	CHECK(room[250] == (char)depth);
}

static void work(int me)
{
	int i;

	for (i = 0; i < TURNS; i++) {
		exchange_deep((i * 7 + me) % 11);
		reduce();
		swapcontext(&workers[me], &caller);
	}
}

static void help(void)
{
	for (;;) {
		call_within();
		swapcontext(&helper, &caller);
	}
}

static void switch_stacks(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)n;
	(void)type;
	swapcontext(&caller, &helper);
	*(int *)inout += *(int *)in;
}

static void call_here(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)n;
	(void)type;
	call_within();
	*(int *)inout += *(int *)in;
}

static void make(ucontext_t *c, void (*f)(void), int argument)
{
	getcontext(c);
	c->uc_stack.ss_sp = malloc(ROOM);
	c->uc_stack.ss_size = ROOM;
	c->uc_link = &caller;
	makecontext(c, f, 1, argument);
}

int main(int argc, char **argv)
{
	int i, in = 2, out = 0;

	begin(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
	MPI_Op_create(switch_stacks, 1, &other_stack);
	MPI_Op_create(call_here, 1, &this_stack);
	make(&workers[0], (void (*)(void))work, 0);
	make(&workers[1], (void (*)(void))work, 1);
	make(&helper, help, 0);
	exchange();
	for (i = 0; i < 2 * TURNS; i++) {
		swapcontext(&caller, &workers[i % 2]);
		if (i % 5 == 0)
			exchange();
	}
	for (i = 0; i < 5; i++)
		MPI_Allreduce(&in, &out, 1, MPI_INT, other_stack, pair);
	CHECK(out == 4);
	exchange();
	MPI_Op_free(&other_stack);
	MPI_Op_free(&this_stack);
	free(workers[0].uc_stack.ss_sp); /* a stack that is gone */
	exchange();
	expect("MPI_SEND", sends);
	expect("MPI_RECV", sends);
	expect("MPI_COLLECTIVE_END", 6 + 2 * TURNS);
	expect("MPI_Type_commit", 0);
	expect("calls-entered-at-the-end", 0);
	return finish();
}
