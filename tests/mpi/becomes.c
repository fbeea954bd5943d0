/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After MPI_Finalize another program, env, by the member of the exec family that is named. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *const words[] = {"env", NULL};
	const char *how = argc > 1 ? argv[1] : "";

	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	if (!strcmp(how, "execv"))
		execv("/usr/bin/env", words);
	if (!strcmp(how, "execve"))
		execve("/usr/bin/env", words, environ);
	if (!strcmp(how, "execvp"))
		execvp("env", words);
	if (!strcmp(how, "execvpe"))
		execvpe("env", words, environ);
	if (!strcmp(how, "fexecve"))
		fexecve(open("/usr/bin/env", O_RDONLY), words, environ);
	if (!strcmp(how, "execl"))
		execl("/usr/bin/env", "env", (char *)NULL);
	if (!strcmp(how, "execlp"))
		execlp("env", "env", (char *)NULL);
	if (!strcmp(how, "execle"))
		execle("/usr/bin/env", "env", (char *)NULL, environ);
	return 9;
}
