/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a round trip counts as another than it was. */
#include "calibrate/moved.h"

#include "calibrate/launches.h"
#include "tests/fixtures/suite.h"

#include <math.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

static const struct drift_cores nothing_known;

static struct estimate about(double value, double half)
{
	return (struct estimate){value, value - half, value + half, 9};
}

/* Was 100 and is now so much, both with an interval of this half width. */
static int moved(double now, double half)
{
	struct drift_point p = {.bytes = 64, .before = about(100, half)};

	return drift_look(&p, about(now, half), &nothing_known) == DRIFT_MOVED;
}

static void test_moved_by_more_than_the_share(void)
{
	CU_ASSERT(!moved(105, 1)); /* the intervals differ, yet it is too little */
	CU_ASSERT(!moved(95, 1));
	CU_ASSERT(moved(120, 1));
	CU_ASSERT(moved(80, 1));
}

/* What a look says that was `before` and is `now`. */
static enum drift_says says(struct estimate before, struct estimate now)
{
	struct drift_point p = {.bytes = 64, .before = before};

	return drift_look(&p, now, &nothing_known);
}

static void test_moved_beyond_the_intervals(void)
{
	CU_ASSERT(!moved(120, 15));
	CU_ASSERT(!moved(80, 15));
	/* the one then is enough, and the one now */
	CU_ASSERT(says((struct estimate){100, 85, 125, 9}, about(120, 1)) != DRIFT_MOVED);
	CU_ASSERT(says(about(100, 1), (struct estimate){120, 95, 125, 9}) != DRIFT_MOVED);
}

static void test_moved_is_not_what_was_not_measured(void)
{
	CU_ASSERT(says(about(100, 1), (struct estimate){0, 0, 0, 0}) == DRIFT_UNCLEAR);
}

/* Intervals that a change to twice or half would be lost in are no "holds". */
static void test_moved_cannot_tell(void)
{
	CU_ASSERT(says(about(100, 1), about(100, 1)) == DRIFT_HOLDS);
	CU_ASSERT(says(about(100, 1), (struct estimate){105, 85, 130, 9}) == DRIFT_HOLDS);
	CU_ASSERT(says(about(100, 1), (struct estimate){3260, 90, 6000, 9}) == DRIFT_UNCLEAR);
	CU_ASSERT(says(about(100, 1), (struct estimate){100, 40, 120, 9}) == DRIFT_UNCLEAR);
	CU_ASSERT(says((struct estimate){100, 45, 150, 9}, about(100, 1)) == DRIFT_UNCLEAR);
	CU_ASSERT(says((struct estimate){100, -5, 150, 9}, about(100, 1)) == DRIFT_UNCLEAR);
	CU_ASSERT(says(about(100, 1), about(300, 10)) == DRIFT_MOVED);
}

/* What is another but not beyond the intervals is not known to hold, whatever their width. */
static void test_moved_or_hidden_by_the_intervals(void)
{
	CU_ASSERT(says(about(100, 28), about(130, 40)) == DRIFT_UNCLEAR);
	CU_ASSERT(says(about(100, 28), about(150, 42)) == DRIFT_UNCLEAR);
	CU_ASSERT(says(about(100, 10), about(115, 12)) == DRIFT_UNCLEAR);
	CU_ASSERT(says(about(100, 10), about(87, 9)) == DRIFT_UNCLEAR);
	CU_ASSERT(says(about(100, 10), about(105, 11)) == DRIFT_HOLDS);
	/* the same value, but twice as long would not have been seen */
	CU_ASSERT(says(about(100, 33), about(100, 33)) == DRIFT_UNCLEAR);
}

/* What the cores' distance may explain has not moved, what it cannot has. */
static void test_moved_or_only_the_cores(void)
{
	struct drift_point p = {.bytes = 0, .before = about(341, 27)};
	struct drift_cores far = {.before = about(94, 8), .now = about(490, 40)},
			   near = {.before = about(490, 40), .now = about(94, 8)};
	struct drift_cores alike = {.before = about(94, 8), .now = about(95, 8)};

	CU_ASSERT(drift_cores_are_alike(nothing_known.before, nothing_known.now));
	CU_ASSERT(drift_cores_are_alike(alike.before, alike.now));
	CU_ASSERT(!drift_cores_are_alike(far.before, far.now));
	CU_ASSERT(drift_look(&p, about(1200, 90), &alike) == DRIFT_MOVED);
	CU_ASSERT(drift_look(&p, about(1200, 90), &far) == DRIFT_CORES);
	CU_ASSERT(drift_look(&p, about(1200, 90), &near) == DRIFT_MOVED); /* the other way */
	CU_ASSERT(drift_look(&p, about(4000, 90), &far) == DRIFT_MOVED);  /* even more */
	CU_ASSERT(drift_look(&p, about(345, 27), &far) == DRIFT_HOLDS);
	CU_ASSERT(drift_look(&p, about(120, 9), &near) == DRIFT_CORES);
	CU_ASSERT(drift_look(&p, about(120, 9), &far) == DRIFT_MOVED);
}

/* Who sleeps is woken up later, or sooner; that is no more than so much whatever the size. */
static void test_moved_or_only_woken_later(void)
{
	struct drift_point p = {.bytes = 0, .before = about(24e-6, 3e-6)};
	const struct drift_cores asleep = {.sleep = 1};

	CU_ASSERT(drift_look(&p, about(97e-6, 9e-6), &nothing_known) == DRIFT_MOVED);
	CU_ASSERT(drift_look(&p, about(97e-6, 9e-6), &asleep) == DRIFT_WAKES);
	CU_ASSERT(drift_look(&p, about(500e-6, 9e-6), &asleep) == DRIFT_MOVED);
	p.before = about(10.2e-3, 0.8e-3);
	CU_ASSERT(drift_look(&p, about(17.5e-3, 0.8e-3), &asleep) == DRIFT_MOVED);
	p.before = about(97e-6, 9e-6);
	CU_ASSERT(drift_look(&p, about(24e-6, 3e-6), &asleep) == DRIFT_WAKES);
}

/* Longer on a busy machine tells nothing, shorter does; and the other way round if it was busy. */
static void test_moved_on_a_busy_machine(void)
{
	struct drift_point p = {.bytes = 0, .before = about(1.3e-6, 0.1e-6)};
	const struct drift_cores busy = {.busy = 1}, was = {.was_busy = 1};

	CU_ASSERT(drift_look(&p, about(16e-3, 2e-3), &busy) == DRIFT_UNCLEAR);
	CU_ASSERT(drift_look(&p, about(1.35e-6, 0.1e-6), &busy) == DRIFT_HOLDS);
	CU_ASSERT(drift_look(&p, about(0.8e-6, 0.1e-6), &busy) == DRIFT_MOVED);
	CU_ASSERT(drift_look(&p, about(0.8e-6, 0.1e-6), &was) == DRIFT_UNCLEAR);
	CU_ASSERT(drift_look(&p, about(2.6e-6, 0.1e-6), &was) == DRIFT_MOVED);
}

/* Is it another when it takes so many times as long as before, with the interval it has now? */
static int moved_to(const struct drift_point *p, double times)
{
	struct estimate now = estimate_times(times * p->before.value / p->now.value, p->now);

	return drift_look(p, now, &nothing_known) == DRIFT_MOVED;
}

static enum drift_says after(int n, const double now[])
{
	struct drift_point p = {.bytes = 64, .before = about(100, 8)};
	int i;

	for (i = 0; i < n; i++) {
		CU_ASSERT(!drift_is_decided(&p));
		drift_add(&p, about(now[i], 2), &nothing_known);
	}
	return drift_verdict(&p, &nothing_known);
}

/* One look that finds what the file says is enough; that it moved has to be seen twice alike. */
static void test_moved_by_several_looks(void)
{
	CU_ASSERT(after(1, (double[]){101}) == DRIFT_HOLDS);
	CU_ASSERT(after(1, (double[]){300}) == DRIFT_UNCLEAR);
	CU_ASSERT(after(2, (double[]){300, 305}) == DRIFT_MOVED);
	CU_ASSERT(after(2, (double[]){300, 101}) == DRIFT_UNCLEAR);
	CU_ASSERT(after(3, (double[]){300, 101, 102}) == DRIFT_HOLDS);
	CU_ASSERT(after(3, (double[]){300, 101, 300}) == DRIFT_UNCLEAR);
	CU_ASSERT(after(4, (double[]){300, 101, 300, 300}) == DRIFT_MOVED);
	CU_ASSERT(after(2, (double[]){300, 150}) == DRIFT_UNCLEAR); /* it is still moving */
	CU_ASSERT(after(3, (double[]){300, 150, 151}) == DRIFT_MOVED);
}

static void test_moved_by_looks_at_other_cores(void)
{
	struct drift_point p = {.bytes = 64, .before = about(100, 8)};
	const struct drift_cores far = {.before = about(94, 8), .now = about(490, 40)};
	int i;

	for (i = 0; i < DRIFT_ALIKE; i++) {
		drift_add(&p, about(300, 2), &far);
		CU_ASSERT(!drift_is_decided(&p));
		CU_ASSERT(drift_verdict(&p, &far) == DRIFT_CORES);
	}
	drift_add(&p, about(101, 2), &nothing_known);
	CU_ASSERT(drift_is_decided(&p));
	CU_ASSERT(drift_verdict(&p, &far) == DRIFT_HOLDS);
	CU_ASSERT_EQUAL(p.now.value, 101);
	p = (struct drift_point){.bytes = 64, .before = about(100, 8)};
	for (i = 0; i <= DRIFT_ALIKE; i++)
		drift_add(&p, about(300, 2), &far);
	CU_ASSERT(drift_is_decided(&p)); /* they stay there */
	CU_ASSERT(drift_verdict(&p, &far) == DRIFT_CORES);
}

/* One look in which they are nearer explains what another saw before it was noticed. */
static void test_moved_while_the_cores_did(void)
{
	struct drift_point p = {.bytes = 2304, .before = about(1010, 120)}, much = p, longer = p;
	struct drift_cores cores = {.before = about(490, 40)};
	int i;

	for (i = 0; i < DRIFT_ALIKE; i++) {
		drift_cores_add(&cores, about(490, 10));
		drift_add(&p, about(651, 60), &cores);
		drift_add(&much, about(50, 4), &cores);
		drift_add(&longer, about(2000, 60), &cores);
	}
	CU_ASSERT(drift_verdict(&p, &cores) == DRIFT_MOVED);
	drift_cores_add(&cores, about(94, 8));
	CU_ASSERT_EQUAL(cores.ever.value, 94);
	drift_cores_add(&cores, about(490, 10));
	CU_ASSERT_EQUAL(cores.ever.value, 94);
	CU_ASSERT(drift_cores_are_alike(cores.before, cores.now));
	CU_ASSERT(drift_verdict(&p, &cores) == DRIFT_CORES);
	CU_ASSERT(drift_verdict(&much, &cores) == DRIFT_MOVED);   /* even more */
	CU_ASSERT(drift_verdict(&longer, &cores) == DRIFT_MOVED); /* the other way */
}

/* What could have been seen is seen, and what is a little less is not. */
static void test_moved_by_the_least_that_is_seen(void)
{
	struct drift_point p = {.bytes = 64, .before = about(100, 8), .now = about(104, 10.4)};
	struct drift_seen seen = drift_seen(&p);

	CU_ASSERT_DOUBLE_EQUAL(log(seen.longer), 1.56 * hypot(log(1.08), log(0.9)), 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(log(seen.shorter), -1.56 * hypot(log(0.92), log(1.1)), 1e-9);
	CU_ASSERT(moved_to(&p, 1.01 * seen.longer));
	CU_ASSERT(!moved_to(&p, 0.99 * seen.longer));
	CU_ASSERT(moved_to(&p, 0.99 * seen.shorter));
	CU_ASSERT(!moved_to(&p, 1.01 * seen.shorter));
	p.before = about(100, 0.1);
	p.now = about(100, 0.1);
	CU_ASSERT_DOUBLE_EQUAL(drift_seen(&p).longer, 1.1, 1e-9); /* the share that is drift */
	CU_ASSERT_DOUBLE_EQUAL(drift_seen(&p).shorter, 0.9, 1e-9);
	p.now = about(100, 101);
	CU_ASSERT_EQUAL(drift_seen(&p).longer, 0); /* its interval has everything in it */
	p.now = (struct estimate){0};
	CU_ASSERT_EQUAL(drift_seen(&p).shorter, 0);
}

/* What launches are assumed to differ by counts for more than samples, of a wire's part too. */
static void test_moved_beyond_what_launches_differ_by(void)
{
	struct drift_point p = {
		.bytes = 64, .before = about(100, 10), .now = about(100, 6), .launch_share = 0.06};

	CU_ASSERT_DOUBLE_EQUAL(log(drift_seen(&p).longer),
			       hypot(hypot(1.56 * 8, 2.2 * 6) / 10 * log(1.1), 2.2 * log(0.94)),
			       1e-9);
	p.wire_s = 100;
	CU_ASSERT_DOUBLE_EQUAL(log(drift_seen(&p).longer),
			       hypot(hypot(1.56 * sqrt(100 - 6.25), 2.2 * 2.5) / 10 * log(1.1),
				     hypot(1.56 * sqrt(36 - 6.25), 2.2 * 2.5) / 6 * log(0.94)),
			       1e-9);
}

/* Simulated launches: each takes by chance another time, and so do its round trips. */
#define LAUNCHES 4000
#define TRIPS    100
#define TRIP_SD  0.2

static double normal(gsl_rng *r, double sd)
{
	return exp(gsl_ran_gaussian(r, sd));
}

static struct estimate measured(gsl_rng *r, double value)
{
	struct samples s = {0};
	struct estimate e;
	int i;

	for (i = 0; i < TRIPS; i++)
		samples_add(&s, value * normal(r, TRIP_SD));
	e = samples_median(&s);
	samples_release(&s);
	return e;
}

/* Of launches of whose pairs 95 % agree when each reaches as far as this share. */
static double launch_sd(double share)
{
	return 2 * share / 1.96 / M_SQRT2;
}

/*
 * Of launches whose pairs agree in 95 % by the share that is assumed, how many are said to have
 * moved in one of the points, when the machine takes `times` as long.
 */
static int said_to_have_moved(double share, double times)
{
	const double sd = launch_sd(share);
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	int i, k, look, n = 0;

	for (i = 0; i < LAUNCHES; i++) {
		int any = 0;

		for (k = 0; k < 3; k++) {
			double now = 100 * times * normal(r, sd);
			struct drift_point p = {.launch_share = share};

			p.before = launches_reach(measured(r, 100 * normal(r, sd)), share, INFINITY,
						  1);
			for (look = 0; look < 6 && !drift_is_decided(&p); look++)
				drift_add(&p, launches_reach(measured(r, now), share, INFINITY, 1),
					  &nothing_known);
			any |= drift_verdict(&p, &nothing_known) == DRIFT_MOVED;
		}
		n += any;
	}
	gsl_rng_free(r);
	return n;
}

/* An unchanged machine has moved in less than 1 of 100; one that did much is seen to have. */
static void test_moved_is_seldom_a_false_alarm(void)
{
	static const double share[] = {0.02, 0.07, 0.15, 0.28};
	size_t i;

	for (i = 0; i < sizeof(share) / sizeof(*share); i++) {
		double least =
			exp(DRIFT_FAR_LAUNCHES * hypot(log(1 + share[i]), log(1 - share[i])));
		double by_chance = exp(1.7 * M_SQRT2 * launch_sd(share[i]));

		CU_ASSERT(said_to_have_moved(share[i], 1) < LAUNCHES / 100);
		CU_ASSERT(said_to_have_moved(share[i], 1.15 * least * by_chance) > 0.95 * LAUNCHES);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_moved_by_more_than_the_share),
	SUITE_CASE(test_moved_beyond_the_intervals),
	SUITE_CASE(test_moved_is_not_what_was_not_measured),
	SUITE_CASE(test_moved_cannot_tell),
	SUITE_CASE(test_moved_or_hidden_by_the_intervals),
	SUITE_CASE(test_moved_or_only_the_cores),
	SUITE_CASE(test_moved_or_only_woken_later),
	SUITE_CASE(test_moved_on_a_busy_machine),
	SUITE_CASE(test_moved_by_several_looks),
	SUITE_CASE(test_moved_by_looks_at_other_cores),
	SUITE_CASE(test_moved_while_the_cores_did),
	SUITE_CASE(test_moved_by_the_least_that_is_seen),
	SUITE_CASE(test_moved_beyond_what_launches_differ_by),
	SUITE_CASE(test_moved_is_seldom_a_false_alarm),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("moved", tests);
}
