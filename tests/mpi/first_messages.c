/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After ready_pair() the first messages between two ranks take what later ones do: prints how many
 * times as long, each way, whichever is more. No sleep in between, so others' work counts little.
 */
#include "calibrate/cacheline.c"
#include "calibrate/core.c"
#include "calibrate/pair.c"
#include "calibrate/ready.c"
#include "calibrate/samples.c"

#include <stdio.h>

enum { BYTES = 4096, FIRST = 24, TIMES = 20 };

/* Of FIRST messages there, or back. */
static double median(struct pair *p, int back)
{
	struct samples s = {0}, o_s = {0};
	double value;

	if (back)
		pair_late_receives(p, BYTES, FIRST, 5e-6, &s);
	else
		pair_round_trips(p, BYTES, FIRST, &s, &o_s);
	value = samples_median(&s).value;
	samples_release(&s);
	samples_release(&o_s);
	return value;
}

int main(int argc, char **argv)
{
	struct pair p = {.room = PAIR_BYTES_MAX, .mirror = 1};
	double first[2], later[2], worst;
	int rank, i;

	MPI_Init(&argc, &argv);
	p.comm = MPI_COMM_WORLD;
	MPI_Comm_rank(p.comm, &rank);
	p.buffer = calloc(PAIR_BYTES_MAX, 1);
	p.timer_s = pair_timer();
	if (rank == 0 && p.buffer) {
		pair_begin(&p, 1);
		ready_pair(&p, argc > 1 ? atof(argv[1]) : 0.1);
		for (i = 0; i < 2; i++)
			first[i] = median(&p, i);
		for (i = 0; i < 2 * TIMES; i++)
			later[i % 2] = median(&p, i % 2);
		worst = fmax(first[0] / later[0], first[1] / later[1]);
		printf("%.3g %.3g %.3g %.3g\n%.3f\n", first[0], later[0], first[1], later[1],
		       worst);
		pair_done(&p);
	} else if (rank) {
		pair_answer(&p, 0);
	}
	free(p.buffer);
	MPI_Finalize();
	return 0;
}
