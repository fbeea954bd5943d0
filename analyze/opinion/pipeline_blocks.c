/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline's makespan is with another number of blocks. */
#include "analyze/opinion/pipeline_load.h"

#include <math.h>

/* A makespan that is so little longer is as good: parameters are not known better. */
#define AS_GOOD 1.01

/* The slowest rank's part more of what a block takes, at most. */
#define UNEVEN_MOST 0.25

/* From one number of blocks to the next that is looked at, at least. */
#define STEP 1.01

/* A block has a value at least, of so many bytes. */
#define VALUE_BYTES 4

/* What is not known of messages of so few bytes they take as the smallest ones of which it is. */
static double known_bytes(const struct machine *m, enum locality class, double bytes)
{
	const struct machine_class *c = &m->classes[class];

	return m->source != MACHINE_FILE && c->n > 0 ? fmax(bytes, c->points[0].bytes) : bytes;
}

/* A hop of the class for a block of so many bytes joins x, whose hop is the sum over all. */
static int add_hops(const struct evidence_base *b, const struct pipeline_load *load,
		    enum locality class, double bytes, struct diamond_stripes *x)
{
	const uint32_t *ends = load->ends[class];
	struct idle_price p =
		evidence_price_of(b, ends[0], ends[1], known_bytes(b->machine, class, bytes));
	double took_s = p.L_s + p.at.g_s, o_s_s = p.at.o_s_s, o_r_s = p.at.o_r_s;

	if (!p.known)
		return -1;
	x->hop += load->hops[class] * took_s;
	if ((p.is_held_back || load->is_synchronous) && load->is_blocking) {
		/* both ends wait while it moves, as the paper's, which move it themselves */
		o_s_s = fmax(took_s - p.at.o_r_s, o_s_s);
		o_r_s = fmax(took_s - p.at.o_s_s, o_r_s);
	}
	x->O_s = fmax(x->O_s, o_s_s);
	x->O_r = fmax(x->O_r, o_r_s);
	/* of a sum it is not known how much of it is the port's */
	if (!(b->machine->classes[class].joint & (MACHINE_JOINT_L_G | MACHINE_JOINT_SUM)))
		x->gap = fmax(x->gap, p.at.g_s);
	return 0;
}

int pipeline_stripes(const struct evidence_base *b, const struct pipeline_load *load, double blocks,
		     struct diamond_stripes *out)
{
	struct diamond_stripes x = {.P = load->P, .W = load->work_s * load->blocks / blocks};
	double bytes = load->bytes * load->blocks / blocks;

	for (int class = 0; class < LOCALITY_COUNT; class ++)
		if (load->hops[class] && add_hops(b, load, class, bytes, &x))
			return -1;
	x.hop /= load->P - 1;
	*out = x;
	return 0;
}

int pipeline_is_uneven(const struct pipeline_load *x, const struct diamond_stripes *stripes)
{
	return x->slowest_s - x->work_s > UNEVEN_MOST * (stripes->O_s + stripes->W + stripes->O_r);
}

static double makespan_s(const struct evidence_base *b, const struct pipeline_load *load,
			 double blocks)
{
	struct diamond_stripes x;

	return pipeline_stripes(b, load, blocks, &x) ? INFINITY : diamond_makespan(&x, blocks);
}

static double next(double blocks)
{
	return fmax(blocks + 1, floor(blocks * STEP));
}

/* What is not known to have more values cannot be divided. */
static double most_blocks(const struct pipeline_load *load)
{
	return fmax(floor(load->bytes * load->blocks / VALUE_BYTES), ceil(load->blocks));
}

double pipeline_best_blocks(const struct evidence_base *b, const struct pipeline_load *load)
{
	double most = most_blocks(load), least_s = INFINITY, best = load->blocks, off = INFINITY;

	for (double blocks = 1; blocks <= most; blocks = next(blocks))
		least_s = fmin(least_s, makespan_s(b, load, blocks));
	if (makespan_s(b, load, best) <= AS_GOOD * least_s)
		return best;
	for (double blocks = 1; blocks <= most; blocks = next(blocks)) {
		double away = fabs(log(blocks / load->blocks));

		if (away < off && makespan_s(b, load, blocks) <= AS_GOOD * least_s) {
			off = away;
			best = blocks;
		}
	}
	return best;
}
