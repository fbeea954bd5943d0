/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine_from_trace: pLogP parameters from the lower envelope of the trace's own
 * durations (machine_samples.h). A low quantile of durations that are all upper bounds
 * is itself an upper bound; what no sample separates is published jointly and said so.
 * The gap has a second witness, bursts that keep a port busy.
 */
#include "analyze/machine_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOW_QUANTILE      0.01 /* of many samples; of few the fastest */
#define ALONE_QUANTILE    0.25 /* of messages nobody can have hindered: luck matters more than noise */
#define ALONE_MIN         8    /* of them, else they are not looked at */
#define FEW               20 /* samples below which the interval is a guess: */
#define UNCERTAINTY_FEW   0.3
#define UNCERTAINTY_LEAST 0.05

/* No machine is slower than this; what seems so was waiting. */
#define NODE_SLOWEST_S          50e-6
#define NODE_SLOWEST_S_PER_BYTE 10e-9
#define SLOWEST_S_PER_BYTE      2e-6
#define STEP_MOST               4 /* a protocol change may multiply the time, but not more */

/* The low end of a bin and how sure it is. */
struct low {
	size_t n;
	double s;
	double bytes;
	double half_width; /* relative, 95 % */
};

/* The p-quantile with its order-statistics interval (normal approximation of the rank). */
static struct low low_end(const struct samples *all, enum locality class, enum sample_kind kind,
			  int bin, double p)
{
	struct low low = {.half_width = UNCERTAINTY_FEW};
	const struct sample *s = samples_of(all, class, kind, bin, &low.n);
	double spread = 1.96 * sqrt(low.n * p * (1 - p)), rank = floor(low.n * p);
	size_t at = rank, from = fmax(0, floor(rank - spread)), to = ceil(rank + spread);

	if (low.n == 0)
		return low;
	low.s = s[at].ns * 1e-9;
	low.bytes = s[at].bytes;
	if (to >= low.n)
		to = low.n - 1;
	if (low.n >= FEW && s[at].ns > 0)
		low.half_width = (double)(s[to].ns - s[from].ns) / 2 / s[at].ns;
	low.half_width = fmin(1, fmax(UNCERTAINTY_LEAST, low.half_width));
	return low;
}

/*
 * The median, for the spacing of a busy port: it is no upper bound, but what the port needs,
 * now faster by credit that a rate limit had saved up, now slower by noise.
 */
static struct low typical(const struct samples *all, enum locality class, enum sample_kind kind,
			  int bin)
{
	struct low x = {.half_width = UNCERTAINTY_FEW};
	const struct sample *s = samples_of(all, class, kind, bin, &x.n);

	if (x.n == 0)
		return x;
	x.s = s[x.n / 2].ns * 1e-9;
	x.bytes = s[x.n / 2].bytes;
	if (x.n >= FEW && x.s > 0)
		x.half_width = (s[x.n * 3 / 4].ns - s[x.n / 4].ns) * 1e-9 / 2 / x.s;
	x.half_width = fmin(1, fmax(UNCERTAINTY_LEAST, x.half_width));
	return x;
}

/* What one bin knows: T = legs L + g. */
struct known {
	struct low time;
	int legs;
	struct low o_s, o_r, spacing;
};

static const struct {
	enum sample_kind kind;
	int legs;
	size_t least; /* samples */
	double quantile;
} time_kinds[] = {
	/* best evidence first */
	{SAMPLE_ALONE, 1, ALONE_MIN, ALONE_QUANTILE},
	{SAMPLE_ALONE_RENDEZVOUS, 3, ALONE_MIN, ALONE_QUANTILE},
	{SAMPLE_TRANSIT, 1, 1, LOW_QUANTILE},
	{SAMPLE_RETURN, 2, 1, LOW_QUANTILE},
	{SAMPLE_RENDEZVOUS, 3, 1, LOW_QUANTILE},
	{SAMPLE_ANY, 1, 1, LOW_QUANTILE},
	{SAMPLE_ANY_RENDEZVOUS, 3, 1, LOW_QUANTILE},
};

static struct known know(const struct samples *all, enum locality class, int bin)
{
	struct known k = {.legs = 0};

	for (size_t i = 0; i < sizeof(time_kinds) / sizeof(*time_kinds); i++) {
		k.time = low_end(all, class, time_kinds[i].kind, bin, time_kinds[i].quantile);
		k.legs = time_kinds[i].legs;
		if (k.time.n < time_kinds[i].least)
			continue;
		if (time_kinds[i].kind >= SAMPLE_ANY) /* nobody need have been ready */
			k.time.half_width = fmax(k.time.half_width, UNCERTAINTY_FEW);
		break;
	}
	k.o_s = low_end(all, class, SAMPLE_SEND, bin, 0.1);
	k.o_r = low_end(all, class, SAMPLE_RECEIVE, bin, 0.1);
	k.spacing = typical(all, class, SAMPLE_SPACING, bin);
	return k;
}

/* Parameter of the nearest bin that has samples; 0 when none has. */
static double nearest(const struct known known[SAMPLE_BINS], int bin, size_t offset)
{
	for (int d = 0; d < SAMPLE_BINS; d++) {
		for (int side = -1; side <= 1; side += 2) {
			int b = bin + side * d;
			const struct low *low;

			if (b < 0 || b >= SAMPLE_BINS)
				continue;
			low = (const struct low *)((const char *)&known[b] + offset);
			if (low->n > 0)
				return low->s;
		}
	}
	return 0;
}

/*
 * Latency from how time grows with size, over the bins with the given number of legs:
 * T = legs L + g0 + G m, with g0 the larger overhead. -1 when the sizes do not tell.
 */
static double latency_from_sizes(const struct known known[SAMPLE_BINS], int legs)
{
	double bytes[SAMPLE_BINS], s[SAMPLE_BINS], least_s = INFINITY, g0 = 0;
	struct loggp line;
	struct err ignored;
	size_t n = 0;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		if (known[b].legs != legs || known[b].time.n == 0)
			continue;
		bytes[n] = known[b].time.bytes;
		s[n] = known[b].time.s;
		g0 = n ? g0
		       : fmax(nearest(known, b, offsetof(struct known, o_s)),
			      nearest(known, b, offsetof(struct known, o_r)));
		least_s = fmin(least_s, s[n++]);
	}
	if (n < 2 || bytes[n - 1] < 2 * bytes[0] || loggp_fit(&line, n, bytes, s, &ignored))
		return -1;
	return fmax(0, fmin(line.L_s, least_s) - g0) / legs;
}

/* Latency when one size is all there is: from the spacing of its bursts. -1: no burst. */
static double latency_from_bursts(const struct known known[SAMPLE_BINS])
{
	double L = -1;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		double g = known[b].spacing.s;

		if (known[b].time.n > 0 && known[b].spacing.n > 0) {
			double x = fmax(0, known[b].time.s - g) / known[b].legs;

			L = L < 0 ? x : fmin(L, x);
		}
	}
	return L;
}

static double latency(const struct known known[SAMPLE_BINS], unsigned *joint)
{
	double L = -1;

	for (int legs = 1; legs <= 3 && L < 0; legs++)
		L = latency_from_sizes(known, legs);
	if (L < 0)
		L = latency_from_bursts(known);
	if (L < 0) {
		*joint |= MACHINE_JOINT_L_G;
		L = 0;
	}
	return L;
}

/* A busy port's time per byte, from the sizes whose bursts show it; 0 when none do. */
static double port_s_per_byte(const struct known known[SAMPLE_BINS])
{
	double least = 0;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		double x = known[b].spacing.n && known[b].spacing.bytes > 0
				   ? known[b].spacing.s / known[b].spacing.bytes
				   : 0;

		if (x > 0 && (least == 0 || x < least))
			least = x;
	}
	return least;
}

/*
 * A bin's gap: what is left of its fastest time, g = T - legs L, or the busy port's time where
 * that is more: single messages may slip through on credit that many do not have.
 */
static double gap(const struct known *k, double L_s, double s_per_byte)
{
	double g = fmax(0, k->time.s - k->legs * L_s);

	if (k->spacing.n)
		return fmax(g, k->spacing.s);
	return fmax(g, s_per_byte * k->time.bytes);
}

static double half_width(const struct known *k)
{
	return fmax(k->time.half_width, k->spacing.n ? k->spacing.half_width : 0);
}

/*
 * The most that a gap can be without the sample being somebody's waiting: within a node what
 * the slowest memory takes; beyond the next smaller size a few times its time and what
 * the slowest network takes for the difference.
 */
static double plausible_gap(enum locality class, const struct machine_class *c, double bytes)
{
	const struct plogp_point *below = c->n ? &c->points[c->n - 1] : NULL;
	double most = INFINITY;

	if (class == LOCALITY_NODE)
		most = NODE_SLOWEST_S + bytes * NODE_SLOWEST_S_PER_BYTE;
	if (below)
		most = fmin(most, STEP_MOST * (c->L_s + below->g_s) +
					  (bytes - below->bytes) * SLOWEST_S_PER_BYTE);
	return most;
}

static void fill_points(struct machine_class *c, enum locality class,
			const struct known known[SAMPLE_BINS])
{
	double above = INFINITY, sum = 0, s_per_byte = port_s_per_byte(known);

	for (int b = 0; b < SAMPLE_BINS; b++) {
		const struct known *k = &known[b];
		struct plogp_point *p = &c->points[c->n];
		double half, most;

		if (k->time.n == 0)
			continue;
		half = k->time.s / 2;
		p->bytes = k->time.bytes;
		p->o_s_s = fmin(half, nearest(known, b, offsetof(struct known, o_s)));
		p->o_r_s = fmin(half, nearest(known, b, offsetof(struct known, o_r)));
		p->g_s = fmax(fmax(p->o_s_s, p->o_r_s), gap(k, c->L_s, s_per_byte));
		most = plausible_gap(class, c, p->bytes);
		c->uncertainty += k->time.n * (p->g_s > most ? 1 : half_width(k));
		p->g_s = fmin(p->g_s, most);
		sum += k->time.n;
		c->n++;
	}
	/* A larger message is an upper bound for every smaller one. */
	for (uint32_t i = c->n; i-- > 0; above = c->points[i].g_s) {
		struct plogp_point *p = &c->points[i];

		p->g_s = fmin(p->g_s, above);
		p->o_s_s = fmin(p->o_s_s, p->g_s);
		p->o_r_s = fmin(p->o_r_s, p->g_s);
	}
	c->samples = fmin(sum, UINT32_MAX);
	if (sum > 0)
		c->uncertainty /= sum;
}

static int fit_class(struct machine_class *c, const struct samples *all, enum locality class,
		     struct err *err)
{
	struct known known[SAMPLE_BINS];
	size_t bins = 0, sends = 0, receives = 0;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		known[b] = know(all, class, b);
		bins += known[b].time.n > 0;
		sends += known[b].o_s.n;
		receives += known[b].o_r.n;
	}
	if (bins == 0)
		return 0;
	c->points = calloc(bins, sizeof(*c->points));
	if (!c->points)
		return err_set(err, "out of memory for %zu sizes", bins);
	c->joint = (sends ? 0 : MACHINE_JOINT_O_S) | (receives ? 0 : MACHINE_JOINT_O_R);
	c->L_s = latency(known, &c->joint);
	if (class == LOCALITY_NODE)
		c->L_s = fmin(c->L_s, NODE_SLOWEST_S);
	fill_points(c, class, known);
	return 0;
}

int machine_from_trace(const struct trace *t, const struct messages *m, struct machine *out,
		       struct err *err)
{
	uint64_t eager_bytes[LOCALITY_COUNT];
	struct machine fit = {.source = MACHINE_SELF_CALIBRATED};
	struct samples samples = {0};
	int ret = -1;

	machine_find_eager(t, m, fit.classes);
	for (int k = 0; k < LOCALITY_COUNT; k++)
		eager_bytes[k] = fit.classes[k].eager_bytes;
	if (samples_take(&samples, t, m, eager_bytes, err))
		return -1;
	for (int k = 0; k < LOCALITY_COUNT; k++)
		if (fit_class(&fit.classes[k], &samples, k, err))
			goto out;
	*out = fit;
	ret = 0;
out:
	if (ret)
		machine_release(&fit);
	samples_release(&samples);
	return ret;
}
