/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/moved.h"

#include "calibrate/launches.h"

#include <math.h>

/* Cores that differ by less are the same, or as near. */
#define CORES_SHARE 0.25

/* Is a another than b, by more than noise of the same launch? */
static int is_another(struct estimate a, struct estimate b)
{
	return fabs(a.value - b.value) > DRIFT_SHARE * b.value && estimates_differ(a, b);
}

/*
 * How far it is to one end of e's interval, and so much more as counts: the logarithm of a factor.
 */
static double reach(const struct drift_point *p, struct estimate e, double end)
{
	double wire = p->wire_s / p->before.value;
	double launches = p->launch_share * (1 - wire) + LAUNCHES_WIRE * wire;
	double all = fabs(end / e.value - 1), samples;

	if (end <= 0)
		return INFINITY;
	launches = fmin(launches, all);
	samples = sqrt(all * all - launches * launches);
	return all > 0 ? hypot(DRIFT_FAR_SAMPLES * samples, DRIFT_FAR_LAUNCHES * launches) / all *
				 fabs(log(end / e.value))
		       : 0;
}

/* The least changes of p that count, if it was `before`; 0 where none does. */
static struct drift_seen least_of(const struct drift_point *p, struct estimate before,
				  struct estimate now)
{
	struct drift_seen seen = {0};

	if (!now.n || before.low <= 0 || now.value <= 0)
		return seen;
	if (now.low > 0)
		seen.longer =
			fmax(1 + DRIFT_SHARE,
			     exp(hypot(reach(p, before, before.high), reach(p, now, now.low))));
	seen.shorter = fmin(1 - DRIFT_SHARE,
			    exp(-hypot(reach(p, before, before.low), reach(p, now, now.high))));
	return seen;
}

/* Is it as much longer or shorter as counts? */
static int has_moved(const struct drift_point *p, struct estimate before, struct estimate now)
{
	const struct drift_seen least = least_of(p, before, now);
	double times = now.value / before.value;

	return (least.longer > 0 && times > least.longer) ||
	       (least.shorter > 0 && times < least.shorter);
}

int drift_cores_are_alike(struct estimate before, struct estimate now)
{
	return !before.n || !now.n || fabs(now.value - before.value) <= CORES_SHARE * before.value;
}

/*
 * What processors take of a round trip is at most as many times as long as the cores are further
 * apart. While it was measured they may have been as far apart or as near as they ever were then:
 * so what it would have been then, as near to what it is now as that explains.
 */
static struct estimate elsewhere(const struct drift_point *p, const struct drift_cores *cores,
				 struct estimate cores_now, struct estimate now)
{
	struct estimate trip = p->before, before = cores->before;
	double own = trip.value - p->wire_s, times = (now.value - p->wire_s) / own;

	if (!before.n || !cores_now.n || before.low <= 0 || cores_now.low <= 0)
		return trip;
	times = fmin(times, fmax(1, cores_now.high / before.low));
	times = fmax(times, fmin(1, cores_now.low / before.high));
	return estimate_times((p->wire_s + times * own) / trip.value, trip);
}

void drift_cores_add(struct drift_cores *c, struct estimate now)
{
	c->now = now;
	if (!now.n)
		return;
	if (!c->ever.n)
		c->ever = now;
	if (fabs(now.value - c->before.value) > fabs(c->ever.value - c->before.value))
		c->ever.value = now.value;
	c->ever.low = fmin(c->ever.low, now.low);
	c->ever.high = fmax(c->ever.high, now.high);
}

/* Both sides may be woken up sooner or later than then: likewise. */
static struct estimate awoken(struct estimate trip, struct estimate now)
{
	double later = fmin(fmax(now.value - trip.value, -2 * DRIFT_WAKE_S), 2 * DRIFT_WAKE_S);

	return (struct estimate){trip.value + later, trip.low + later, trip.high + later, trip.n};
}

/* As long as before, where much more or less would have been seen. */
static int holds(const struct drift_point *p, struct estimate now)
{
	const struct drift_seen seen = least_of(p, p->before, now);
	double was = p->before.value;

	return fabs(now.value - was) <= DRIFT_SHARE * was && seen.longer > 0 &&
	       seen.longer <= DRIFT_TIMES && seen.shorter * DRIFT_TIMES >= 1;
}

enum drift_says drift_look(const struct drift_point *p, struct estimate now,
			   const struct drift_cores *cores)
{
	if (!now.n)
		return DRIFT_UNCLEAR;
	if (has_moved(p, p->before, now)) {
		if (now.value > p->before.value ? cores->busy : cores->was_busy)
			return DRIFT_UNCLEAR;
		if (!has_moved(p, elsewhere(p, cores, cores->now, now), now))
			return DRIFT_CORES;
		return cores->sleep && !has_moved(p, awoken(p->before, now), now) ? DRIFT_WAKES
										  : DRIFT_MOVED;
	}
	return holds(p, now) ? DRIFT_HOLDS : DRIFT_UNCLEAR;
}

void drift_add(struct drift_point *p, struct estimate now, const struct drift_cores *cores)
{
	enum drift_says says = drift_look(p, now, cores);

	if (drift_is_decided(p))
		return;
	if (says == DRIFT_MOVED && p->looks[DRIFT_MOVED] && is_another(now, p->now))
		p->looks[DRIFT_MOVED] = 0; /* not the same again: from here on */
	p->looks[says]++;
	if (!now.n && p->now.n) /* no time: what an earlier look found stands */
		return;
	if (says == DRIFT_MOVED || !p->looks[DRIFT_MOVED] || says == DRIFT_HOLDS)
		p->now = now;
}

struct drift_seen drift_seen(const struct drift_point *p)
{
	return least_of(p, p->before, p->now);
}

int drift_is_decided(const struct drift_point *p)
{
	const int *n = p->looks;

	return (n[DRIFT_HOLDS] && !n[DRIFT_MOVED]) || n[DRIFT_HOLDS] >= DRIFT_ALIKE ||
	       n[DRIFT_MOVED] >= DRIFT_ALIKE || n[DRIFT_UNCLEAR] >= DRIFT_ALIKE ||
	       n[DRIFT_WAKES] >= DRIFT_ALIKE || n[DRIFT_CORES] > DRIFT_ALIKE;
}

enum drift_says drift_verdict(const struct drift_point *p, const struct drift_cores *cores)
{
	const int *n = p->looks;

	if (n[DRIFT_MOVED] >= DRIFT_ALIKE)
		return has_moved(p, elsewhere(p, cores, cores->ever, p->now), p->now) ? DRIFT_MOVED
										      : DRIFT_CORES;
	if (n[DRIFT_HOLDS] >= DRIFT_ALIKE || (n[DRIFT_HOLDS] && !n[DRIFT_MOVED]))
		return DRIFT_HOLDS;
	if (n[DRIFT_MOVED] || n[DRIFT_UNCLEAR])
		return DRIFT_UNCLEAR;
	return n[DRIFT_CORES] ? DRIFT_CORES : n[DRIFT_WAKES] ? DRIFT_WAKES : DRIFT_UNCLEAR;
}
