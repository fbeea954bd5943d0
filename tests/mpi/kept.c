/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What belongs to the thread and not to MPI is after each call what it is without a recorder:
 * errno, rounding and floating-point exceptions, the signals that are blocked, the stack for
 * signal handlers, the timers and handlers that the program has set.
 */
#include "behave.h"

#include <errno.h>
#include <fenv.h>
#include <signal.h>
#include <unistd.h>

#define CALLS 3000 /* the log grows meanwhile */

static char aside[64 * 1024];

static void handle(int number)
{
	(void)number;
}

/* Of the signals that a program may use. */
static int is_kept(const sigset_t *blocked, const stack_t *stack)
{
	sigset_t now;
	stack_t there;
	struct sigaction action;
	int i, good = 1;

	sigprocmask(SIG_SETMASK, NULL, &now);
	for (i = 1; i < SIGRTMAX; i++)
		good &= sigismember(&now, i) == sigismember(blocked, i);
	sigaltstack(NULL, &there);
	good &= there.ss_sp == stack->ss_sp && there.ss_size == stack->ss_size;
	sigaction(SIGUSR2, NULL, &action);
	good &= action.sa_handler == handle && (action.sa_flags & SA_ONSTACK);
	sigaction(SIGPROF, NULL, &action);
	good &= action.sa_handler == SIG_DFL;
	return good;
}

/* Exact results raise nothing; so what is raised afterwards was raised by somebody else. */
static void exchange(MPI_Comm comm, int i)
{
	MPI_Request r[2];
	int in = -1, flag;

	MPI_Irecv(&in, 1, MPI_INT, left, i % 7, comm, &r[0]);
	MPI_Isend(&rank, 1, MPI_INT, right, i % 7, comm, &r[1]);
	if (i % 3 == 0)
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	for (flag = 0; i % 3 && !flag;)
		MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
	CHECK(in == left);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
	stack_t stack = {.ss_sp = aside, .ss_size = sizeof(aside)};
	int i, same = 1, errnos = 1, rounding = 1, raised = 0;
	sigset_t blocked;
	MPI_Comm comm;

	begin(&argc, &argv);
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &action, NULL);
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	sigaddset(&blocked, SIGUSR1);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	fesetround(FE_UPWARD);
	feclearexcept(FE_ALL_EXCEPT);
	for (i = 0; i < CALLS; i++) {
		errno = ENOTTY;
		exchange(comm, i);
		errnos &= errno == ENOTTY;
		rounding &= fegetround() == FE_UPWARD;
		raised |= fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW);
		if (i % 100 == 0)
			same &= is_kept(&blocked, &stack);
	}
	fesetround(FE_TONEAREST);
	MPI_Comm_free(&comm);
	same &= is_kept(&blocked, &stack);
	MPI_Barrier(MPI_COMM_WORLD);
	same &= is_kept(&blocked, &stack);
	printf("errno %s, rounding %s, exceptions raised %x, signals %s\n",
	       errnos ? "kept" : "changed", rounding ? "kept" : "changed", (unsigned)raised,
	       same ? "kept" : "changed");
	CHECK(errnos && rounding && !raised && same);
	expect("MPI_ISEND", CALLS);
	expect("MPI_ISEND_COMPLETE", CALLS);
	expect("MPI_IRECV_REQUEST", CALLS);
	expect("MPI_IRECV", CALLS);
	return finish();
}
