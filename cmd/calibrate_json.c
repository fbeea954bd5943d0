/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate_json.h"

#include "config.h"

#include <math.h>
#include <time.h>

/* { "value", "low", "high", "n" } */
static json_t *estimate_json(struct estimate e)
{
	return json_pack("{s:f, s:f, s:f, s:I}", "value", e.value, "low", e.low, "high", e.high,
			 "n", (json_int_t)e.n);
}

static json_t *bytes_or_null(uint64_t bytes)
{
	return bytes == THRESHOLD_NONE ? json_null() : json_integer((json_int_t)bytes);
}

/* Not below 0, which the analysis could not use; what was clipped is listed as unidentified. */
static double usable(struct estimate e)
{
	return e.value > 0 ? e.value : 0;
}

static json_t *points_json(const struct calibrated_direction *d)
{
	json_t *points = json_array();
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		const struct calibrated_size *z = &d->size[i];

		json_array_append_new(
			points,
			json_pack("{s:I, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "bytes",
				  (json_int_t)z->bytes, "o_s_s", usable(z->o_s), "o_r_s",
				  usable(z->o_r), "o_r_expected_s", usable(z->expected), "g_s",
				  usable(z->g), "o_s", estimate_json(z->o_s), "o_r",
				  estimate_json(z->o_r), "expected", estimate_json(z->expected),
				  "g", estimate_json(z->g), "rtt", estimate_json(z->rtt)));
	}
	return points;
}

/* Names of parameters that the measurement cannot tell from 0 or below. */
static json_t *unidentified_json(const struct calibrated_direction *d)
{
	json_t *names = json_array();
	char name[64];
	uint32_t i;

	if (!estimate_is_identified(d->L))
		json_array_append_new(names, json_string("L"));
	for (i = 0; i < d->n; i++) {
		if (estimate_is_identified(d->size[i].g))
			continue;
		snprintf(name, sizeof(name), "g(%llu)", (unsigned long long)d->size[i].bytes);
		json_array_append_new(names, json_string(name));
	}
	return names;
}

static json_t *credits_json(const struct thresholds *t)
{
	json_t *credits = json_array();
	int i;

	for (i = 0; i < CREDIT_SIZES; i++)
		json_array_append_new(credits, json_pack("{s:I, s:i, s:b}", "bytes",
							 (json_int_t)t->credit[i].bytes, "messages",
							 t->credit[i].messages, "at_least",
							 t->credit[i].capped));
	return credits;
}

/* The models that follow from pLogP (Kielmann 2000, table 1; Hockney through the ends). */
static json_t *derived_json(const struct calibrated_direction *d)
{
	const struct calibrated_size *one = &d->size[d->n > 1], *last = &d->size[d->n - 1];
	double o = (one->o_s.value + one->o_r.value) / 2;
	double L = d->L.value + one->g.value - one->o_s.value - one->o_r.value;
	double G = last->bytes ? last->g.value / (double)last->bytes : 0;

	return json_pack("{s:{s:f, s:f, s:f}, s:{s:f, s:f, s:f, s:f}, s:{s:f, s:f}}", "logp", "L_s",
			 L, "o_s", o, "g_s", one->g.value, "loggp", "L_s", L, "o_s", o, "g_s",
			 one->g.value, "G_s_per_byte", G, "hockney", "alpha_s",
			 d->size[0].rtt.value / 2, "beta_s_per_byte", G);
}

/* Relative half-width of the worst gap that counts: of the sizes that have one. */
static double uncertainty(const struct calibrated_direction *d)
{
	double worst = 0, w;
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		w = estimate_half_width(d->size[i].g);
		if (estimate_is_identified(d->size[i].g) && isfinite(w) && w > worst)
			worst = w;
	}
	return worst > 1 ? 1 : worst;
}

static json_t *direction_json(const struct calibrated_direction *d)
{
	return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:b, s:f, s:f}",
			 "from", d->from, "to", d->to, "L", estimate_json(d->L), "g0",
			 estimate_json(d->g0), "points", points_json(d), "unidentified",
			 unidentified_json(d), "t1_bytes", bytes_or_null(d->thresholds.t1_bytes),
			 "t2_bytes", bytes_or_null(d->thresholds.t2_bytes), "credits",
			 credits_json(&d->thresholds), "asynchronous_progress",
			 d->thresholds.progress, "spent_s", d->spent_s, "time_ran_out", d->capped,
			 "saturation_s", d->saturated_s, "fast_s", d->fast_s);
}

static json_t *class_json(const struct calibrated_class *c)
{
	const struct calibrated_direction *d = &c->way[0];
	uint64_t eager = d->thresholds.t2_bytes;
	json_t *class = json_pack("{s:f, s:f, s:I, s:o, s:o, s:o, s:o}", "L_s", usable(d->L),
				  "uncertainty", uncertainty(d), "samples",
				  (json_int_t)(d->n ? d->size[0].rtt.n * d->n : 0), "points",
				  points_json(d), "derived", derived_json(d), "there",
				  direction_json(d), "back", direction_json(&c->way[1]));

	json_object_set_new(class, "eager_bytes",
			    json_integer(eager == THRESHOLD_NONE
						 ? (json_int_t)d->thresholds.tried_bytes
						 : (json_int_t)eager));
	return class;
}

/* Whose figures these are: the analysis compares them with a run's. */
static json_t *hosts_json(const struct calibration *c)
{
	json_t *hosts = json_array();
	int i;

	for (i = 0; i < c->hosts; i++)
		json_array_append_new(hosts,
				      json_pack("{s:s, s:s, s:i}", "name", c->host[i].name, "cpu",
						c->host[i].cpu, "ranks", c->host[i].ranks));
	return hosts;
}

json_t *calibrate_json(const struct calibration *c)
{
	json_t *classes = json_object(), *conditions = json_array(), *root;
	time_t now = time(NULL);
	char date[32] = "", name[160];
	struct tm tm;
	int i;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	snprintf(name, sizeof(name), "%s, %d rank%s on %d host%s", c->mpi, c->ranks,
		 c->ranks == 1 ? "" : "s", c->hosts, c->hosts == 1 ? "" : "s");
	for (i = 0; i < NEAR_COUNT; i++)
		if (c->class[i].present)
			json_object_set_new(classes, nearness_name((enum nearness)i),
					    class_json(&c->class[i]));
	if (c->crowded)
		json_array_append_new(
			conditions,
			json_string(
				"more ranks than cores on a host: overheads, the time that "
				"messages wait for their receiver and the test for asynchronous "
				"progress mean little"));
	root = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:f, s:o, s:o}", "schema",
			 "contend-machine/1", "name", name, "generator",
			 PACKAGE_NAME " " PACKAGE_VERSION, "mpi", c->mpi, "measured_at", date,
			 "ranks", c->ranks, "hosts", c->hosts, "host_list", hosts_json(c),
			 "spent_s", c->spent_s, "conditions", conditions, "classes", classes);
	return root;
}
