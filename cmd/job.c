/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/job.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"

#define ANSWER_MS 1000

/* Open MPI tells the number of ranks of each program, in the order of the ranks. */
static int is_first_of(const char *counts, long rank)
{
	long first = 0;
	char *end;

	while (first < rank) {
		long n = strtol(counts, &end, 10);

		if (end == counts || n <= 0)
			return 0;
		first += n;
		counts = end;
	}
	return first == rank;
}

/* A question to the launcher, and its answer: a line each. Returns 0, or -1. */
static int ask(int fd, const char *question, size_t size, char answer[size])
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	size_t used = 0;

	if (write(fd, question, strlen(question)) != (ssize_t)strlen(question))
		return -1;
	do
		if (poll(&ready, 1, ANSWER_MS) != 1 || read(fd, answer + used, 1) != 1)
			return -1;
	while (answer[used] != '\n' && ++used < size - 1);
	answer[used] = '\0';
	return 0;
}

/* The number of this process's program by the PMI-1 protocol; -1: not known. */
static int program_number(int fd)
{
	char answer[200];
	int number = -1;

	if (ask(fd, "cmd=init pmi_version=1 pmi_subversion=1\n", sizeof(answer), answer))
		return -1;
	if (ask(fd, "cmd=get_appnum\n", sizeof(answer), answer) ||
	    sscanf(answer, "cmd=appnum appnum=%d", &number) != 1)
		number = -1;
	/* who leaves without it has crashed, for the launcher, which then kills the others */
	ask(fd, "cmd=finalize\n", sizeof(answer), answer);
	return number;
}

int job_speaks(void)
{
	const char *counts = option_outside("OMPI_APP_CTX_NUM_PROCS");
	int rank = option_job_rank();

	return rank <= 0 || (counts && is_first_of(counts, rank));
}

int job_speaks_last(void)
{
	const char *pmi = option_outside("PMI_FD");

	return job_speaks() || (pmi && program_number(atoi(pmi)) > 0);
}
