/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the examples share: a command line described by rows, random numbers that are the same
 * on every machine, and time that passes. A header, so that `mpicc NAME.c` builds each.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <getopt.h>
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * One option: an int of the program's struct, or, with least > most, a const char * for what is
 * given. Rows end with one that has no name.
 */
struct example_option {
	const char *name;
	size_t at;                /* of the int or the pointer */
	int least, most, preset;  /* one that is given without a value sets least = most */
	const char *const *names; /* of the values, if they have names */
	const char *help;
};
enum { EXAMPLE_OPTIONS_MAX = 32 };

static inline void example_help(const char *name, const char *does,
				const struct example_option *rows)
{
	printf("usage: %s [OPTION...]\n%s\n", name, does);
	for (; rows->name; rows++) {
		if (rows->names)
			printf("  --%-14s %s (%s)\n", rows->name, rows->help,
			       rows->names[rows->preset]);
		else if (rows->least < rows->most)
			printf("  --%-14s %s (%d)\n", rows->name, rows->help, rows->preset);
		else
			printf("  --%-14s %s\n", rows->name, rows->help);
	}
	puts("  --help           show this text");
}

/* Returns 0, or -1 when arg is no value of the option. */
static inline int example_set(void *job, const struct example_option *row, const char *arg)
{
	char *end = "";
	long n = row->least;

	if (row->least > row->most) {
		*(const char **)((char *)job + row->at) = arg;
		return 0;
	}
	if (row->names && row->least < row->most)
		for (n = 0; n <= row->most && strcmp(row->names[n], arg); n++)
			;
	else if (arg)
		n = strtol(arg, &end, 10);
	if (end == arg || *end || n < row->least || n > row->most)
		return -1;
	*(int *)((char *)job + row->at) = (int)n;
	return 0;
}

/*
 * Fill job from the command line. Returns 1 to go on, 0 when --help was asked for and given,
 * -1 when the command line is wrong and rank 0 has said so.
 */
static inline int example_parse(const char *name, const char *does,
				const struct example_option *rows, void *job, int argc, char **argv)
{
	struct option table[EXAMPLE_OPTIONS_MAX + 2] = {{0}};
	int n, i, rank, bad = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	opterr = rank == 0;
	for (n = 0; n < EXAMPLE_OPTIONS_MAX && rows[n].name; n++) {
		table[n] = (struct option){rows[n].name, rows[n].least != rows[n].most, NULL, n};
		if (rows[n].least <= rows[n].most)
			*(int *)((char *)job + rows[n].at) = rows[n].preset;
	}
	table[n] = (struct option){"help", 0, NULL, n};
	while (!bad && (i = getopt_long(argc, argv, "", table, NULL)) != -1) {
		if (i == n) {
			if (rank == 0)
				example_help(name, does, rows);
			return 0;
		}
		bad = i == '?' || example_set(job, &rows[i], optarg);
	}
	if (!bad && optind == argc)
		return 1;
	if (rank == 0)
		fprintf(stderr, "%s: bad option or value; see %s --help\n", name, name);
	return -1;
}

static inline void *example_alloc(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		MPI_Abort(MPI_COMM_WORLD, fprintf(stderr, "out of memory\n") > 0);
	return p;
}

static inline uint64_t example_mix(uint64_t x) /* splitmix64 */
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* A number in 0 .. n - 1 from the next state of *s. */
static inline int example_draw(uint64_t *s, int n)
{
	*s = example_mix(*s);
	return (int)((*s >> 32) * (uint64_t)n >> 32);
}

/* The natural logarithm of x in 0 .. 1, to 12 digits: without libm, the same on every machine. */
static inline double example_log(double x)
{
	double sum = 0, power, square;
	int halves = 0;

	for (; x < 0.5; x *= 2)
		halves++;
	power = (x - 1) / (x + 1);
	square = power * power;
	for (int i = 1; i < 40; i += 2, power *= square)
		sum += 2 * power / i;
	return sum - halves * 0.69314718055994531;
}

/* Exponentially distributed with this mean, from the next state of *s. */
static inline double example_exponential(uint64_t *s, double mean)
{
	*s = example_mix(*s);
	return -mean * example_log(((double)(*s >> 11) + 0.5) / 9007199254740992.0);
}

/* A wave of -1 .. 1 and period 4, as data that are not all alike. */
static inline double example_wave(double x)
{
	double at = x - 4 * (double)(int64_t)(x / 4) + (x < 0 ? 4 : 0);

	return at < 2 ? at * (2 - at) : (at - 2) * (at - 4);
}

#ifdef SIMULATED
/* Under SimGrid's SMPI, compiled with -DSIMULATED: the simulated processor is busy. */
void smpi_execute(double s);

static inline void example_spend(double s)
{
	if (s > 0)
		smpi_execute(s);
}
#else
/*
 * Let time pass as computation would. It sleeps and does not spin, so that more ranks than
 * processors do not take it from each other; what is shorter than a sleep can be is spun.
 */
static inline void example_spend(double s)
{
	double end_s = MPI_Wtime() + s;
	struct timespec t;

	if (s > 200e-6) {
		t.tv_sec = (time_t)(s - 100e-6);
		t.tv_nsec = (long)((s - 100e-6 - (double)t.tv_sec) * 1e9);
		nanosleep(&t, NULL);
	}
	while (MPI_Wtime() < end_s)
		;
}
#endif

/* The last line of rank 0, and everybody's exit status. wrong counts on all ranks. */
static inline int example_conclude(const char *what, double time_s, int wrong)
{
	int rank, all;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s, time %.9f s %s\n", what, time_s, all ? "WRONG" : "verified");
	return all > 0;
}

#endif
