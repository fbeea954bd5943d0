/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calibration's own procedure on the simulated machine, where all parameters are known: what
 * rank 0 finds out about its way to rank 1. Prints which share of a large message's time passes
 * while both ranks compute, L, then bytes, o_s, o_r and g of each size.
 */
#include "calibrate/batches.c"
#include "calibrate/blocks.c"
#include "calibrate/cacheline.c"
#include "calibrate/core.c"
#include "calibrate/credit.c"
#include "calibrate/gaps.c"
#include "calibrate/pair.c"
#include "calibrate/rounds.c"
#include "calibrate/samples.c"
#include "calibrate/saturation.c"
#include "calibrate/thresholds.c"

#include "common/err.c"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct gaps_plan plan = {
		.half_width = 0.05, .most_s = 0.5, .most_bytes = 1 << 17, .seed = 1};
	struct pair p = {.room = PAIR_BYTES_MAX, .mirror = 1};
	struct thresholds t = {0};
	struct err err = {""};
	struct gaps g;
	size_t i;
	int rank;

	MPI_Init(&argc, &argv);
	p.comm = MPI_COMM_WORLD;
	MPI_Comm_rank(p.comm, &rank);
	p.buffer = calloc(PAIR_BYTES_MAX, 1);
	p.timer_s = pair_timer();
	if (rank == 0 && p.buffer && !gaps_measure(&p, &plan, &g, &err)) {
		thresholds_progress(&p, g.size[g.n - 1].bytes, g.size[g.n - 1].g, 0.1, &t);
		pair_done(&p);
		printf("progress %.9g\n", t.progress.value);
		printf("L %.9g\n", g.L.value);
		for (i = 0; i < g.n; i++)
			printf("%zu %.9g %.9g %.9g\n", g.size[i].bytes, g.size[i].o_s.value,
			       g.size[i].o_r.value, g.size[i].g.value);
		gaps_release(&g);
	} else if (rank) {
		pair_answer(&p, 0);
	}
	free(p.buffer);
	MPI_Finalize();
	return 0;
}
