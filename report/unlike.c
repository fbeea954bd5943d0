/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/unlike.h"

#include "common/number.h"
#include "common/wording.h"
#include "report/cut_short.h"
#include "report/pick.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Recorded shares of the rank time that differ by no more are the same. */
#define SHARE_APART 0.01

static int same_text(const json_t *a, const json_t *b, const char *path)
{
	return !strcmp(pick_text(a, path, ""), pick_text(b, path, ""));
}

__attribute__((format(printf, 2, 3))) static void doubt(json_t *list, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	json_array_append_new(list, json_vsprintf(format, args));
	va_end(args);
}

size_t unlike_program(const json_t *document, const char **name)
{
	const char *command = pick_text(document, "run.command", "");
	size_t end = strcspn(command, " "), at = end;

	while (at && command[at - 1] != '/')
		at--;
	*name = command + at;
	return end - at;
}

double unlike_ranks(const json_t *document)
{
	return pick_number(document, "run.ranks", 0.0) -
	       pick_number(document, "run.left_out_ranks", 0.0);
}

int unlike_same_program(const json_t *base, const json_t *new)
{
	const char *b, *n;
	size_t length = unlike_program(base, &b);

	return unlike_program(new, &n) == length && !strncmp(b, n, length);
}

/* What was run, where. */
static void doubt_runs(json_t *list, const json_t *base, const json_t *new)
{
	static const char *const paths[] = {"run.ranks", "run.nodes"};
	static const char *const nouns[] = {"ranks", "nodes"};
	const char *b_name, *n_name;
	int b_length = (int)unlike_program(base, &b_name),
	    n_length = (int)unlike_program(new, &n_name);
	size_t i;

	if (!unlike_same_program(base, new))
		doubt(list, "different programs: %.*s and %.*s", b_length > 100 ? 100 : b_length,
		      b_name, n_length > 100 ? 100 : n_length, n_name);
	else if (strcmp(b_name + b_length, n_name + n_length))
		doubt(list, "different options:%.130s and%.130s",
		      b_name[b_length] ? b_name + b_length : " none",
		      n_name[n_length] ? n_name + n_length : " none");
	for (i = 0; i < 2; i++) {
		double b = pick_number(base, paths[i], 0.0);
		double n = pick_number(new, paths[i], 0.0);

		if (b != n)
			doubt(list, "different numbers of %s: %.0f and %.0f", nouns[i], b, n);
	}
	if (!same_text(base, new, "run.mpi"))
		doubt(list, "different MPI: %.100s and %.100s", pick_text(base, "run.mpi", "?"),
		      pick_text(new, "run.mpi", "?"));
}

const char *unlike_unusable(const json_t *document)
{
	if (cut_short(document))
		return "did not finish";
	if (*pick_text(document, "run.lost", ""))
		return "has files that are missing or not whole";
	return NULL;
}

/* Which of the two did not get to its end, and all that is known of why. */
static void doubt_endings(json_t *list, const json_t *base, const json_t *new)
{
	const json_t *const runs[] = {base, new};
	static const char *const names[] = {"base", "new"};
	char text[80];
	size_t i;

	for (i = 0; i < 2; i++) {
		if (*pick_text(runs[i], "run.lost", ""))
			doubt(list, "the %s run is not whole: %s", names[i],
			      pick_text(runs[i], "run.lost", ""));
		if (!cut_short(runs[i]))
			continue;
		cut_short_text(runs[i], sizeof(text), text);
		doubt(list, "the %s run did not finish: %s", names[i],
		      *pick_text(runs[i], "run.ending", "") ? pick_text(runs[i], "run.ending", "")
							    : text);
	}
}

/* The options of recording that were given, as "--ranks=0-1 --start-off=1"; or none. */
static const char *options_text(const json_t *document, size_t size, char text[size])
{
	const char *name;
	json_t *value;
	struct wording w = wording_begin(size, text);

	json_object_foreach((json_t *)pick(document, "run.options"), name, value)
		wording_add(&w, "%s--%s=%s", w.used ? " " : "", name, json_string_value(value));
	return w.used ? text : "none";
}

static double left_out_of(const json_t *document)
{
	return pick_number(document, "run.left_out_ranks", 0.0);
}

static double recorded_of(const json_t *document)
{
	return pick_number(document, "run.recorded_share", 1.0);
}

int unlike_all_recorded(const json_t *document)
{
	return recorded_of(document) >= 1.0;
}

static int same_share(const json_t *base, const json_t *new)
{
	return unlike_all_recorded(base) == unlike_all_recorded(new) &&
	       fabs(recorded_of(base) - recorded_of(new)) <= SHARE_APART;
}

int unlike_same_recorded(const json_t *base, const json_t *new)
{
	return left_out_of(base) == left_out_of(new) && same_share(base, new);
}

/* What was recorded of it. Where that is less, less is found. */
static void doubt_recordings(json_t *list, const json_t *base, const json_t *new)
{
	const json_t *b = pick(base, "run.options"), *n = pick(new, "run.options");
	double b_left = left_out_of(base), n_left = left_out_of(new);
	char b_text[120], n_text[120];

	if (json_is_object(b) && json_is_object(n) && !json_equal(b, n))
		doubt(list, "recorded with different options: %s and %s",
		      options_text(base, sizeof(b_text), b_text),
		      options_text(new, sizeof(n_text), n_text));
	if (b_left != n_left)
		doubt(list,
		      "different ranks were recorded, %.0f of %.0f and %.0f of %.0f: what is not "
		      "recorded looks better",
		      pick_number(base, "run.ranks", 0.0) - b_left,
		      pick_number(base, "run.ranks", 0.0),
		      pick_number(new, "run.ranks", 0.0) - n_left,
		      pick_number(new, "run.ranks", 0.0));
	if (!same_share(base, new))
		doubt(list,
		      "different parts of the time of the recorded ranks were recorded, %s and %s: "
		      "what is not recorded looks better; the wall times compared are with "
		      "starting and ending MPI",
		      number_share(recorded_of(base)).text, number_share(recorded_of(new)).text);
	if (!*pick_text(base, "run.events_end", "") != !*pick_text(new, "run.events_end", ""))
		doubt(list, "the events of the %s run end before the program",
		      *pick_text(base, "run.events_end", "") ? "base" : "new");
}

/* How long at most a rank waited for nobody, without MPI's start and end if they are known, s. */
static double own_s(const json_t *document, const json_t *process)
{
	static const char *const others[] = {"parts.late_partner", "parts.collective_wait",
					     "parts.lock_wait", "parts.start_end"};
	size_t n = sizeof(others) / sizeof(others[0]) - !unlike_all_recorded(document);
	double rank = pick_number(process, "rank", -1.0);
	const json_t *row =
		rank < 0.0 ? NULL : json_array_get(pick(document, "ranks"), (size_t)rank);
	double s = pick_number(row, "wall_s", INFINITY);

	if (pick_number(row, "rank", -1.0) != rank)
		return INFINITY;
	for (size_t i = 0; i < n; i++)
		s -= pick_number(row, others[i], 0.0);
	return fmax(s, 0.0);
}

/*
 * Whoever waits for others loses nothing by having no core: many MPIs poll meanwhile, and give
 * their core away. What a run loses is in what its ranks do of their own, one after the other at
 * worst.
 */
double unlike_awaited_s(const json_t *document)
{
	const json_t *process;
	double most_s = 0.0, sum_s = 0.0;
	size_t i;

	json_array_foreach((json_t *)pick(document, "evidence.processes"), i, process) {
		double s = pick_number(process, "core_awaited_ns", 0.0) / 1e9;

		most_s = fmax(most_s, s);
		sum_s += fmin(s, own_s(document, process));
	}
	return fmin(fmin(most_s, sum_s), pick_number(document, "run.wall_s", 0.0));
}

static double awaited_share(const json_t *document)
{
	double wall_s = pick_number(document, "run.wall_s", 0.0);

	return wall_s > 0.0 ? unlike_awaited_s(document) / wall_s : 0.0;
}

/* From this share of a run on waits for a core are told. */
#define AWAITED_TOLD 0.05

/* Zero of all, of the cores that they used too: nobody could ask, as where ranks were killed. */
static int has_core_times(const json_t *document)
{
	const json_t *process;
	size_t i;

	json_array_foreach((json_t *)pick(document, "evidence.processes"), i, process)
		if (pick_number(process, "core_used_ns", 0.0) > 0.0 ||
		    pick_number(process, "core_awaited_ns", 0.0) > 0.0)
			return 1;
	return 0;
}

/* How many ranks have to share cores, and at most how many a core. */
struct crowd {
	double ranks, most;
};

static struct crowd crowd_of(const json_t *document)
{
	struct crowd x = {0.0, 1.0};
	const json_t *group;
	size_t i;

	json_array_foreach((json_t *)pick(document, "run.shared_cores"), i, group) {
		double n = pick_number(group, "count", 0.0);

		x.ranks += n;
		x.most = fmax(x.most, n / pick_number(group, "cores", INFINITY));
	}
	return x;
}

static const char *crowd_text(struct crowd x, size_t size, char text[size])
{
	if (x.ranks > 0.0)
		snprintf(text, size, "%.0f ranks share cores, up to %.3g to each", x.ranks, x.most);
	else
		snprintf(text, size, "no ranks share cores");
	return text;
}

/* Where they were bound, or what a quota left them. */
static void doubt_bindings(json_t *list, const json_t *base, const json_t *new)
{
	struct crowd b = crowd_of(base), n = crowd_of(new);
	char b_text[80], n_text[80];

	if (json_is_array(pick(base, "run.shared_cores")) &&
	    json_is_array(pick(new, "run.shared_cores")) &&
	    (b.ranks != n.ranks || b.most != n.most))
		doubt(list, "different cores: in the base run %s, in the new one %s",
		      crowd_text(b, sizeof(b_text), b_text), crowd_text(n, sizeof(n_text), n_text));
}

static void doubt_cores(json_t *list, const json_t *base, const json_t *new)
{
	double b = awaited_share(base), n = awaited_share(new);

	if (fmax(b, n) < AWAITED_TOLD)
		return;
	if (!has_core_times(base) || !has_core_times(new))
		doubt(list,
		      "waiting for cores may be up to %s of the %s run, of the other that is not "
		      "known: how long a run takes then is not its program's doing alone",
		      number_share(fmax(b, n)).text, b > n ? "base" : "new");
	else
		doubt(list,
		      "waiting for cores may be up to %s of the base run and %s of the new one: "
		      "how long a run takes then is not its program's doing alone",
		      number_share(b).text, number_share(n).text);
}

json_t *unlike_list(const json_t *base, const json_t *new)
{
	json_t *list = json_array();

	doubt_endings(list, base, new);
	doubt_runs(list, base, new);
	doubt_recordings(list, base, new);
	doubt_bindings(list, base, new);
	doubt_cores(list, base, new);
	if (!same_text(base, new, "machine.source"))
		doubt(list, "machine parameters from different sources: %s and %s",
		      pick_text(base, "machine.source", "?"),
		      pick_text(new, "machine.source", "?"));
	return list;
}
