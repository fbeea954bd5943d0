/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_known.h"

#include "analyze/machine/machine_clocks.h"
#include "analyze/machine/machine_line.h"

#include <math.h>

#define LOW_QUANTILE      0.01 /* of many samples; of few the fastest */
#define ALONE_QUANTILE    0.25 /* of messages that nobody hindered: luck matters more than noise */
#define ALONE_MIN         8    /* of them, else they are not looked at */
#define HANDLER_AT_MOST   1.2  /* o_r: what comes at this pace is paced by its handling */
#define FEW               20   /* samples below which the interval is a guess: */
#define UNCERTAINTY_FEW   0.3
#define UNCERTAINTY_LEAST 0.05
#define MORE_LEAST        0.5 /* others, as a share: a crowd that should have made a difference; */
#define MORE_MOST         2
#define NO_SLOWER         0.075 /* per share of others: it did not */
#define SMALL_BYTES       1024  /* of such a program's own handler may be most */

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

/* Others beside the p-quantile of a kind; 0: there is none. */
static double crowd_at(const struct samples *all, enum locality class, enum sample_kind kind,
		       int bin, double p)
{
	size_t n;
	const struct sample *s = samples_of(all, class, kind, bin, &n);

	return n ? s[(size_t)floor(n * p)].crowd : 0;
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

/* Where most wait for a core, it is luck not to. */
static double luck(const struct samples *all, enum locality class, double quantile)
{
	return all->without_core[class] ? LOW_QUANTILE : quantile;
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

/* Others beside a message: at its ends, or anywhere. */
typedef float beside_fn(const struct sample *s);

static float at_ends(const struct sample *s)
{
	return s->crowd;
}

static float anywhere(const struct sample *s)
{
	return s->abroad;
}

/* The lower quartile of those among at least so many others; 0 when they are too few. */
static double among_many_s(const struct sample *s, size_t n, beside_fn *beside, double others)
{
	size_t many = 0, seen = 0;

	for (size_t k = 0; k < n; k++)
		many += beside(&s[k]) >= others && isfinite(beside(&s[k]));
	if (many < ALONE_MIN)
		return 0;
	for (size_t k = 0; k < n; k++) {
		seen += beside(&s[k]) >= others && isfinite(beside(&s[k]));
		if (4 * seen >= many)
			return s[k].ns * 1e-9;
	}
	return 0;
}

/* The fewest others that any of n samples had that took no longer than most_s. */
static double fewest(const struct sample *s, size_t n, beside_fn *beside, double most_s)
{
	double least = INFINITY;

	for (size_t k = 0; k < n && s[k].ns * 1e-9 <= most_s; k++)
		least = fmin(least, beside(&s[k]));
	return least;
}

/*
 * Would the fastest, beside at least so many others, have been as fast with nobody else on the way?
 * All among more, their receivers ready or not, are no slower; a port that they share would make
 * them so. More than the fastest had: of one crowd the slow have the fewest beside them, when the
 * others are through. Returns the most that this leaves for a port, s; or INFINITY: nothing shows
 * it.
 */
static double unhindered_s(const struct samples *all, enum locality class, enum sample_kind kind,
			   int bin, double low_s, beside_fn *beside)
{
	size_t n;
	const struct sample *s = samples_of(all, class, kind, bin, &n);
	double least = fewest(s, n, beside, low_s * (1 + NO_SLOWER));

	s = samples_of(all, class, samples_any_of(kind), bin, &n);
	for (double more = MORE_LEAST; more <= MORE_MOST; more += MORE_LEAST) {
		double many_s = among_many_s(s, n, beside, (1 + more) * (least + 1) - 1);

		if (many_s > 0 && many_s <= low_s * (1 + NO_SLOWER * more))
			return low_s * NO_SLOWER / (least + 1);
	}
	return INFINITY;
}

/*
 * Of messages alone at their ends the typical one counts. If they have others elsewhere on the
 * network, these may have made it slower than the fastest, and it is known down to those only.
 */
static void doubt_typical(struct known *k, const struct samples *all, enum locality class,
			  enum sample_kind kind, int bin)
{
	size_t n, alone = 0;
	const struct sample *s = samples_of(all, class, kind, bin, &n);
	double fastest_s = low_end(all, class, kind, bin, LOW_QUANTILE).s;

	for (size_t i = 0; i < n; i++)
		alone += s[i].abroad < SAMPLE_ALONE_MOST;
	if (class == LOCALITY_NETWORK && alone < ALONE_MIN && k->time.s > 0)
		k->time.half_width = fmax(k->time.half_width, 1 - fastest_s / k->time.s);
}

/* Samples that time is a quantile of. */
struct evidence {
	enum sample_kind kind;
	double quantile;
};

/* The best evidence of what a message alone takes, and whether it was alone. */
static struct evidence find_time(struct known *k, const struct samples *all, enum locality class,
				 int bin)
{
	struct evidence best = {0};

	for (size_t i = 0; i < sizeof(time_kinds) / sizeof(*time_kinds); i++) {
		enum sample_kind kind = time_kinds[i].kind;
		struct low any;

		best = (struct evidence){kind, luck(all, class, time_kinds[i].quantile)};
		k->time = low_end(all, class, kind, bin, best.quantile);
		k->legs = time_kinds[i].legs;
		if (k->time.n < time_kinds[i].least)
			continue;
		if (kind == SAMPLE_ALONE || kind == SAMPLE_ALONE_RENDEZVOUS)
			doubt_typical(k, all, class, kind, bin);
		if (kind == SAMPLE_TRANSIT || kind == SAMPLE_RENDEZVOUS) {
			any = low_end(all, class, samples_any_of(kind), bin, LOW_QUANTILE);
			if (any.n > 0 &&
			    any.s < k->time.s) { /* no slower with others to wait for */
				k->time = any;
				best.kind = samples_any_of(kind);
			}
			k->port_most = unhindered_s(all, class, kind, bin, k->time.s, at_ends);
			k->crowded = isinf(k->port_most);
		} else if (kind >= SAMPLE_ANY) { /* nobody need have been ready */
			k->time.half_width = fmax(k->time.half_width, UNCERTAINTY_FEW);
			k->crowded = k->any = 1;
		}
		return best;
	}
	return best;
}

/*
 * How many others were on the network beside each that was as fast? In what they share between
 * their ports, they may have made each other that slow; unless all among more were no slower.
 */
static double company_of(const struct known *k, const struct samples *all, enum locality class,
			 int bin)
{
	enum sample_kind kind = k->legs == 3 ? SAMPLE_ANY_RENDEZVOUS : SAMPLE_ANY;
	size_t n;
	const struct sample *s = samples_of(all, class, kind, bin, &n);
	double others = fewest(s, n, anywhere, k->time.s * (1 + NO_SLOWER));

	if (class != LOCALITY_NETWORK || isinf(others) ||
	    isfinite(unhindered_s(all, class, kind, bin, k->time.s, anywhere)))
		return 0;
	return others;
}

/* Was one as fast, of no more bytes, when nobody else was on the network? */
static int was_alone(const struct known *k, const struct samples *all, enum locality class, int bin)
{
	size_t n;
	const struct sample *s =
		samples_of(all, class, k->legs == 3 ? SAMPLE_ANY_RENDEZVOUS : SAMPLE_ANY, bin, &n);

	for (size_t i = 0; i < n && s[i].ns * 1e-9 <= k->time.s * (1 + NO_SLOWER); i++)
		if (s[i].abroad < SAMPLE_ALONE_MOST && (double)s[i].bytes <= k->time.bytes)
			return 1;
	return 0;
}

/* How far apart the fastest and the typical of a kind are, s. */
static double spread_s(const struct samples *all, enum locality class, enum sample_kind kind,
		       int bin)
{
	return low_end(all, class, kind, bin, 0.5).s -
	       low_end(all, class, kind, bin, LOW_QUANTILE).s;
}

/*
 * Two messages at once. What a second one that the same call completes takes more than one that has
 * a second one beside it when it is sent is its handling, as ports are the same in both
 * directions; and that other is no longer in its port than half of its time. Where they all take
 * now more and now less, something else matters.
 */
static void find_second(struct known *k, const struct samples *all, enum locality class, int bin)
{
	struct low first = low_end(all, class, SAMPLE_TAKEN_ALONE, bin, ALONE_QUANTILE);
	struct low second = low_end(all, class, SAMPLE_TAKEN_SECOND, bin, ALONE_QUANTILE);
	double more_s = second.s - first.s;

	if (first.n < ALONE_MIN || second.n < ALONE_MIN || more_s <= 0 ||
	    spread_s(all, class, SAMPLE_TAKEN_ALONE, bin) > more_s ||
	    spread_s(all, class, SAMPLE_TAKEN_SECOND, bin) > more_s)
		return;
	k->second = second;
	k->second.s = fmin(more_s, machine_slowest_handling_s(second.bytes));
	k->port_most = fmin(k->port_most, (first.s - k->second.s) / 2);
}

/* It is no more than each one's share of a call that took several, whatever that waited for. */
static void bound_handling(struct low *o_r, const struct samples *all, enum locality class, int bin)
{
	struct low most = low_end(all, class, SAMPLE_RECEIVE_MOST, bin, 0.1);

	if (most.n > 0)
		o_r->s = fmin(o_r->s, most.s);
}

static int find_known(struct known *known, const struct samples *all, enum locality class, int bin,
		      struct err *err)
{
	struct known k = {.port_most = INFINITY};
	struct evidence of = find_time(&k, all, class, bin);

	k.o_s = low_end(all, class, SAMPLE_SEND, bin, 0.1);
	k.o_s_perhaps = low_end(all, class, SAMPLE_SEND_PERHAPS, bin, 0.1);
	k.o_r = low_end(all, class, SAMPLE_RECEIVE, bin, 0.1);
	k.late = k.o_r.n == 0;
	if (k.late)
		k.o_r = low_end(all, class, SAMPLE_RECEIVE_LATE, bin, 0.1);
	find_second(&k, all, class, bin);
	if (k.late)
		bound_handling(&k.o_r, all, class, bin);
	bound_handling(&k.second, all, class, bin);
	k.spacing = typical(all, class, SAMPLE_SPACING, bin);
	k.share = low_end(all, class, SAMPLE_SHARE, bin, LOW_QUANTILE);
	k.usual_share_s =
		low_end(all, class, SAMPLE_SHARE, bin, luck(all, class, ALONE_QUANTILE)).s;
	k.sharers = 1 + crowd_at(all, class, SAMPLE_SHARE, bin, LOW_QUANTILE);
	k.crowded = k.crowded && k.share.n > 0;
	k.company = company_of(&k, all, class, bin);
	k.alone = !k.any && was_alone(&k, all, class, bin);
	*known = k;
	return k.time.n ? machine_clocks_judge(known, all, class, of.kind, bin, of.quantile, err)
			: 0;
}

/*
 * The most that taking a message takes: what the slowest machine does, and what one of any size
 * does, and what the slowest memory takes to copy the bytes that it has more.
 */
static double handling_most(const struct known known[SAMPLE_BINS], double bytes)
{
	double most = bytes > SMALL_BYTES ? machine_slowest_handling_s(bytes) : INFINITY;

	for (int b = 0; b < SAMPLE_BINS; b++) {
		const struct low *o_r = &known[b].o_r;
		double more_s = machine_slowest_handling_s(fmax(0, bytes - o_r->bytes)) -
				machine_slowest_handling_s(0);

		if (o_r->n > 0)
			most = fmin(most, o_r->s + more_s);
	}
	return most;
}

/*
 * A size that was never seen alone, but takes what the line through those that were says, was
 * hindered by nobody; one that takes more, perhaps.
 */
static void judge_by_line(struct known known[SAMPLE_BINS])
{
	line_find(known);
	for (int b = 0; b < SAMPLE_BINS; b++) {
		struct known *k = &known[b];

		if (k->alone)
			k->crowded = k->company = 0;
		if (k->line_s > 0)
			k->port_most = INFINITY;
	}
}

int known_find(struct known known[SAMPLE_BINS], const struct samples *all, enum locality class,
	       struct err *err)
{
	for (int b = 0; b < SAMPLE_BINS; b++)
		if (find_known(&known[b], all, class, b, err))
			return -1;
	judge_by_line(known);
	for (int b = 0; b < SAMPLE_BINS; b++) {
		struct known *k = &known[b];

		/* a receive that began late took longer: its message had not come */
		if (k->late && k->o_r.s > handling_most(known, k->o_r.bytes))
			k->o_r = (struct low){0};
		/* the receiver was busy, not its port */
		if (k->spacing.s <= HANDLER_AT_MOST * k->o_r.s)
			k->spacing = (struct low){0};
	}
	return 0;
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
