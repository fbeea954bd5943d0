/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of interpose/deadly: who is said to have sent a signal, and what leaving leaves behind. */
#include "interpose/job/deadly.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interpose/front/backend.h"
#include "interpose/job/early.h"
#include "interpose/job/launch.h"
#include "tests/fixtures/suite.h"

#define ROUNDS 40000

struct note {
	int number;
	enum log_sender from;
	char by[16];
};

static int noted[2]; /* a pipe */

static int parent_is_launcher;

void early_killed(int number, enum log_sender from, const char by[16])
{
	struct note n = {.number = number, .from = from};

	memcpy(n.by, by, sizeof(n.by));

	if (write(noted[1], &n, sizeof(n)) != sizeof(n))
		_exit(1);
}

size_t launch_parents(size_t n, int pids[n], int *launcher)
{
	pids[0] = getppid();
	*launcher = parent_is_launcher ? pids[0] : 0;
	return 1;
}

static volatile int *nowhere;

/* Not for a sanitizer to find. */
__attribute__((no_sanitize("undefined", "address"))) static void fault(void)
{
	*nowhere = 1;
}

static void sent_by_child(void)
{
	pid_t self = getpid();

	if (fork())
		return;
	prctl(PR_SET_NAME, "a \n sender of it");
	_exit(kill(self, SIGTERM));
}

/* Whoever sends SIGUSR1 gets SIGTERM. */
static void answer(int number, siginfo_t *info, void *unused)
{
	(void)number;
	(void)unused;
	kill(info->si_pid, SIGTERM);
}

static void sent_by_parent(void)
{
	kill(getppid(), SIGUSR1);
}

static void timer(void)
{
	alarm(1);
}

/* A terminal of its own, of which both ends are here. Returns the one behind it. */
static int take_terminal(void)
{
	int behind = posix_openpt(O_RDWR | O_NOCTTY), terminal;

	if (behind < 0 || grantpt(behind) || unlockpt(behind) || setsid() < 0)
		_exit(2);
	terminal = open(ptsname(behind), O_RDWR);
	if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0))
		_exit(2);
	return behind;
}

static void interrupt_key(void)
{
	if (write(take_terminal(), "\003", 1) != 1)
		_exit(2);
}

static void hang_up(void)
{
	close(take_terminal());
}

/* A watched process whose end is what act does ends by number, said to be from there. */
static void end_by(void (*act)(void), int number, enum log_sender from, const char *by)
{
	struct note n = {.from = LOG_FROM_SELF};
	int status = 0;
	pid_t child = fork();

	if (!child) {
		signal(number, SIG_DFL); /* nor to end */
		deadly_watch();
		act();
		sleep(100);
		_exit(3);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == number);
	if (!WIFSIGNALED(status) || read(noted[0], &n, sizeof(n)) != sizeof(n))
		return;
	CU_ASSERT_EQUAL(n.number, number);
	CU_ASSERT_EQUAL(n.from, from);
	CU_ASSERT_STRING_EQUAL(n.by, by);
}

/* What a process does to itself, what another sends it, and what a user does at a terminal. */
static void test_senders(void)
{
	end_by(fault, SIGSEGV, LOG_FROM_SELF, "");
	end_by(timer, SIGALRM, LOG_FROM_SELF, "");
	end_by(sent_by_child, SIGTERM, LOG_FROM_OTHER, "a ? sender of i");
	end_by(interrupt_key, SIGINT, LOG_FROM_OTHER, "");
	end_by(hang_up, SIGHUP, LOG_FROM_OTHER, "");
}

/* Who is between the launcher and the process is named, and is not taken for it. */
static void test_parents(void)
{
	const struct sigaction answers = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};

	CU_ASSERT_FATAL(!sigaction(SIGUSR1, &answers, NULL));
	prctl(PR_SET_NAME, "between");
	end_by(sent_by_parent, SIGTERM, LOG_FROM_BETWEEN, "between");
	parent_is_launcher = 1;
	prctl(PR_SET_NAME, "launcher");
	end_by(sent_by_parent, SIGTERM, LOG_FROM_LAUNCHER, "launcher");
	parent_is_launcher = 0;
}

static atomic_int begun, given;

static void handle(int number)
{
	(void)number;
}

/* In each round, a little later than in the one before, the program's handler or the default. */
static void *give(void *unused)
{
	const struct sigaction own = {.sa_handler = handle}, plain = {.sa_handler = SIG_DFL};
	volatile int spin;
	int round;

	for (round = 1; round <= ROUNDS; round++) {
		for (spin = 0; atomic_load(&begun) < round; spin++)
			if (spin > 10000)
				sched_yield(); /* only one core is free */
		for (spin = 0; spin < round % 500 * 10; spin++)
			;
		sigaction(SIGHUP, round % 2 ? &own : &plain, NULL);
		contend_backend_given(SIGHUP);
		atomic_store(&given, round);
	}
	return unused;
}

/* Of two threads one leaves while the other gives an action: that is what is there then. */
static void test_leaving(void)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};
	struct sigaction now;
	pthread_t thread;
	volatile int spin;
	int round, lost = 0;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, give, NULL), 0);
	for (round = 1; round <= ROUNDS; round++) {
		sigaction(SIGHUP, &plain, NULL);
		deadly_watch();
		atomic_store(&begun, round);
		for (spin = 0; spin < 2500; spin++)
			;
		deadly_leave();
		while (atomic_load(&given) < round)
			sched_yield();
		sigaction(SIGHUP, NULL, &now);
		lost += now.sa_handler != (round % 2 ? handle : SIG_DFL);
	}
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(lost, 0);
}

int main(void)
{
	CU_TestInfo tests[] = {SUITE_CASE(test_senders), SUITE_CASE(test_parents),
			       SUITE_CASE(test_leaving), CU_TEST_INFO_NULL};

	return pipe(noted) || suite_run("deadly", tests);
}
