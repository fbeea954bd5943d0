/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the recorder saw beside the MPI calls (run.json's "evidence"), and what it means for
 * the numbers, in sentences.
 */
#include "analyze/document/document_parts.h"
#include "analyze/run/run_cores.h"
#include "common/number.h"
#include "common/wording.h"

#include <stdio.h>
#include <string.h>

/* Below this share of rank time that may be waiting for a core nothing is said of it. */
#define IN_DOUBT_MIN 0.0005

static const json_t *evidence_of(const struct analysis *a)
{
	const json_t *evidence = a->run ? json_object_get(a->run->meta, "evidence") : NULL;

	return json_is_object(evidence) ? evidence : NULL;
}

static double number(const json_t *row, const char *key)
{
	return json_number_value(json_object_get(row, key));
}

static int is_rank(double rank, const struct trace *t)
{
	return rank >= 0 && rank < t->n_ranks;
}

static int is_threaded(const struct trace *t, double rank)
{
	return is_rank(rank, t) && t->ranks[(uint32_t)rank].is_threaded;
}

/*
 * Nothing else in the report is of a rank that was left out. Copies: other sections read them too.
 */
static json_t *of_recorded(const json_t *processes, const struct trace *t)
{
	json_t *rows = json_array(), *row;
	size_t i;

	json_array_foreach((json_t *)processes, i, row) {
		double rank = number(row, "rank");

		if (!is_rank(rank, t) || !trace_is_left_out(t, (uint32_t)rank))
			json_array_append_new(rows, json_deep_copy(row));
	}
	return rows;
}

/* Counter: of how many rows it is. */
static json_t *rows_with(const json_t *rows)
{
	json_t *counts = json_object(), *row, *value;
	const char *counter;
	size_t i;

	json_array_foreach((json_t *)rows, i, row)
		json_object_foreach(row, counter, value) {
			json_int_t n = json_integer_value(json_object_get(counts, counter));

			if (json_is_number(value))
				json_object_set_new(counts, counter, json_integer(n + 1));
		}
	return counts;
}

/* Into missing what only some of these nodes or ranks, of which there are so many, have. */
static void add_partial(json_t *missing, const json_t *rows, size_t all, const char *noun)
{
	json_t *counts = rows_with(rows), *value;
	const char *counter;

	json_object_foreach(counts, counter, value) {
		size_t n = (size_t)json_integer_value(value);

		if (strcmp(counter, "rank") != 0 && n < all)
			json_object_set_new(missing, counter,
					    json_sprintf("of %zu of %zu %ss it is not known",
							 all - n, all, noun));
	}
	json_decref(counts);
}

/* Counter: of whom it is not known though it is of others. */
static json_t *partial(const struct analysis *a)
{
	const json_t *evidence = evidence_of(a);
	json_t *missing = json_object(),
	       *processes = of_recorded(json_object_get(evidence, "processes"), a->trace);

	add_partial(missing, json_object_get(evidence, "nodes"), a->trace->nodes, "node");
	add_partial(missing, processes, json_array_size(processes), "rank");
	json_decref(processes);
	return missing;
}

/* Of whom several threads call MPI: what is counted of them is all threads' together. */
static void add_threads(json_t *processes, const struct trace *t)
{
	json_t *row;
	size_t i;

	json_array_foreach(processes, i, row)
		if (is_threaded(t, number(row, "rank")))
			json_object_set_new(row, "several_threads", json_true());
}

json_t *document_evidence(const struct analysis *a)
{
	const json_t *evidence = evidence_of(a);
	json_t *copy = evidence ? json_deep_copy(evidence) : json_null(), *some;
	json_t *processes = json_object_get(copy, "processes");

	if (processes) {
		processes = of_recorded(processes, a->trace);
		add_threads(processes, a->trace);
		json_object_set_new(copy, "processes", processes);
	}
	if (evidence) {
		some = partial(a);
		json_object_update(json_object_get(copy, "missing"), some);
		json_decref(some);
	}
	return copy;
}

double document_sum_of(const json_t *rows, const char *key, const json_t **most)
{
	double sum = 0, best = 0, x;
	const json_t *row;
	size_t i;

	json_array_foreach((json_t *)rows, i, row) {
		x = json_number_value(json_object_get(row, key));
		sum += x;
		if (x > best) {
			best = x;
			*most = row;
		}
	}
	return sum;
}

/* The cores that a rank may use; NULL: not known. */
static const struct core_group *group_of(const struct trace *t, double rank)
{
	return is_rank(rank, t) ? core_groups_of(&t->core_groups, (uint32_t)rank) : NULL;
}

/* Why a rank was without a core, and what follows. */
static void why_taken(const struct trace *t, double rank, size_t n, char text[n])
{
	const struct core_group *g = group_of(t, rank);

	if (g && core_group_crowd(g) > 1)
		document_cores_text(t, g, n, text);
	else if (is_threaded(t, rank))
		snprintf(text, n,
			 "there are cores for all ranks, but perhaps not for all their threads, or "
			 "other processes want them too");
	else if (g && g->by == CORE_GROUP_SET && g->cores < g->of_node)
		snprintf(text, n,
			 "no other rank has to share the core%s that it may use (%.60s), but "
			 "other processes want %s too (another job that is bound there?)",
			 g->cores > 1 ? "s" : "", g->which, g->cores > 1 ? "them" : "it");
	else
		snprintf(text, n,
			 "there are cores for all ranks, but other processes want them too%s",
			 g && g->by == CORE_GROUP_SET ? "" : " or ranks are bound to the same");
}

static void say_awaited(json_t *sentences, const json_t *most, const struct analysis *a)
{
	const struct view *v = &a->attribution->budget;
	double in_doubt = document_share(a->attribution->awaited_ns, v->total_ns);
	const struct core_group *g = group_of(a->trace, number(most, "rank"));
	char why[320], text[640];
	int n;

	why_taken(a->trace, number(most, "rank"), sizeof(why), why);
	n = snprintf(text, sizeof(text),
		     "rank %.0f%s waited for a core for %s, %s of the run: %s%s",
		     number(most, "rank"),
		     is_threaded(a->trace, number(most, "rank")) ? "'s threads, all together," : "",
		     number_seconds(number(most, "core_awaited_ns") / NS_PER_S).text,
		     number_share(run_cores_awaited_share(a->run, most)).text, why,
		     g && core_group_crowd(g) > 1 /* it is said of that anyway */
			     ? ""
			     : ", and waiting for one looks like a busy message handler");
	if (in_doubt >= IN_DOUBT_MIN)
		snprintf(text + n, sizeof(text) - (size_t)n,
			 "; up to %.1f %% of rank time that is contention may be that",
			 100 * in_doubt);
	json_array_append_new(sentences, document_text(text));
}

/* The rank with most switches of those whose waits for a core the kernel does not tell; or NULL. */
static const json_t *most_switched(const json_t *processes)
{
	const json_t *row, *most = NULL;
	size_t i;

	json_array_foreach((json_t *)processes, i, row)
		if (!json_object_get(row, "core_awaited_ns") &&
		    (!most ||
		     number(row, "involuntary_switches") > number(most, "involuntary_switches")))
			most = row;
	return most;
}

static void say_processes(json_t *sentences, const json_t *processes, const struct analysis *a)
{
	double wall_s = run_number(a->run, "wall_s", 0);
	const json_t *most = NULL;
	char why[320], text[640];

	if (document_sum_of(processes, "core_awaited_ns", &most) > 0 &&
	    (run_cores_is_taken(a->run, most) ||
	     document_share(a->attribution->awaited_ns, a->attribution->budget.total_ns) >=
		     IN_DOUBT_MIN))
		say_awaited(sentences, most, a);
	most = most_switched(processes);
	if (!run_cores_is_taken(a->run, most))
		return;
	why_taken(a->trace, number(most, "rank"), sizeof(why), why);
	snprintf(text, sizeof(text),
		 "rank %.0f was taken off its core, or yielded it while MPI waited, %.0f times a "
		 "second: %s, and waiting for a core looks like a busy message handler",
		 number(most, "rank"), number(most, "involuntary_switches") / wall_s, why);
	json_array_append_new(sentences, document_text(text));
}

#define SEARCH_SHOWN 0.01 /* of the run, by a rank */

/* How long MPI was busy with its own queues. */
static void say_searches(json_t *sentences, const json_t *processes, const struct analysis *a)
{
	double wall_s = run_number(a->run, "wall_s", 0), most_s;
	double in_doubt =
		document_share(a->attribution->searched_ns, a->attribution->budget.total_ns);
	const json_t *most = NULL;
	char text[480];
	int n;

	document_sum_of(processes, "match_time_ns", &most);
	most_s = number(most, "match_time_ns") / NS_PER_S;
	if (wall_s <= 0 || (most_s < SEARCH_SHOWN * wall_s && in_doubt < IN_DOUBT_MIN))
		return;
	n = snprintf(text, sizeof(text),
		     "MPI searched its queues for %s in rank %.0f, %s of the run, and so handled "
		     "messages later: fewer of them would lie there if receives were posted "
		     "before, and in the order in which messages come",
		     number_seconds(most_s).text, number(most, "rank"),
		     number_share(most_s / wall_s).text);
	if (in_doubt >= IN_DOUBT_MIN)
		snprintf(text + n, sizeof(text) - (size_t)n,
			 "; up to %.1f %% of rank time that seems network contention may be that",
			 100 * in_doubt);
	json_array_append_new(sentences, document_text(text));
}

static void say_queues(json_t *sentences, const json_t *queues)
{
	const json_t *row, *worst = NULL;
	char text[320];
	size_t i;

	json_array_foreach((json_t *)queues, i, row) {
		const char *of = json_string_value(json_object_get(row, "queue"));

		if (of && !strcmp(of, "unexpected_messages") &&
		    (!worst || number(row, "mean") > number(worst, "mean")))
			worst = row;
	}
	if (!worst || number(worst, "mean") < 1)
		return;
	snprintf(text, sizeof(text),
		 "%s messages on average (at most %.0f) lay unexpected in rank %.0f's queue when "
		 "one "
		 "completed there: each is copied and searched for",
		 number_words(number(worst, "mean")).text, number(worst, "most"),
		 number(worst, "rank"));
	json_array_append_new(sentences, document_text(text));
}

/* Silence about them is no acquittal of the others. */
static void say_partial(json_t *sentences, const struct analysis *a)
{
	json_t *some = partial(a), *why;
	const char *counter;
	char text[400];
	struct wording w = wording_begin(sizeof(text), text);

	json_object_foreach(some, counter, why)
		wording_add(&w, "%s %s (%s)", w.used ? ";" : "not counted everywhere:", counter,
			    json_string_value(why));
	if (w.used)
		json_array_append_new(sentences, document_text(text));
	json_decref(some);
}

json_t *document_evidence_sentences(const struct analysis *a)
{
	const json_t *evidence = evidence_of(a);
	json_t *sentences = json_array(), *processes;

	if (!evidence || !sentences)
		return sentences;
	processes = of_recorded(json_object_get(evidence, "processes"), a->trace);
	document_say_network(sentences, json_object_get(evidence, "nodes"), a);
	say_processes(sentences, processes, a);
	say_searches(sentences, processes, a);
	say_queues(sentences, json_object_get(evidence, "queues"));
	say_partial(sentences, a);
	json_decref(processes);
	return sentences;
}
