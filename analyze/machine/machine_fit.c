/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine_from_trace: pLogP parameters from the lower envelope of the trace's own
 * durations (machine_samples.h). A low quantile of durations that are all upper bounds
 * is itself an upper bound; what no sample separates is published jointly and said so.
 *
 * What posting and receiving take is seen directly, or inferred from pairs of messages. How much
 * of the rest keeps a port busy only bursts prove; else it is the most that it can be: not more
 * than its share of the time in which a crowd of messages got through. L, by the byte too, has
 * what is left. Where every message was in a crowd, and it did not matter how large that was, the
 * crowd was no hindrance and no port busy for long.
 */
#include "analyze/machine/machine_fit.h"

#include "analyze/machine/machine_known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNEVEN     0.15 /* a port's bursts are more alike: others were in these ones' way */
#define VAGUE_MOST 1e3  /* so many times less is nothing */
#define STEP_MOST  4    /* a protocol change may multiply the time, but not more */

/* o_r, by the second best evidence when there is no other. */
static double handling(const struct known known[SAMPLE_BINS], int bin)
{
	double o_r = known_nearest(known, bin, offsetof(struct known, o_r));

	return o_r > 0 ? o_r : known_nearest(known, bin, offsetof(struct known, second));
}

static double overheads(const struct known known[SAMPLE_BINS], int bin)
{
	return known_nearest(known, bin, offsetof(struct known, o_s)) + handling(known, bin);
}

/*
 * A port's time by a crowd that got through it: before the first is posted and after the last has
 * come, apart_s in all, none is at work.
 */
static double crowd_port_s(const struct known *k, double apart_s)
{
	return fmin(fmax(0, k->share.s - apart_s / k->sharers), k->port_most);
}

/* Is its time perhaps that of a crowd? Not if the crowd was no faster than one after the other. */
static int is_inflated(const struct known known[SAMPLE_BINS], int bin)
{
	const struct known *k = &known[bin];
	double o = overheads(known, bin);

	return k->line_s > 0 || (k->crowded && crowd_port_s(k, o) + o < k->time.s);
}

/*
 * Latency from how time grows with size, over the bins with the given number of legs:
 * T = o_s + o_r + legs L + G m. -1 when the sizes do not tell.
 */
static double latency_from_sizes(const struct known known[SAMPLE_BINS], int legs)
{
	double bytes[SAMPLE_BINS], s[SAMPLE_BINS], least_s = INFINITY, o = 0;
	struct loggp line;
	struct err ignored;
	size_t n = 0;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		if (known[b].legs != legs || known[b].time.n == 0 || is_inflated(known, b))
			continue;
		bytes[n] = known[b].time.bytes;
		s[n] = known[b].time.s;
		o = n ? o : overheads(known, b);
		least_s = fmin(least_s, s[n++]);
	}
	if (n < 2 || bytes[n - 1] < 2 * bytes[0] || loggp_fit(&line, n, bytes, s, &ignored))
		return -1;
	return fmax(0, fmin(line.L_s, least_s) - o) / legs;
}

/* Latency when one size is all there is: from the spacing of its bursts. -1: no burst. */
static double latency_from_bursts(const struct known known[SAMPLE_BINS])
{
	double L = -1;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		const struct known *k = &known[b];

		if (k->time.n > 0 && k->spacing.n > 0) {
			double x =
				fmax(0, k->time.s - overheads(known, b) - k->spacing.s) / k->legs;

			L = L < 0 ? x : fmin(L, x);
		}
	}
	return L;
}

static double per_byte(double least, const struct low *of, double s)
{
	double x = of->n && of->bytes > 0 ? s / of->bytes : 0;

	return x > 0 && (least == 0 || x < least) ? x : least;
}

/*
 * A busy port's time per byte, from the sizes whose bursts show it; 0 when none do. A burst of
 * small messages shows what each costs rather than their bytes: crowds of larger ones may know
 * better.
 */
static double port_s_per_byte(const struct known known[SAMPLE_BINS])
{
	double least = 0;

	for (int b = 0; b < SAMPLE_BINS; b++)
		least = per_byte(least, &known[b].spacing, known[b].spacing.s);
	for (int b = 0; b < SAMPLE_BINS && least > 0; b++)
		least = per_byte(least, &known[b].share, known[b].usual_share_s);
	return least;
}

static double half_width(const struct known *k)
{
	return fmax(k->time.half_width, k->spacing.n ? k->spacing.half_width : 0);
}

/*
 * The most that a message alone can take without being somebody's waiting: within a node what
 * the slowest memory takes; beyond the next smaller size a few times its time and what
 * the slowest network takes for the difference.
 */
static double plausible_time(enum locality class, const struct machine_class *c, double bytes)
{
	const struct plogp_point *below = c->n ? &c->points[c->n - 1] : NULL;
	double most = INFINITY;

	if (class == LOCALITY_NODE)
		most = machine_slowest_handling_s(0) + machine_slowest_handling_s(bytes);
	if (below)
		most = fmin(most,
			    STEP_MOST * below->g_s + machine_slowest_port_s(bytes - below->bytes));
	return most;
}

/* A message alone, end to end; and what that may be as well, as none was seen alone. */
static double time_alone(const struct known *k, double o, double L_s, double *most_s,
			 struct machine_class *c)
{
	double T = fmax(0, k->time.s - (k->legs - 1) * L_s),
	       least = crowd_port_s(k, o + L_s) + o + L_s;

	*most_s = T;
	if (k->line_s > 0) {
		c->beyond = fmax(c->beyond, k->time.s / k->line_s - 1);
		return fmin(T, fmax(0, k->line_s - (k->legs - 1) * L_s));
	}
	if (!k->crowded || least >= T)
		return T;
	c->crowding = fmax(c->crowding, T / least - 1);
	return least;
}

/* What posting takes if the sends that may have waited for their receivers did not. */
static double o_s_perhaps(const struct known known[SAMPLE_BINS], int bin)
{
	return known[bin].o_s.n ? 0
				: known_nearest(known, bin, offsetof(struct known, o_s_perhaps));
}

/* What may be an acknowledgement's way back: half, where there and back are known only as a sum. */
static double way_back_s(const struct machine_class *c, const struct known *k, double L_s)
{
	double half_s = k->time.s / 2;

	if (k->legs != 2 || L_s >= 0)
		return c->way_back_s;
	return c->way_back_s > 0 ? fmin(c->way_back_s, half_s) : half_s;
}

/*
 * How many times less it may be by the clocks; where there and back are known only as a sum, as if
 * its way back took as long.
 */
static double vagueness(const struct known *k, double L_s)
{
	double clocks = k->less_s > 0 ? fmin(VAGUE_MOST, k->less_s / (k->time.s - k->less_s)) : 0;

	return k->legs == 2 && L_s < 0 ? fmax(1, clocks) : clocks;
}

/* Points with the whole time of a message alone in g. latency_s: below 0, if it is not known. */
static void fill_times(struct machine_class *c, enum locality class, double latency_s,
		       const struct known known[SAMPLE_BINS])
{
	const double L_s = fmax(0, latency_s);
	double above = INFINITY, most_above = INFINITY, sum = 0;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		const struct known *k = &known[b];
		struct plogp_point *p = &c->points[c->n];
		double most;

		if (k->time.n == 0)
			continue;
		p->bytes = k->time.bytes;
		p->g_s = time_alone(k, overheads(known, b), L_s, &c->more[c->n].g_s, c);
		c->more[c->n].bytes = p->bytes;
		c->more[c->n].g_s += k->more_s;
		c->vague = fmax(c->vague, vagueness(k, latency_s));
		p->o_s_s = fmin(p->g_s, known_nearest(known, b, offsetof(struct known, o_s)));
		p->o_r_s = fmin(p->g_s - p->o_s_s, handling(known, b));
		c->more[c->n].o_s_s = fmax(0, fmin(p->g_s, o_s_perhaps(known, b)) - p->o_s_s);
		c->way_back_s = way_back_s(c, k, latency_s);
		most = plausible_time(class, c, p->bytes);
		c->slow |= p->g_s > most;
		c->late_handling |= k->late && k->o_r.n > 0;
		c->uncertainty += k->time.n * (p->g_s > most ? 1 : half_width(k));
		p->g_s = fmin(p->g_s, most);
		c->more[c->n].g_s = fmin(c->more[c->n].g_s, most);
		c->company = fmax(c->company, k->company);
		sum += k->time.n;
		c->n++;
	}
	/* A larger message is an upper bound for every smaller one. */
	for (uint32_t i = c->n; i-- > 0; above = c->points[i].g_s) {
		struct plogp_point *p = &c->points[i];

		most_above = fmin(most_above, c->more[i].g_s);
		p->g_s = fmin(p->g_s, above);
		c->more[i].g_s = most_above - p->g_s;
		p->o_s_s = fmin(p->o_s_s, p->g_s);
		c->more[i].o_s_s = fmin(c->more[i].o_s_s, p->g_s - p->o_s_s);
		p->o_r_s = fmin(p->o_r_s, p->g_s - p->o_s_s);
	}
	c->samples = fmin(sum, UINT32_MAX);
	if (sum > 0)
		c->uncertainty /= sum;
}

/*
 * What of a point's time can be its port's: what a burst shows, though single messages may slip
 * through on credit that many do not have; else all but the overheads, or a crowd's share.
 */
static double port_s(const struct known *k, const struct plogp_point *p, double s_per_byte)
{
	double g = fmin(k->port_most, fmax(0, p->g_s - p->o_s_s - p->o_r_s));

	if (k->spacing.n)
		return k->share.n ? fmin(k->spacing.s, k->usual_share_s) : k->spacing.s;
	if (k->share.n)
		g = fmin(g, crowd_port_s(k, p->o_s_s + p->o_r_s));
	return fmax(g, s_per_byte * p->bytes);
}

/*
 * Bursts need more than a message alone took, for its credit, or since they met others in the
 * network. One port serves all alike; where they are not, it may be no slower than that message
 * says. Returns how much wider that makes the interval of a point that took alone_s, and L + g is
 * to be sum_s.
 */
static double burst_doubt(const struct known *k, double alone_s, double sum_s)
{
	if (k->spacing.n == 0 || k->spacing.half_width <= UNEVEN)
		return 0;
	return fmax(0, 1 - alone_s / sum_s - half_width(k));
}

/* Move what is not the ports' from g to L, which grows with the bytes when it must. */
static void split_times(struct machine_class *c, double L_s, const struct known known[SAMPLE_BINS])
{
	const struct known *of[SAMPLE_BINS];
	double port[SAMPLE_BINS], s_per_byte = port_s_per_byte(known), slope = 0, cap = INFINITY;
	const struct plogp_point *first = c->points;
	uint32_t n = 0;

	for (int b = 0; b < SAMPLE_BINS; b++)
		if (known[b].time.n) {
			port[n] = port_s(&known[b], &c->points[n], s_per_byte);
			of[n++] = &known[b];
		}
	c->L_s = fmin(first->g_s, fmax(L_s + first->o_s_s + first->o_r_s, first->g_s - port[0]));
	for (uint32_t i = 1; i < n; i++) {
		double more = c->points[i].g_s - c->L_s, bytes = c->points[i].bytes - first->bytes;

		cap = fmin(cap, more / bytes);
		slope = fmax(slope, (more - port[i]) / bytes);
	}
	c->L_s_per_byte = fmax(0, fmin(slope, cap));
	c->L_s = fmax(0, c->L_s - c->L_s_per_byte * first->bytes);
	for (uint32_t i = 0; i < n; i++) {
		struct plogp_point *p = &c->points[i];
		double alone_s = p->g_s, L = machine_latency_s(c, p->bytes);

		p->g_s = fmax(0, alone_s - L);
		if (port[i] <= p->g_s || s_per_byte <= 0)
			continue;
		c->more[i].g_s = fmax(0, c->more[i].g_s - port[i] + p->g_s);
		p->g_s = port[i]; /* a busy port needs more */
		c->uncertainty +=
			burst_doubt(of[i], alone_s, L + port[i]) * of[i]->time.n / c->samples;
	}
	c->has_handshake = 1;
	c->handshake_s = s_per_byte > 0 ? fmax(L_s, c->L_s - first->o_s_s - first->o_r_s) : L_s;
}

static int fit_class(struct machine_class *c, const struct samples *all, enum locality class,
		     struct err *err)
{
	struct known known[SAMPLE_BINS];
	size_t bins = 0, sends = 0, receives = 0, bursts = 0;
	double L_s = -1;

	if (known_find(known, all, class, err))
		return -1;
	for (int b = 0; b < SAMPLE_BINS; b++) {
		bins += known[b].time.n > 0;
		sends += known[b].o_s.n;
		receives += known[b].o_r.n;
		bursts += known[b].time.n ? known[b].spacing.n : 0;
	}
	if (bins == 0)
		return 0;
	c->points = calloc(bins, sizeof(*c->points));
	c->more = calloc(bins, sizeof(*c->more));
	if (!c->points || !c->more)
		return err_set(err, "out of memory for %zu sizes", bins);
	c->joint = (sends ? 0 : MACHINE_JOINT_O_S) | (receives ? 0 : MACHINE_JOINT_O_R) |
		   (bursts ? 0 : MACHINE_JOINT_L_G);
	for (int legs = 1; legs <= 3 && L_s < 0; legs++)
		L_s = latency_from_sizes(known, legs);
	L_s = L_s < 0 ? latency_from_bursts(known) : L_s;
	if (class == LOCALITY_NODE)
		L_s = fmin(L_s, machine_slowest_handling_s(0));
	c->side_by_side = -1;
	c->without_core = all->without_core[class];
	fill_times(c, class, L_s, known);
	split_times(c, fmax(0, L_s), known);
	return 0;
}

int machine_from_trace(const struct trace *t, const struct messages *m, struct machine *out,
		       struct err *err)
{
	struct machine fit = {.source = MACHINE_SELF_CALIBRATED};
	struct samples samples = {0};
	int ret = -1;

	if (machine_find_eager(t, m, fit.classes, err) ||
	    samples_take(&samples, t, m, fit.classes, err))
		return -1;
	for (int k = 0; k < LOCALITY_COUNT; k++)
		if (fit_class(&fit.classes[k], &samples, k, err))
			goto out;
	if (machine_find_progress(t, m, fit.classes, err))
		goto out;
	*out = fit;
	ret = 0;
out:
	if (ret)
		machine_release(&fit);
	samples_release(&samples);
	return ret;
}
