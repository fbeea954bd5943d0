/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/moved.h"

#include <math.h>

/* Cores that differ by less are the same, or as near. */
#define CORES_SHARE 0.25

/* Is a beyond b, by more than noise? */
static int is_another(struct estimate a, struct estimate b)
{
	return fabs(a.value - b.value) > DRIFT_SHARE * b.value && estimates_differ(a, b);
}

/* What it takes to have moved, DRIFT_FAR: to shorter as many times as to longer. */
static struct estimate far(struct estimate now)
{
	double above = now.value - DRIFT_FAR * (now.high - now.value);

	now.low = now.value - DRIFT_FAR * (now.value - now.low);
	now.high = above > 0 ? now.value * now.value / above : INFINITY;
	return now;
}

int drift_cores_are_alike(struct estimate before, struct estimate now)
{
	return !before.n || !now.n || fabs(now.value - before.value) <= CORES_SHARE * before.value;
}

/*
 * All that a round trip takes is at most as many times as long as the cores are further apart, so
 * that is how far its interval then reaches. While it was measured they may have been as far apart
 * or as near as they ever were then.
 */
static struct estimate elsewhere(struct estimate trip, struct estimate before, struct estimate now)
{
	if (!before.n || !now.n || before.low <= 0 || now.low <= 0)
		return trip;
	trip.low *= fmin(1, now.low / before.high);
	trip.high *= fmax(1, now.high / before.low);
	return trip;
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

/* Both sides may be woken up sooner or later than then. */
static struct estimate awoken(struct estimate before)
{
	before.low -= 2 * DRIFT_WAKE_S;
	before.high += 2 * DRIFT_WAKE_S;
	return before;
}

/* The least changes that would have counted, with the intervals then and now. */
static struct drift_seen seen_from(struct estimate before, struct estimate found)
{
	const struct estimate now = far(found);
	struct drift_seen seen = {0};

	if (!now.n || before.low <= 0 || now.value <= 0)
		return seen;
	if (now.low > 0)
		seen.longer =
			fmax(1 + DRIFT_SHARE, before.high / before.value * (now.value / now.low));
	seen.shorter = fmin(1 - DRIFT_SHARE, before.low / before.value * (now.value / now.high));
	return seen;
}

/* As long as before, where much more or less would have been seen. */
static int holds(struct estimate before, struct estimate now)
{
	const struct drift_seen seen = seen_from(before, now);

	return fabs(now.value - before.value) <= DRIFT_SHARE * before.value && seen.longer > 0 &&
	       seen.longer <= DRIFT_TIMES && seen.shorter * DRIFT_TIMES >= 1;
}

enum drift_says drift_look(const struct drift_point *p, struct estimate now,
			   const struct drift_cores *cores)
{
	if (!now.n)
		return DRIFT_UNCLEAR;
	if (is_another(far(now), p->before)) {
		if (now.value > p->before.value ? cores->busy : cores->was_busy)
			return DRIFT_UNCLEAR;
		if (!estimates_differ(far(now), elsewhere(p->before, cores->before, cores->now)))
			return DRIFT_CORES;
		return cores->sleep && !estimates_differ(far(now), awoken(p->before)) ? DRIFT_WAKES
										      : DRIFT_MOVED;
	}
	return holds(p->before, now) ? DRIFT_HOLDS : DRIFT_UNCLEAR;
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
	return seen_from(p->before, p->now);
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
		return estimates_differ(far(p->now),
					elsewhere(p->before, cores->before, cores->ever))
			       ? DRIFT_MOVED
			       : DRIFT_CORES;
	if (n[DRIFT_HOLDS] >= DRIFT_ALIKE || (n[DRIFT_HOLDS] && !n[DRIFT_MOVED]))
		return DRIFT_HOLDS;
	if (n[DRIFT_MOVED] || n[DRIFT_UNCLEAR])
		return DRIFT_UNCLEAR;
	return n[DRIFT_CORES] ? DRIFT_CORES : n[DRIFT_WAKES] ? DRIFT_WAKES : DRIFT_UNCLEAR;
}
