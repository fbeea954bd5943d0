/* SPDX-License-Identifier: BSD-3-Clause */
/* Which job this is, from what the launchers say in the environment. */
#include "interpose/job/launch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/options.h"
#include "common/steady.h"
#include "interpose/job/simulated.h"

/* The first of the variables that is set, as a number; otherwise -1. */
static int first_number(size_t n, const char *const names[n])
{
	size_t i;

	for (i = 0; i < n; i++) {
		const char *text = option_outside(names[i]);

		if (text && isdigit((unsigned char)*text))
			return atoi(text);
	}
	return -1;
}

/* Append text to job with what does not belong into a file name left out. */
static void append_job(struct launch *l, const char *text)
{
	size_t n = strlen(l->job);

	for (; *text && n + 1 < sizeof(l->job); text++)
		if (isalnum((unsigned char)*text) || *text == '-' || *text == '_')
			l->job[n++] = *text;
		else if (*text == '.' || *text == '@' || *text == ':')
			l->job[n++] = '-';
	l->job[n] = '\0';
}

/* What the kernel says of process pid under that name, or NULL. */
static FILE *open_of(int pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return steady_fopen(path, "re");
}

/* Parent of a process, 0 at the end of the line. */
static int parent_of(int pid)
{
	char line[512], *p;
	int parent = 0;
	FILE *f = open_of(pid, "stat");

	if (!f)
		return 0;
	if (fgets(line, sizeof(line), f) && (p = strrchr(line, ')')))
		sscanf(p + 1, " %*c %d", &parent);
	fclose(f);
	return parent;
}

/* Was process pid started as a rank, or as a part of one? */
static int has_rank(int pid)
{
	FILE *f = open_of(pid, "environ");
	char *entry = NULL;
	size_t room = 0;
	int found = 0;

	if (!f)
		return 0;
	while (!found && getdelim(&entry, &room, '\0', f) > 0)
		found = option_is_job_rank(entry);
	free(entry);
	fclose(f);
	return found;
}

size_t launch_parents(size_t n, int pids[n], int *launcher)
{
	int pid = getpid();
	size_t found = 0;

	*launcher = 0;
	while (!*launcher && found < n && (pid = parent_of(pid)) > 0) {
		pids[found++] = pid;
		if (!has_rank(pid))
			*launcher = pid;
	}
	return found;
}

/*
 * MPICH's Hydra says nothing of the job in the environment, but each of its proxies was
 * started with the mpiexec's own address: --control-port HOST:PORT.
 */
static void job_of_hydra(struct launch *l)
{
	int pid = getpid(), hops;

	for (hops = 0; hops < 32 && (pid = parent_of(pid)) > 1; hops++) {
		char path[64], args[4096];
		size_t n, i;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
		f = steady_fopen(path, "re");
		if (!f)
			return;
		n = fread(args, 1, sizeof(args) - 1, f);
		fclose(f);
		args[n] = '\0';
		for (i = 0; i < n; i += strlen(args + i) + 1)
			if (!strcmp(args + i, "--control-port") && i + 15 < n) {
				append_job(l, args + i + 15);
				return;
			}
	}
}

static void append_variables(struct launch *l, const char *first, const char *second)
{
	const char *a = option_outside(first), *b = second ? option_outside(second) : NULL;

	if (!a)
		return;
	append_job(l, a);
	if (b) {
		append_job(l, "-");
		append_job(l, b);
	}
}

void launch_read(struct launch *l)
{
	static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
					    "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
					    "SLURM_NTASKS"};
	time_t now = time(NULL);
	struct tm tm;

	memset(l, 0, sizeof(*l));
	if (SIMULATED) {
		l->rank = simulated_rank();
		l->ranks = simulated_ranks();
		l->known = 1;
		snprintf(l->job, sizeof(l->job), "smpi-%d", (int)getpid());
		return;
	}
	l->rank = option_job_rank();
	l->ranks = first_number(sizeof(sizes) / sizeof(sizes[0]), sizes);
	l->known = l->rank >= 0;
	if (l->known) {
		append_variables(l, "PMIX_NAMESPACE", NULL);
		if (!l->job[0])
			job_of_hydra(l);
		if (!l->job[0])
			append_variables(l, "SLURM_JOB_ID", "SLURM_STEP_ID");
		if (!l->job[0])
			append_variables(l, "PBS_JOBID", NULL);
		if (!l->job[0])
			append_variables(l, "LSB_JOBID", NULL);
	}
	if (!l->known) {
		l->rank = 0;
		l->ranks = 1;
	} else if (l->ranks < 1) {
		l->ranks = 0;
	}
	if (!l->job[0] && localtime_r(&now, &tm))
		strftime(l->job, sizeof(l->job), "%Y%m%d-%H%M%S", &tm);
}
