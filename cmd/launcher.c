/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/launcher.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int launcher_is(const char *program)
{
	static const char *const names[] = {
		"mpirun", "mpiexec", "orterun", "prterun", "prun",   "srun",
		"aprun",  "jsrun",   "ibrun",   "mprun",   "oshrun", "yhrun",
	};
	const char *base = strrchr(program, '/');
	size_t length;
	size_t i;

	base = base ? base + 1 : program;
	length = strcspn(base, "."); /* mpiexec.hydra, mpirun.openmpi, mpirun.mpich */
	for (i = 0; i < COUNT(names); i++)
		if (strlen(names[i]) == length && !strncmp(base, names[i], length))
			return 1;
	return 0;
}

struct launcher_option {
	const char *flag;
	int values; /* words that follow it */
};

/* Options that take their value as the next word; those with '=' need no row. */
static const struct launcher_option options[] = {
	{"-n", 1},
	{"-np", 1},
	{"-N", 1},
	{"-c", 1},
	{"-H", 1},
	{"-host", 1},
	{"-hosts", 1},
	{"--host", 1},
	{"-f", 1},
	{"-hostfile", 1},
	{"--hostfile", 1},
	{"-machinefile", 1},
	{"--machinefile", 1},
	{"-x", 1},
	{"-ppn", 1},
	{"-perhost", 1},
	{"--mca", 2},
	{"-mca", 2},
	{"--prtemca", 2},
	{"--gmca", 2},
	{"-gmca", 2},
	{"--map-by", 1},
	{"-map-by", 1},
	{"--bind-to", 1},
	{"-bind-to", 1},
	{"--rank-by", 1},
	{"-rank-by", 1},
	{"--npernode", 1},
	{"-npernode", 1},
	{"--wdir", 1},
	{"-wdir", 1},
	{"-wd", 1},
	{"--path", 1},
	{"--prefix", 1},
	{"--rankfile", 1},
	{"-rf", 1},
	{"--output-filename", 1},
	{"--timeout", 1},
	{"-env", 2},
	{"-genv", 2},
	{"-envlist", 1},
	{"-genvlist", 1},
	{"-iface", 1},
	{"-launcher", 1},
	{"-bootstrap", 1},
	{"-rmk", 1},
	{"-configfile", 1},
	{"-p", 1},
	{"--partition", 1},
	{"-t", 1},
	{"--time", 1},
	{"-J", 1},
	{"-w", 1},
	{"-A", 1},
	{"--ntasks", 1},
	{"--nodes", 1},
	{"--ntasks-per-node", 1},
	{"--cpus-per-task", 1},
	{"--mem", 1},
	{"--mpi", 1},
	{"-a", 1},
	{"-g", 1},
	{"-r", 1},
	{"-d", 1},
	{"-m", 1},
	{"-q", 1},
	{"-o", 1},
	{"-e", 1},
};

static int values_of(const char *flag)
{
	size_t i;

	for (i = 0; i < COUNT(options); i++)
		if (!strcmp(options[i].flag, flag))
			return options[i].values;
	return 0;
}

static void append(size_t size, char text[size], const char *word)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
}

void launcher_corrected(int n, char *const words[n], const char *flags, size_t size,
			char text[size])
{
	enum { LAUNCHER, PROGRAM } in = LAUNCHER;
	int values = 0;
	int i;

	*text = '\0';
	for (i = 0; i < n; i++) {
		if (i && in == PROGRAM && !strcmp(words[i], ":")) {
			in = LAUNCHER;
		} else if (i && in == LAUNCHER) {
			if (values) {
				values--;
			} else if (words[i][0] == '-') {
				values = values_of(words[i]);
			} else {
				append(size, text, "contend record");
				if (*flags)
					append(size, text, flags);
				in = PROGRAM;
			}
		}
		append(size, text, words[i]);
	}
	if (in == LAUNCHER)
		append(size, text, "contend record ./app");
}
