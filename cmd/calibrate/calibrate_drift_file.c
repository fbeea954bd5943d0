/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate/calibrate_drift_file.h"

#include "calibrate/launches.h"
#include "calibrate/pair.h"
#include "common/machine_schema.h"

#include <math.h>

/* Where in the file we are, for the messages. */
struct place_in_file {
	const char *path, *mpi, *class, *of;
};

static int take_number(const json_t *o, const char *key, struct place_in_file at, double *x,
		       struct err *err)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_number(v))
		return err_set(err, "%s: %s: \"%s\" of %s is %s", at.path, at.class, key, at.of,
			       v ? "not a number" : "missing");
	*x = json_number_value(v);
	return 0;
}

static int take_estimate(const json_t *o, struct place_in_file at, struct estimate *e,
			 struct err *err)
{
	double value, low, high, n;

	if (take_number(o, "value", at, &value, err) || take_number(o, "low", at, &low, err) ||
	    take_number(o, "high", at, &high, err) || take_number(o, "n", at, &n, err))
		return -1;
	if (n < 1 || n > 1e15)
		return err_set(err, "%s: %s: \"n\" of %s is %g, not a number of samples", at.path,
			       at.class, at.of, n);
	if (value <= 0)
		return err_set(err, "%s: %s: \"value\" of %s is %g s, must be above 0", at.path,
			       at.class, at.of, value);
	if (low > value || high < value)
		return err_set(err,
			       "%s: %s: \"value\" of %s, %g s, is not from its \"low\" to its "
			       "\"high\", %g s to %g s",
			       at.path, at.class, at.of, value, low, high);
	*e = (struct estimate){value, low, high, (size_t)n};
	return 0;
}

/* above: the size before; below 0: there is none. */
static int take_size(const json_t *point, double above, struct place_in_file at, size_t *bytes,
		     struct err *err)
{
	double x;

	if (take_number(point, "bytes", at, &x, err))
		return -1;
	if (x < 0 || x > (double)PAIR_BYTES_MAX || x != (double)(size_t)x)
		return err_set(err,
			       "%s: %s: \"bytes\" of %s is %.12g, not a whole number from 0 "
			       "to %zu",
			       at.path, at.class, at.of, x, PAIR_BYTES_MAX);
	if (x <= above)
		return err_set(err, "%s: %s: \"bytes\" of %s, %g, is not above the one before",
			       at.path, at.class, at.of, x);
	*bytes = (size_t)x;
	return 0;
}

/* What launches differ by there; a file that does not say it has what is assumed. */
static int take_launch_share(const json_t *point, enum nearness near, struct place_in_file at,
			     size_t bytes, double *share, struct err *err)
{
	const json_t *o = json_object_get(point, "between_launches");

	*share = launches_assumed(at.mpi, near, bytes).trip;
	at.of = "\"between_launches\"";
	if (o && take_number(o, "share", at, share, err))
		return -1;
	return *share >= 0 ? 0
			   : err_set(err, "%s: %s: \"share\" of %s is %g, must not be below 0",
				     at.path, at.class, at.of, *share);
}

/* By launches that differ so much twice as long is not told, however well it is measured. */
static int tells_nothing(double share)
{
	return share >= 1 ||
	       DRIFT_FAR_LAUNCHES * hypot(log(1 + share), log(1 - share)) > log(DRIFT_TIMES);
}

/*
 * How far a size is from the middle between one byte and the last size, as sizes grow by factors.
 */
static double off_middle(size_t bytes, size_t last)
{
	return fabs(log((double)bytes) - log((double)last) / 2);
}

/* The size nearest to the middle, neither first nor last, that can tell something, if one can. */
static size_t choose_middle(const size_t bytes[], const double share[], size_t n)
{
	size_t best = 1, i;

	for (i = 2; i < n - 1; i++) {
		int worse = tells_nothing(share[i]) - tells_nothing(share[best]);

		if (worse < 0 || (worse == 0 && off_middle(bytes[i], bytes[n - 1]) <
							off_middle(bytes[best], bytes[n - 1])))
			best = i;
	}
	return best;
}

/* All sizes of a class; its points are the first one, one in the middle and the last one. */
static int take_points(const json_t *points, enum nearness near, struct place_in_file at,
		       struct drift_class *c, struct err *err)
{
	size_t n = json_array_size(points), chosen[DRIFT_POINTS], i, k;
	struct estimate rtt[GAPS_SIZES_MAX];
	double share[GAPS_SIZES_MAX];

	if (n < DRIFT_POINTS)
		return 0;
	if (n > GAPS_SIZES_MAX)
		return err_set(err, "%s: %s: \"points\" has %zu points, more than %d", at.path,
			       at.class, n, GAPS_SIZES_MAX);
	at.of = "a point";
	for (i = 0; i < n; i++) {
		const json_t *p = json_array_get(points, i);
		double above = i ? (double)c->size[i - 1] : -1;

		if (take_size(p, above, at, &c->size[i], err) ||
		    take_estimate(json_object_get(p, "rtt"),
				  (struct place_in_file){at.path, at.mpi, at.class, "\"rtt\""},
				  &rtt[i], err) ||
		    take_launch_share(p, near, at, c->size[i], &share[i], err))
			return -1;
		c->trip_s[i] = rtt[i].value;
	}
	chosen[0] = 0;
	chosen[1] = choose_middle(c->size, share, n);
	chosen[2] = n - 1;
	for (k = 0; k < DRIFT_POINTS; k++)
		c->point[k] = (struct drift_point){.bytes = c->size[chosen[k]],
						   .before = rtt[chosen[k]],
						   .launch_share = share[chosen[k]]};
	c->n = n;
	c->known = 1;
	return 0;
}

/* What the round trips depended on, as far as the file says. */
static int take_cores(const json_t *way, struct place_in_file at, struct drift_class *c,
		      struct err *err)
{
	const json_t *cores = json_object_get(way, "core_to_core");
	double share = 1;

	at.of = "\"there\"";
	if (json_object_get(way, "core_share") && take_number(way, "core_share", at, &share, err))
		return -1;
	if (share < 0 || share > 1)
		return err_set(err, "%s: %s: \"core_share\" is %g, not a share from 0 to 1",
			       at.path, at.class, share);
	c->cores.was_busy = share < MACHINE_CORE_ENOUGH;
	at.of = "\"core_to_core\"";
	return cores ? take_estimate(cores, at, &c->cores.before, err) : 0;
}

int calibrate_drift_file(const json_t *machine, const char *path, struct drift *d, struct err *err)
{
	const json_t *classes = json_object_get(machine, "classes"), *way;
	const char *mpi = json_string_value(json_object_get(machine, "mpi"));
	int i, known = 0;

	for (i = 0; i < NEAR_COUNT; i++) {
		struct place_in_file at = {path, mpi ? mpi : "", nearness_name((enum nearness)i),
					   ""};

		way = json_object_get(json_object_get(classes, at.class), "there");
		if (take_points(json_object_get(way, "points"), (enum nearness)i, at, &d->class[i],
				err) ||
		    take_cores(way, at, &d->class[i], err))
			return -1;
		known += d->class[i].known;
	}
	return known ? 0
		     : err_set(err, "%s: no round trips that calibrate measured, so no drift",
			       path);
}
