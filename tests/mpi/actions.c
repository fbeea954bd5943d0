/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is done at signals: the program sees what it would see without a recorder, by whichever
 * function it asks, and after MPI_Finalize the kernel has nothing else either. Its children end by
 * signals as they do without, and what it does at a signal itself is done.
 */
#define _GNU_SOURCE
#include "behave.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LAST 31

sighandler_t bsd_signal(int number, sighandler_t handler); /* declared for old standards only */

static volatile sig_atomic_t handled;

static void count(int number)
{
	handled += number;
}

static const char *word(sighandler_t h)
{
	return h == SIG_DFL ? "default" : h == SIG_IGN ? "ignored" : h == count ? "own" : "other";
}

/* Every action, as the program sees it. */
static void show(const char *when)
{
	struct sigaction a;
	int i;

	for (i = 1; i <= LAST; i++) {
		memset(&a, 0, sizeof(a));
		CHECK(!sigaction(i, NULL, &a));
		printf("%s: %d %s flags %x mask %d%d\n", when, i, word(a.sa_handler),
		       (unsigned)a.sa_flags, sigismember(&a.sa_mask, SIGINT),
		       sigismember(&a.sa_mask, SIGTERM));
	}
}

/* As the kernel sees it: how many signals are not at their default. */
static int not_default(void)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		unsigned long mask;
	} a;
	int i, n = 0;

	for (i = 1; i <= LAST; i++)
		n += !syscall(SYS_rt_sigaction, i, NULL, &a, sizeof(a.mask)) && a.handler;
	return n;
}

/* What is given comes back, by each function that gives. */
static void give_and_ask(void)
{
	struct sigaction own = {.sa_handler = count, .sa_flags = SA_RESTART}, old;
	struct sigaction plain = {.sa_handler = SIG_DFL, .sa_flags = SA_NODEFER | SA_ONSTACK};

	sigaddset(&plain.sa_mask, SIGINT);
	CHECK(signal(SIGUSR1, count) == SIG_DFL && signal(SIGUSR1, SIG_DFL) == count);
	CHECK(ssignal(SIGUSR1, SIG_IGN) == SIG_DFL && signal(SIGUSR1, SIG_DFL) == SIG_IGN);
	CHECK(sysv_signal(SIGUSR1, count) == SIG_DFL && bsd_signal(SIGUSR1, SIG_DFL) == count);
	CHECK(sigset(SIGUSR1, count) == SIG_DFL && sigset(SIGUSR1, SIG_DFL) == count);
	CHECK(__sysv_signal(SIGUSR1, SIG_DFL) == SIG_DFL);
	CHECK(!sigaction(SIGTERM, &plain, &old) && old.sa_handler == SIG_DFL);
	CHECK(!sigaction(SIGTERM, &own, &old) && old.sa_handler == SIG_DFL &&
	      (old.sa_flags & (SA_NODEFER | SA_ONSTACK | SA_SIGINFO)) ==
		      (SA_NODEFER | SA_ONSTACK) &&
	      sigismember(&old.sa_mask, SIGINT) && !sigismember(&old.sa_mask, SIGHUP));
	CHECK(!sigaction(SIGTERM, NULL, &old) && old.sa_handler == count);
	raise(SIGTERM);
	CHECK(handled == SIGTERM);
	CHECK(!sigaction(SIGTERM, &(struct sigaction){.sa_handler = SIG_DFL}, &old) &&
	      old.sa_handler == count);
	CHECK(sigaction(SIGKILL, &own, NULL) == -1 && errno == EINVAL);
	CHECK(signal(SIGKILL, SIG_DFL) == SIG_ERR && errno == EINVAL);
	CHECK(signal(0, SIG_DFL) == SIG_ERR && sigaction(999, NULL, &old) == -1);
}

/*
 * Whether a signal ends a call of the system is kept for the default, and for what signal() gives.
 */
static void interrupt(void)
{
	struct sigaction found;

	CHECK(!siginterrupt(SIGUSR1, 0) && !sigaction(SIGUSR1, NULL, &found));
	CHECK(found.sa_handler == SIG_DFL && (found.sa_flags & SA_RESTART));
	CHECK(!siginterrupt(SIGUSR1, 1) && !sigaction(SIGUSR1, NULL, &found));
	CHECK(found.sa_handler == SIG_DFL && !(found.sa_flags & SA_RESTART));
	CHECK(signal(SIGUSR1, count) == SIG_DFL && !sigaction(SIGUSR1, NULL, &found));
	CHECK(found.sa_handler == count && !(found.sa_flags & SA_RESTART));
	CHECK(!siginterrupt(SIGUSR1, 0) && signal(SIGUSR1, SIG_DFL) == count);
	CHECK(siginterrupt(999, 1) == -1 && errno == EINVAL);
}

/* A signal that is blocked is taken from its queue; one with a handler ends a wait. */
static void wait_for_signals(void)
{
	const struct timespec long_time = {10, 0}, no_time = {0, 0};
	struct itimerspec soon = {.it_value = {0, 20000000}};
	sigset_t term, before;
	timer_t timer;
	int number = 0;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &term, &before);
	raise(SIGTERM);
	CHECK(!sigwait(&term, &number) && number == SIGTERM);
	CHECK(sigtimedwait(&term, NULL, &no_time) == -1 && errno == EAGAIN);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	CHECK(!sigaction(SIGALRM, &(struct sigaction){.sa_handler = count}, NULL));
	handled = 0;
	CHECK(!timer_create(CLOCK_MONOTONIC, NULL, &timer));
	CHECK(!timer_settime(timer, 0, &soon, NULL));
	CHECK(nanosleep(&long_time, NULL) == -1 && errno == EINTR && handled == SIGALRM);
	timer_delete(timer);
	signal(SIGALRM, SIG_DFL);
}

static int status_of(pid_t child)
{
	int status = 0;

	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	return status;
}

static void end_children(void)
{
	volatile int *nowhere = NULL;
	pid_t child = fork();

	if (!child)
		_exit(raise(SIGTERM));
	CHECK(WTERMSIG(status_of(child)) == SIGTERM);
	child = fork();
	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		*nowhere = 1;
	}
	CHECK(WTERMSIG(status_of(child)) == SIGSEGV);
	child = vfork();
	if (!child) {
		kill(getpid(), SIGHUP);
		_exit(99);
	}
	CHECK(WTERMSIG(status_of(child)) == SIGHUP);
	child = vfork();
	if (!child) {
		signal(SIGUSR2, SIG_DFL);
		execl("/bin/sh", "sh", "-c", "kill -USR2 $$", (char *)NULL);
		_exit(99);
	}
	CHECK(WTERMSIG(status_of(child)) == SIGUSR2);
	CHECK(system("kill -TERM $$") == SIGTERM);
}

int main(int argc, char **argv)
{
	int before = 0, i;

	signal(SIGUSR2, count);
	signal(SIGHUP, SIG_IGN);
	begin(&argc, &argv);
	show("begun");
	for (i = 1; i <= LAST; i++)
		before += signal(i, SIG_DFL) == SIG_ERR; /* MPI's own too */
	CHECK(before == 2);
	signal(SIGHUP, SIG_IGN);
	signal(SIGUSR2, count);
	show("in MPI");
	give_and_ask();
	interrupt();
	wait_for_signals();
	signal(SIGHUP, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	end_children();
	show("later");
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	show("after MPI");
	printf("the kernel has %d not at their default\n", not_default());
	expect("MPI_Barrier", 1);
	return failures != 0;
}
