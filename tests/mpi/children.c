/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that a rank makes: they write nothing, not even of calls of MPI, and what the rank
 * writes stays whole.
 */
#include "behave.h"

#include <sys/wait.h>
#include <unistd.h>

static void exchange(int tag)
{
	int in;

	MPI_Sendrecv(&rank, 1, MPI_INT, right, tag, &in, 1, MPI_INT, left, tag, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	CHECK(in == left);
}

int main(int argc, char **argv)
{
	int status, i;
	pid_t pid;
	FILE *f;

	begin(&argc, &argv);
	exchange(1);
	pid = fork();
	if (pid == 0)
		_exit(3);
	waitpid(pid, &status, 0);
	CHECK(WEXITSTATUS(status) == 3);
	pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	CHECK(WEXITSTATUS(status) == 4);
	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	CHECK(WEXITSTATUS(status) == 0);
	CHECK(system("exit 5") == 5 << 8);
	f = popen("echo from a child", "r");
	CHECK(f && fscanf(f, "from a chil%*c") == 0);
	CHECK(f && pclose(f) >= 0);
	for (i = 0; i < 3000; i++) /* enough for the log to grow after the fork */
		exchange(2);
	pid = fork();
	if (pid == 0) {
		for (i = 0; i < 50; i++)
			MPI_Comm_set_name(MPI_COMM_SELF, "a child");
		_exit(6);
	}
	waitpid(pid, &status, 0);
	CHECK(WEXITSTATUS(status) == 6);
	expect("MPI_Comm_set_name", 0);
	expect("MPI_SEND", 3001);
	expect("MPI_RECV", 3001);
	return finish();
}
