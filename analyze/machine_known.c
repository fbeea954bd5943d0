/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine_known.h"

#include <math.h>

#define LOW_QUANTILE      0.01 /* of many samples; of few the fastest */
#define ALONE_QUANTILE    0.25 /* of messages nobody can have hindered: luck matters more than noise */
#define ALONE_MIN         8    /* of them, else they are not looked at */
#define FEW               20 /* samples below which the interval is a guess: */
#define UNCERTAINTY_FEW   0.3
#define UNCERTAINTY_LEAST 0.05
#define CROWD_TIMES       3
#define NO_SLOWER         1.15

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

/*
 * Would these samples have been as fast with nobody else on the way? Those among far more others
 * than some had are no slower.
 */
static int is_unhindered(const struct sample *s, size_t n, double low_s)
{
	uint32_t least = UINT32_MAX, far_more;
	size_t many = 0, seen = 0;

	for (size_t k = 0; k < n; k++)
		least = s[k].crowd < least ? s[k].crowd : least;
	if (least >= UINT32_MAX / CROWD_TIMES - 1)
		return 0;
	far_more = CROWD_TIMES * (least + 1) - 1;
	for (size_t k = 0; k < n; k++)
		many += s[k].crowd >= far_more && s[k].crowd < UINT32_MAX;
	if (many < ALONE_MIN)
		return 0;
	for (size_t k = 0; k < n; k++) {
		seen += s[k].crowd >= far_more && s[k].crowd < UINT32_MAX;
		if (4 * seen >= many) /* their lower quartile */
			return s[k].ns * 1e-9 <= low_s * NO_SLOWER;
	}
	return 0;
}

struct known known_of(const struct samples *all, enum locality class, int bin)
{
	struct known k = {.legs = 0};

	for (size_t i = 0; i < sizeof(time_kinds) / sizeof(*time_kinds); i++) {
		enum sample_kind kind = time_kinds[i].kind;
		const struct sample *s;
		size_t n;

		k.time = low_end(all, class, kind, bin, time_kinds[i].quantile);
		k.legs = time_kinds[i].legs;
		if (k.time.n < time_kinds[i].least)
			continue;
		if (kind >= SAMPLE_ANY) /* nobody need have been ready */
			k.time.half_width = fmax(k.time.half_width, UNCERTAINTY_FEW);
		s = samples_of(all, class, kind, bin, &n);
		k.crowded = kind >= SAMPLE_TRANSIT && kind != SAMPLE_RETURN &&
			    (kind >= SAMPLE_ANY || !is_unhindered(s, n, k.time.s));
		break;
	}
	k.o_s = low_end(all, class, SAMPLE_SEND, bin, 0.1);
	k.o_r = low_end(all, class, SAMPLE_RECEIVE, bin, 0.1);
	k.spacing = typical(all, class, SAMPLE_SPACING, bin);
	k.share = low_end(all, class, SAMPLE_SHARE, bin, ALONE_QUANTILE);
	k.crowded = k.crowded && k.share.n > 0;
	return k;
}

double known_nearest(const struct known known[SAMPLE_BINS], int bin, size_t offset)
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
