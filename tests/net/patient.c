/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into the ranks of an emulated cluster, where many hosts share few cores: MPI
 * libraries wait by polling with a zero timeout, and so take the processor from the ranks
 * that have something to do. After several empty polls in quick succession the next ones
 * wait, for up to 1 ms or until something arrives. A rank that computes between its polls,
 * or that finds something, is left alone.
 *
 * To be woken up takes longer than a small message does, and whether a rank is asleep when one
 * arrives, a few polls decide. Where each has a core of its own it is not to sleep so soon:
 * PATIENCE_US says for how long it polls first.
 *
 * It also lets MPICH over UCX and TCP end: see ucp_disconnect_nb().
 *
 *	cc -shared -fPIC patient.c -o patient.so -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

enum {
	EMPTY_POLLS = 16, /* in a row, before the first wait */
	BUSY_NS = 50000,  /* a thread that ran so long since its last poll is not idle */
	WAIT_MS = 1,
};

static __thread int empty;
static __thread int64_t last_ns;  /* of the last poll */
static __thread int64_t found_ns; /* of the last that found something */
static int64_t patience_ns;

__attribute__((constructor)) static void read_patience(void)
{
	const char *us = getenv("PATIENCE_US");

	patience_ns = us ? strtoll(us, NULL, 10) * 1000 : 0;
}

/* Of this thread's processor, so that being preempted does not look like work. */
static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The timeout to use for one that was given as timeout_ms. */
static int patient_timeout(int timeout_ms)
{
	int64_t now = now_ns();

	if (timeout_ms != 0)
		return timeout_ms;
	if (now - last_ns > BUSY_NS) {
		empty = 0;
		found_ns = now;
	}
	return empty >= EMPTY_POLLS && now - found_ns >= patience_ns ? WAIT_MS : 0;
}

/* Remember how a poll with that timeout went; leaves errno alone. */
static int patient_note(int found)
{
	int saved = errno;

	empty = found == 0 ? empty + (empty < EMPTY_POLLS) : 0;
	last_ns = now_ns();
	found_ns = found == 0 ? found_ns : last_ns;
	errno = saved;
	return found;
}

int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	static int (*next)(struct pollfd *, nfds_t, int);

	if (!next)
		next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
	if (n == 0 || timeout_ms != 0)
		return next(fds, n, timeout_ms);
	return patient_note(next(fds, n, patient_timeout(timeout_ms)));
}

int epoll_wait(int epfd, struct epoll_event *events, int most, int timeout_ms)
{
	static int (*next)(int, struct epoll_event *, int, int);

	if (!next)
		next = (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT, "epoll_wait");
	if (timeout_ms != 0)
		return next(epfd, events, most, timeout_ms);
	return patient_note(next(epfd, events, most, patient_timeout(timeout_ms)));
}

/*
 * MPICH's MPI_Finalize flushes every connection, for which UCX's TCP asks the peer for an answer.
 * A peer that has its own answers already waits for the process manager without looking at the
 * network, so that (MPICH 4.0.2, UCX 1.13) most runs never end. A barrier went before, so nothing
 * is in flight, and the connections close with the worker. Returns that this one is closed.
 */
void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
	(void)endpoint;
	return NULL;
}
