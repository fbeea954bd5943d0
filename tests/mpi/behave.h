/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs of this folder share. Each shows one behaviour of MPI, checks what
 * comes back and says how many events a recording of it must hold, a line a rank:
 *	expect EVENT COUNT     as otf2-print names it; the driver adds up the ranks
 *	expect FUNCTION:EVENT:RANK:VALUES COUNT
 *	                       one of which all is said: each_event.awk has the values
 * They print nothing that differs between two runs, so that a recorded run can be
 * compared with a bare one. Any even number of ranks.
 */
#ifndef TESTS_MPI_BEHAVE_H
#define TESTS_MPI_BEHAVE_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static FILE *declared; /* NULL: standard output */
static int failures, rank, ranks, left, right, partner;

#define CHECK(condition) check(!!(condition), #condition, __LINE__)

static inline void check(int ok, const char *condition, int line)
{
	if (ok)
		return;
	printf("rank %d: line %d: not so: %s\n", rank, line, condition);
	failures++;
}

static inline void expect(const char *event, long count)
{
	fprintf(declared ? declared : stdout, "expect %s %ld\n", event, count);
}

/* What follows is more than a launcher passes on in whole lines: it goes into this file. */
static inline void expect_much(void)
{
	declared = fopen("declared", "a");
	CHECK(declared && setvbuf(declared, NULL, _IOLBF, 0) == 0);
	printf("rank %d declares what it expects\n", rank);
}

/* One event more of this rank's calls of function; format: its values. */
static inline void expect_in(const char *function, const char *event, const char *format, ...)
{
	char values[128];
	va_list list;

	va_start(list, format);
	vsnprintf(values, sizeof(values), format, list);
	va_end(list);
	fprintf(declared ? declared : stdout, "expect %s:%s:%d:%s 1\n", function, event, rank,
		values);
}

/* After MPI_Init: who I am, my neighbours in a ring, my partner in a pair. */
static inline void know_self(void)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	left = (rank + ranks - 1) % ranks;
	right = (rank + 1) % ranks;
	partner = rank ^ 1;
}

static inline void begin(int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	know_self();
}

/*
 * The same for what polls without end. With more ranks than processors Open MPI gives its own away
 * at each poll, which then takes as long as whoever else is running likes.
 */
static inline void begin_polling(int *argc, char ***argv)
{
	setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);
	begin(argc, argv);
}

/* The same for all ranks: they are on one machine. */
static inline double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Of this process in memory. */
static inline long resident_bytes(void)
{
	long all = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	CHECK(f && fscanf(f, "%ld %ld", &all, &resident) == 2);
	if (f)
		fclose(f);
	return resident * sysconf(_SC_PAGESIZE);
}

/* What goes on for long has not made the process grow since it was so large. */
static inline void check_not_grown(long before, long at_most)
{
	long grown = resident_bytes() - before;

	if (grown >= at_most)
		printf("rank %d: grown by %ld\n", rank, grown);
	CHECK(grown < at_most);
}

static inline int finish(void)
{
	MPI_Finalize();
	return failures != 0;
}

#endif
