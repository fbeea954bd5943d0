/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate/calibrate_drift.h"

#include "analyze/machine/machine_file.h"
#include "calibrate/calibration.h"
#include "calibrate/drift.h"
#include "calibrate/turn.h"
#include "cmd/calibrate/calibrate_drift_file.h"
#include "cmd/calibrate/calibrate_drift_point.h"
#include "cmd/verbs.h"
#include "common/machine_schema.h"
#include "common/mpi_name.h"
#include "common/number.h"
#include "common/options.h"
#include "report/style.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Collective: the job's hosts as a machine file lists them, one a rank. *out is set on rank 0,
 * where it is the caller's, and NULL elsewhere. Returns 0, or -1 with *err set on every rank.
 */
static int hosts_of_job(int rank, json_t **out, struct err *err)
{
	struct place *all = turns_places(MPI_COMM_WORLD, err);
	int ranks, i;

	*out = NULL;
	if (!all)
		return -1;
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (rank == 0)
		*out = json_array();
	for (i = 0; *out && i < ranks; i++)
		json_array_append_new(*out, json_pack("{s:s, s:s}", "name", all[i].host, "cpu",
						      all[i].cpu));
	free(all);
	return 0;
}

/*
 * As the report refuses it: round trips of one machine or MPI say nothing about another's. *other
 * says of which hosts of the same kind it is, or nothing.
 */
static int check_user(const char *path, const json_t *machine, const json_t *hosts,
		      struct err *other, struct err *err)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", mpi[CALIBRATION_MPI] = "";
	const struct machine_user job = {"this job", mpi, hosts};
	struct err why;
	int length;

	MPI_Get_library_version(library, &length);
	mpi_name(library, sizeof(mpi), mpi);
	if (machine_file_fits(machine, &job, &why))
		return err_set(err, "%s is another machine's: %s", path, why.text);
	if (machine_file_has_hosts(machine, &job, &why))
		err_set(other, "%s is of another host: %s", path, why.text);
	return 0;
}

static int read_file(const char *path, const json_t *hosts, struct drift *d, struct err *other,
		     struct err *err)
{
	json_t *machine = machine_file_read(path, err);
	int ret;

	if (!machine)
		return -1;
	ret = check_user(path, machine, hosts, other, err) ||
			      calibrate_drift_file(machine, path, d, err)
		      ? -1
		      : 0;
	json_decref(machine);
	return ret;
}

static enum drift_says verdict_of(const struct drift_class *c, int i)
{
	return drift_verdict(&c->point[i], &c->cores);
}

/* Of a class: how many looks it took, and how far apart the cores were. */
static json_t *class_json(enum nearness n, const struct drift_class *c)
{
	json_t *class = json_pack("{s:s, s:i, s:f}", "class", nearness_name(n), "looks", c->looks,
				  "core_share", c->core_share);

	if (class && c->cores.before.n && c->cores.ever.n)
		json_object_set_new(class, "core_to_core",
				    json_pack("{s:f, s:f}", "before", c->cores.before.value, "now",
					      c->cores.ever.value));
	return class;
}

static void put_cores(const struct drift_class *c)
{
	if (!drift_cores_are_alike(c->cores.before, c->cores.ever))
		printf("  the two ranks' cores are not as far apart as then: a cache line takes %s "
		       "there\n  and back instead of %s; a virtual machine's are moved by its "
		       "host\n",
		       number_seconds(c->cores.ever.value).text,
		       number_seconds(c->cores.before.value).text);
}

static int is_measured(const struct drift_class *c)
{
	return c->known && c->present;
}

/* Is a class of the file among the ranks? */
static int is_any_measured(const struct drift *d)
{
	int n, any = 0;

	for (n = 0; n < NEAR_COUNT; n++)
		any |= is_measured(&d->class[n]);
	return any;
}

/* Of the measured classes, that of the busiest. */
static double least_core_share(const struct drift *d)
{
	double least = 1;
	int n;

	for (n = 0; n < NEAR_COUNT; n++)
		if (is_measured(&d->class[n]))
			least = fmin(least, d->class[n].core_share);
	return least;
}

static struct drift_tally count(const struct drift *d)
{
	struct drift_tally t = {{0}};
	int n, i;

	for (n = 0; n < NEAR_COUNT; n++)
		for (i = 0; i < DRIFT_POINTS && is_measured(&d->class[n]); i++)
			t.n[verdict_of(&d->class[n], i)]++;
	return t;
}

/* Less than what could be seen is no proof that nothing changed. */
static void put_unseen(const struct drift *d)
{
	double most = 1 + DRIFT_SHARE, share = 0;
	int n, i;

	for (n = 0; n < NEAR_COUNT; n++)
		for (i = 0; i < DRIFT_POINTS && is_measured(&d->class[n]); i++) {
			const struct drift_point *p = &d->class[n].point[i];
			double longer = drift_seen(p).longer;

			if (longer > most) {
				most = longer;
				share = p->launch_share;
			}
		}
	if (most > (1 + DRIFT_SHARE) * 1.001)
		printf("changes below that, to %.2f times as long, cannot be seen: launches on an\n"
		       "unchanged machine differ, each by %.0f %%, and both measurements have "
		       "their\nintervals\n",
		       most, share * 100);
}

static void print_text(const char *path, const struct drift *d, const struct drift_tally *t,
		       const struct err *other)
{
	double share = least_core_share(d);
	int n, i;

	if (*other->text)
		printf("%s\n", other->text);
	printf("%s: round trips, then and now\n"
	       "  %-7s %8s %8s %8s %7s  %-14s  %s\n",
	       path, "", "size", "then", "now", "change", "verdict", "a change is");
	for (n = 0; n < NEAR_COUNT; n++) {
		if (!is_measured(&d->class[n]))
			continue;
		for (i = 0; i < DRIFT_POINTS; i++)
			calibrate_drift_point_put(stdout, (enum nearness)n, &d->class[n].point[i],
						  verdict_of(&d->class[n], i));
		put_cores(&d->class[n]);
	}
	if (share < MACHINE_CORE_ENOUGH)
		printf("this machine is busy: who measured had a core for %.0f %% of the time "
		       "only\n",
		       share * 100);
	put_unseen(d);
	calibrate_drift_point_sum(stdout, t);
}

static void print_json(const char *path, const struct drift *d, const struct drift_tally *t,
		       const struct err *other)
{
	json_t *points = json_array(), *classes = json_array(), *root;
	int n, i;

	for (n = 0; n < NEAR_COUNT; n++) {
		if (!is_measured(&d->class[n]))
			continue;
		json_array_append_new(classes, class_json((enum nearness)n, &d->class[n]));
		for (i = 0; i < DRIFT_POINTS; i++)
			json_array_append_new(
				points,
				calibrate_drift_point_json((enum nearness)n, &d->class[n].point[i],
							   verdict_of(&d->class[n], i)));
	}
	root = json_pack("{s:s, s:s, s:f, s:i, s:i, s:f, s:o, s:o}", "schema", DRIFT_SCHEMA_VERSION,
			 "file", path, "spent_s", d->spent_s, "moved", t->n[DRIFT_MOVED],
			 "cannot_tell", calibrate_drift_point_untold(t), "core_share",
			 least_core_share(d), "classes", classes, "points", points);
	if (*other->text)
		json_object_set_new(root, "other_host", json_string(other->text));
	json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(root);
}

/* Were ranks off their cores, now or then? */
static int is_any_busy(const struct drift *d)
{
	int n, any = 0;

	for (n = 0; n < NEAR_COUNT; n++)
		any |= is_measured(&d->class[n]) &&
		       (d->class[n].cores.busy || d->class[n].cores.was_busy);
	return any;
}

/* Of how many round trips there is no sample. */
static int count_unmeasured(const struct drift *d)
{
	int n, i, unmeasured = 0;

	for (n = 0; n < NEAR_COUNT; n++)
		for (i = 0; i < DRIFT_POINTS && is_measured(&d->class[n]); i++)
			unmeasured += !d->class[n].point[i].now.n;
	return unmeasured;
}

/* Nothing moved, but it was not seen either that all holds. */
static int say_unclear(const char *path, const struct drift *d, const struct drift_tally *t,
		       struct err *err)
{
	if (count_unmeasured(d))
		return err_set(err,
			       "cannot tell whether %s still holds: there was no time to measure "
			       "%d of its round trips again%s",
			       path, count_unmeasured(d),
			       is_any_busy(d) ? ", this machine is busy, or the file was measured "
						"on a busy one"
					      : "");
	if (t->n[DRIFT_UNCLEAR])
		return err_set(
			err,
			"cannot tell whether %s still holds: %s. %d of the round trips may have "
			"changed by more than %.0f %%, or only seem to",
			path,
			is_any_busy(d) ? "this machine is busy, or the file was measured on a busy "
					 "one"
				       : "intervals are too wide, then or now",
			t->n[DRIFT_UNCLEAR], DRIFT_SHARE * 100);
	return err_set(err,
		       "cannot tell whether %s still holds: %d of the round trips are others, "
		       "which may be "
		       "because %s; try again",
		       path, t->n[DRIFT_CORES] + t->n[DRIFT_WAKES],
		       t->n[DRIFT_CORES]
			       ? "the ranks' cores are not as far apart as then"
			       : "ranks that sleep while they wait are not woken up as fast "
				 "as then");
}

int calibrate_drift(const char *path, struct err *err)
{
	struct drift d = {0};
	struct err other = {""};
	struct drift_tally t;
	json_t *hosts;
	int rank, ret = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (hosts_of_job(rank, &hosts, err))
		return -1;
	if (rank == 0)
		ret = read_file(path, hosts, &d, &other, err);
	json_decref(hosts);
	MPI_Bcast(&ret, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (ret || drift_measure(MPI_COMM_WORLD, &d, err))
		return -1;
	if (rank)
		return STATUS_OK;
	if (!is_any_measured(&d))
		return err_set(err,
			       "%s has nothing about ranks as near or far from each other as these",
			       path);
	t = count(&d);
	if (option_is_on(OPTION_JSON))
		print_json(path, &d, &t, &other);
	else
		print_text(path, &d, &t, &other);
	if (t.n[DRIFT_MOVED])
		return STATUS_FINDING;
	return calibrate_drift_point_untold(&t) ? say_unclear(path, &d, &t, err) : STATUS_OK;
}
