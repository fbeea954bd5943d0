/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What em3d.c is to do: the job, and the command line that describes it. A header, so that the
 * program is built from em3d.c alone.
 */
#ifndef EM3D_OPTIONS_H
#define EM3D_OPTIONS_H

#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum order { ORDER_ORIGINAL, ORDER_STAGGERED, ORDER_RANDOM };
enum send { SEND_SSEND, SEND_SEND, SEND_ISEND };

struct job {
	int nodes, degree, nonlocal, span, iterations, values, width, compute, parts, seed;
	int order, send; /* an enum order, an enum send */
	int barrier, no_verify, help;
	int rank, ranks;
};

static const char *const order_names[] = {"original", "staggered", "random", NULL};
static const char *const send_names[] = {"ssend", "send", "isend", NULL};

static const struct row {
	const char *name;
	size_t at;
	int least, most, preset;  /* one that is given without a value sets least = most */
	const char *const *names; /* of the values, if they have names */
	const char *help;
} rows[] = {
#define AT(field) offsetof(struct job, field)
	{"nodes", AT(nodes), 1, 10000000, 3200, NULL, "graph nodes of each kind, E and H"},
	{"degree", AT(degree), 1, 1000, 32, NULL, "neighbours of each node"},
	{"nonlocal", AT(nonlocal), 0, 100, 100, NULL, "per cent of the edges go to other ranks"},
	{"span", AT(span), 1, INT_MAX, 15, NULL, "those are at most so many ranks away"},
	{"iterations", AT(iterations), 1, INT_MAX / 2, 100, NULL, "updates of E and of H"},
	{"values", AT(values), 0, INT_MAX, 10, NULL, "values in a message; 0: no limit"},
	{"width", AT(width), 1, 100000, 1, NULL, "doubles in a value"},
	{"compute", AT(compute), 1, INT_MAX, 1, NULL, "work per edge, as a multiple"},
	{"parts", AT(parts), 0, 1000000, 0, NULL, "ranks the graph is drawn for; 0: all"},
	{"seed", AT(seed), 0, INT_MAX, 1, NULL, "of the graph and the random order"},
	{"order", AT(order), 0, 2, 0, order_names, "of destinations: original, staggered, random"},
	{"send", AT(send), 0, 2, 0, send_names, "ssend, send, isend"},
	{"barrier", AT(barrier), 1, 1, 0, NULL, "all ranks start each exchange together"},
	{"no-verify", AT(no_verify), 1, 1, 0, NULL, "do not compare with a serial run"},
	{"verify", AT(no_verify), 0, 0, 0, NULL, "do"},
	{"help", AT(help), 1, 1, 0, NULL, "show this text"},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void help(void)
{
	puts("usage: em3d [OPTION...]\nWaves on an irregular bipartite graph over MPI.");
	for (int i = 0; i < ROWS; i++)
		printf("  --%-12s %s (%d)\n", rows[i].name, rows[i].help, rows[i].preset);
}

/* Returns 0, or -1 when arg is no value of the option. */
static int option_set(struct job *job, const struct row *row, const char *arg)
{
	char *end = "";
	long n = row->least;

	if (row->names)
		for (n = 0; n <= row->most && strcmp(row->names[n], arg); n++)
			;
	else if (arg)
		n = strtol(arg, &end, 10);
	if (end == arg || *end || n < row->least || n > row->most)
		return -1;
	*(int *)((char *)job + row->at) = (int)n;
	return 0;
}

/* Fill *job from the command line. Returns 0, or -1 after rank 0 said what is wrong. */
static int job_parse(struct job *job, int argc, char **argv)
{
	struct option table[ROWS + 1] = {{0}};
	int i, bad = 0;

	opterr = job->rank == 0;
	for (i = 0; i < ROWS; i++) {
		table[i] = (struct option){rows[i].name, rows[i].least < rows[i].most, NULL, i};
		*(int *)((char *)job + rows[i].at) = rows[i].preset;
	}
	while (!bad && (i = getopt_long(argc, argv, "", table, NULL)) != -1)
		bad = i == '?' || option_set(job, &rows[i], optarg);
	job->parts = job->parts ? job->parts : job->ranks;
	job->values = job->values ? job->values : job->nodes;
	bad = bad || optind < argc || job->parts > job->nodes || job->nodes > INT_MAX / job->width;
	if (bad && job->rank == 0)
		fprintf(stderr, "em3d: bad option or value; see em3d --help\n");
	return bad ? -1 : 0;
}

#endif
