/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate/calibrate_json.h"

#include "calibrate/derived.h"
#include "cmd/calibrate/calibrate_conditions.h"
#include "cmd/calibrate/calibrate_contention.h"
#include "cmd/calibrate/calibrate_unidentified.h"
#include "common/machine_schema.h"
#include "config.h"

#include <time.h>

static json_t *bytes_or_null(uint64_t bytes)
{
	return bytes >= THRESHOLD_UNKNOWN ? json_null() : json_integer((json_int_t)bytes);
}

static json_t *fails(size_t bytes)
{
	return bytes ? json_integer((json_int_t)bytes) : json_null();
}

/* What the analysis reads. There is no number for a time below 0: the estimate beside it says. */
static json_t *usable(struct estimate e)
{
	return e.n && e.value > 0 ? json_real(e.value) : json_null();
}

/* What all launches of a job differ by is not measured in one. */
static json_t *launches_json(const struct launches *l)
{
	return json_pack("{s:s, s:f, s:f, s:f}", "origin", "assumed", "share", l->trip,
			 "overheads_share", l->overheads, "least_gap_share", l->least_gap);
}

static json_t *interval_json(struct estimate e)
{
	return json_pack("[f, f]", e.low, e.high);
}

/* The intervals before what launches differ by was added. */
static json_t *alone_json(const struct calibrated_alone *a)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "rtt", interval_json(a->rtt), "o_s",
			 interval_json(a->o_s), "o_r", interval_json(a->o_r), "expected",
			 interval_json(a->expected), "g", interval_json(a->g));
}

static json_t *points_json(const struct calibrated_direction *d)
{
	json_t *points = json_array(), *point;
	struct estimate sum;
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		const struct calibrated_size *z = &d->size[i];

		sum = derived_latency_and_gap(d, i);
		point = json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
				  "bytes", (json_int_t)z->bytes, "o_s_s", usable(z->o_s), "o_r_s",
				  usable(z->o_r), "o_r_expected_s", usable(z->expected), "g_s",
				  usable(z->g), "L_g_s", usable(sum), "o_s",
				  calibrate_estimate_json(z->o_s), "o_r",
				  calibrate_estimate_json(z->o_r), "expected",
				  calibrate_estimate_json(z->expected), "g",
				  calibrate_estimate_json(z->g), "L_g",
				  calibrate_estimate_json(sum), "rtt",
				  calibrate_estimate_json(z->rtt));
		json_object_set_new(point, "between_launches", launches_json(&z->launches));
		json_object_set_new(point, "this_launch", alone_json(&z->alone));
		if (d->saturated_s > 0)
			json_object_set_new(point, "g_saturated",
					    calibrate_estimate_json(d->saturated[i]));
		json_array_append_new(points, point);
	}
	return points;
}

/* What time or the number of samples did not suffice for, in words. */
static json_t *cut_json(const struct calibrated_direction *d)
{
	const uint32_t last = d->n - 1;
	json_t *list = json_array();

	if (d->cut & GAPS_CUT_SIZES)
		json_array_append_new(list, json_sprintf("no size above %llu B",
							 (unsigned long long)d->size[last].bytes));
	if (d->cut & GAPS_CUT_SAMPLES)
		json_array_append_new(list, json_string("intervals wider than wanted"));
	if (d->cut & GAPS_CUT_LEAST_GAP)
		json_array_append_new(list, json_string("g(0) less certain than wanted"));
	if (d->cut & GAPS_CUT_REFINING)
		json_array_append_new(
			list, json_string("no further sizes between those a line does not join"));
	if (d->cut & GAPS_CUT_FULL)
		json_array_append_new(list,
				      json_sprintf("%u sizes still wider than wanted with all the "
						   "samples that they may have",
						   d->full));
	if (d->thresholds.cut)
		json_array_append_new(list,
				      json_string("fewer and shorter looks for T1, T2 and K"));
	return list;
}

/* Who is off its core computes while messages wait, or move while others compute. */
static const char *why_no_progress(const struct calibrated_direction *d)
{
	if (d->core_share < MACHINE_CORE_ENOUGH)
		return "the machine was busy, who computed was not alone on its core";
	if (!d->thresholds.progress.n)
		return "what a large message takes alone is not identified";
	return NULL;
}

/* Why; of a busy machine's ranks one is often off its core when the other looks. */
static json_t *why_not_known(const struct calibrated_direction *d, const json_t *names)
{
	if (!json_array_size(names))
		return json_null();
	if (d->core_share < MACHINE_CORE_ENOUGH)
		return json_string("the machine was busy, no look had both ranks on their cores");
	return json_string(
		d->thresholds.cut ? "no look told it within the time: without --quick there is more"
				  : "no two looks said the same, or none had both ranks on their "
				    "cores");
}

/* Names of what no look could tell, which is not the same as none. */
static json_t *not_known_json(const struct calibrated_direction *d)
{
	const struct thresholds *t = &d->thresholds;
	json_t *names = json_array();
	int i;

	if (t->t1_bytes == THRESHOLD_UNKNOWN)
		json_array_append_new(names, json_string("t1_bytes"));
	if (t->t2_bytes == THRESHOLD_UNKNOWN)
		json_array_append_new(names, json_string("t2_bytes"));
	for (i = 0; i < CREDIT_SIZES; i++)
		if (credit_says(&t->credit[i], d->core_share < MACHINE_CORE_ENOUGH) ==
		    CREDIT_UNKNOWN)
			json_array_append_new(names, json_sprintf("K(%zu)", t->credit[i].bytes));
	if (why_no_progress(d))
		json_array_append_new(names, json_string("asynchronous_progress"));
	return names;
}

/* A number or none. */
static json_t *count_or_null(int n, int is_known)
{
	return is_known ? json_integer(n) : json_null();
}

/* Of a depth that is none there are the least and the most; why says unidentified. */
static json_t *credit_json(const struct credit *c, int busy)
{
	enum credit_says says = credit_says(c, busy);
	int is_one = says == CREDIT_FIXED || says == CREDIT_AT_LEAST, most = c->none ? 0 : c->most;

	return json_pack("{s:I, s:o, s:b, s:o, s:o, s:i}", "bytes", (json_int_t)c->bytes,
			 "messages", count_or_null(most, is_one), "at_least",
			 says == CREDIT_AT_LEAST || (says == CREDIT_VARIES && c->capped), "least",
			 count_or_null(c->least, c->looks > 0 && says != CREDIT_UNKNOWN), "most",
			 count_or_null(most, says != CREDIT_UNKNOWN), "looks", c->looks);
}

static json_t *credits_json(const struct calibrated_direction *d)
{
	json_t *credits = json_array();
	int i;

	for (i = 0; i < CREDIT_SIZES; i++)
		json_array_append_new(credits, credit_json(&d->thresholds.credit[i],
							   d->core_share < MACHINE_CORE_ENOUGH));
	return credits;
}

/* What a byte takes; nothing is known of it where only empty messages were measured. */
static json_t *per_byte(const struct calibrated_direction *d, double s)
{
	return derived_has_bytes(d) ? json_real(s) : json_null();
}

static json_t *derived_json(const struct calibrated_direction *d)
{
	struct derived_models m = derived_models(d);

	return json_pack("{s:{s:f, s:f, s:f}, s:{s:f, s:f, s:f, s:o}, s:{s:f, s:o}}", "logp", "L_s",
			 m.L_s, "o_s", m.o_s, "g_s", m.g_s, "loggp", "L_s", m.L_s, "o_s", m.o_s,
			 "g_s", m.g_s, "G_s_per_byte", per_byte(d, m.G_s_per_byte), "hockney",
			 "alpha_s", m.alpha_s, "beta_s_per_byte", per_byte(d, m.beta_s_per_byte));
}

static json_t *names_of(json_t *object)
{
	json_t *names = json_array(), *value;
	const char *name;

	json_object_foreach(object, name, value)
		json_array_append_new(names, json_string(name));
	return names;
}

static json_t *direction_json(const struct calibrated_direction *d)
{
	json_t *cut = cut_json(d), *not_known = not_known_json(d), *way;
	json_t *why = calibrate_unidentified_json(d);
	const char *no_progress = why_no_progress(d);
	int ran_out = (d->cut & ~GAPS_CUT_FULL) || d->thresholds.cut;

	way = json_pack(
		"{s:o, s:f, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:b, "
		"s:o, s:f, s:f}",
		"derived", derived_json(d), "core_share", d->core_share, "from", d->from, "to",
		d->to, "L", calibrate_estimate_json(d->L), "g0", calibrate_estimate_json(d->g0),
		"points", points_json(d), "unidentified", names_of(why), "t1_bytes",
		bytes_or_null(d->thresholds.t1_bytes), "t2_bytes",
		bytes_or_null(d->thresholds.t2_bytes), "credits", credits_json(d), "not_known",
		not_known, "asynchronous_progress",
		no_progress ? json_null() : json_real(d->thresholds.progress.value), "spent_s",
		d->spent_s, "time_ran_out", ran_out, "cut", cut, "saturation_s", d->saturated_s,
		"fast_s", d->fast_s);
	if (!way) {
		json_decref(why);
		return NULL;
	}
	json_object_set_new(way, "why_unidentified", why);
	json_object_set_new(way, "this_launch",
			    json_pack("{s:o, s:o}", "L", interval_json(d->L_alone), "g0",
				      interval_json(d->g0_alone)));
	json_object_set_new(way, "progress_why_not",
			    no_progress ? json_string(no_progress) : json_null());
	if (d->saturated_s > 0)
		json_object_set_new(way, "saturation_cut", json_integer(d->saturated_cut));
	json_object_set_new(way, "t1_fails_bytes", fails(d->thresholds.t1_step_bytes));
	json_object_set_new(way, "t2_fails_bytes", fails(d->thresholds.step_bytes));
	json_object_set_new(way, "why_not_known", why_not_known(d, not_known));
	if (d->cores.n)
		json_object_set_new(way, "core_to_core", calibrate_estimate_json(d->cores));
	return way;
}

static json_t *asymmetry_json(const struct calibrated_class *c)
{
	struct derived_asymmetry a = derived_asymmetry(c);

	if (a.ratio <= 0)
		return json_null();
	return json_pack("{s:I, s:f, s:b}", "bytes", (json_int_t)a.bytes, "ratio", a.ratio,
			 "beyond_intervals", a.beyond_intervals);
}

static json_t *eager_json(const struct thresholds *t)
{
	uint64_t eager = thresholds_eager(t);

	return eager == THRESHOLD_NONE ? json_integer((json_int_t)t->tried_bytes)
				       : bytes_or_null(eager);
}

static json_t *class_json(const struct calibrated_class *c)
{
	const struct calibrated_direction *d = &c->way[0];

	return json_pack("{s:o, s:i, s:f, s:f, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "L_s",
			 usable(d->L), "pairs", c->pairs, "spent_s",
			 c->way[0].spent_s + c->way[1].spent_s, "uncertainty",
			 derived_uncertainty(d), "samples",
			 (json_int_t)(d->n ? d->size[0].rtt.n * d->n : 0), "eager_bytes",
			 eager_json(&d->thresholds), "points", points_json(d), "derived",
			 derived_json(d), "asymmetry", asymmetry_json(c), "there",
			 direction_json(d), "back", direction_json(&c->way[1]));
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
	json_t *classes = json_object(), *root;
	time_t now = time(NULL);
	char date[32] = "", name[160];
	struct tm tm;
	int i;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	snprintf(name, sizeof(name), "%s, %d rank%s on %d host%s", c->plan.mpi, c->ranks,
		 c->ranks == 1 ? "" : "s", c->hosts, c->hosts == 1 ? "" : "s");
	for (i = 0; i < NEAR_COUNT; i++)
		if (c->class[i].present)
			json_object_set_new(classes, nearness_name((enum nearness)i),
					    class_json(&c->class[i]));
	root = json_pack(
		"{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:{s:b, s:f, s:f, s:f}, s:f, s:o, s:o}",
		"schema", MACHINE_SCHEMA_VERSION, "name", name, "generator",
		PACKAGE_NAME " " PACKAGE_VERSION, "mpi", c->plan.mpi, "measured_at", date, "ranks",
		c->ranks, "hosts", c->hosts, "host_list", hosts_json(c), "plan", "quick",
		c->plan.quick, "class_s", c->plan.class_s, "contention_s", c->plan.contention_s,
		"half_width", calibration_half_width(&c->plan), "spent_s", c->spent_s, "conditions",
		calibrate_conditions_json(c), "classes", classes);
	if (root && c->contention.ranks)
		json_object_set_new(root, "contention",
				    calibrate_contention_json(&c->contention, c->crowded));
	else if (root)
		json_object_set_new(root, "contention_why_not", calibrate_no_contention_json(c));
	if (root)
		json_object_set_new(root, "machines", json_integer(c->machines));
	if (root)
		json_object_set_new(root, "core_share", json_real(calibrate_core_share(c)));
	return root;
}
