/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that are left from the outside, in a user's operation that waits: a signal's handler
 * jumps out of one, a thread is cancelled inside of another. All calls after them are recorded,
 * and at their times.
 */
#include "behave.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf out;
static int sends, waits;
static MPI_Op waiting;
static MPI_Comm pair;

static void exchange(int times)
{
	int i, x = 0;

	for (i = 0; i < times; i++)
		MPI_Sendrecv_replace(&x, 1, MPI_INT, partner, 1, partner, 1, MPI_COMM_WORLD,
				     MPI_STATUS_IGNORE);
	sends += times;
}

/* From further down the stack than the call that was left. */
static __attribute__((noinline)) void exchange_deep(int times)
{
	volatile char room[20000];

	memset((char *)room, 7, sizeof(room));
	exchange(times);
	CHECK(room[5000] == 7);
}

static void jump(int number)
{
	(void)number;
	if (__atomic_load_n(&waits, __ATOMIC_ACQUIRE)) /* MPI has nothing half done */
		siglongjmp(out, 1);
}

extern void __asan_handle_no_return(void) __attribute__((weak));

/* The frames that are left do not return: nobody else tells AddressSanitizer. */
static void tell(void *unused)
{
	(void)unused;
	if (__asan_handle_no_return)
		__asan_handle_no_return();
}

static void wait_for_signal(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in;
	(void)inout;
	(void)n;
	(void)type;
	pthread_cleanup_push(tell, NULL);
	__atomic_store_n(&waits, 1, __ATOMIC_RELEASE);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
}

/* Both have what they need of each other when the operation is called. */
static void reduce(void)
{
	static int sum;

	MPI_Allreduce(&rank, &sum, 1, MPI_INT, waiting, pair);
	CHECK(!"returned");
}

static void jump_out(void)
{
	struct sigaction action = {.sa_handler = jump};
	struct itimerval soon = {.it_value = {.tv_usec = 20000}, .it_interval = {.tv_usec = 20000}};
	struct itimerval never = {.it_value = {0}};

	sigaction(SIGALRM, &action, NULL);
	if (!sigsetjmp(out, 1)) {
		setitimer(ITIMER_REAL, &soon, NULL);
		reduce();
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

static void *be_cancelled(void *unused)
{
	exchange(1);
	reduce();
	return unused;
}

static void *run_on(void *unused)
{
	exchange_deep(5);
	return unused;
}

static void *run(void *(*f)(void *), int cancel)
{
	void *result = NULL;
	pthread_t t;

	__atomic_store_n(&waits, 0, __ATOMIC_RELEASE);
	pthread_create(&t, NULL, f, NULL);
	while (cancel && !__atomic_load_n(&waits, __ATOMIC_ACQUIRE))
		usleep(1000);
	if (cancel)
		pthread_cancel(t);
	pthread_join(t, &result);
	return result;
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
	know_self();
	MPI_Op_create(wait_for_signal, 1, &waiting);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
	exchange(1);
	jump_out();
	exchange_deep(10);
	exchange(10);
	CHECK(run(be_cancelled, 1) == PTHREAD_CANCELED);
	CHECK(run(run_on, 0) == NULL);
	exchange(10);
	MPI_Op_free(&waiting);
	expect("MPI_SEND", sends);
	expect("MPI_RECV", sends);
	expect("calls-entered-at-the-end", 0);
	return finish();
}
