/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the numbers can be trusted, and why not further: every doubt is a
 * sentence in "conditions" and may lower "confidence".
 */
#include "analyze/document_parts.h"
#include "analyze/ending.h"
#include "analyze/events_end.h"
#include "analyze/recording.h"
#include "analyze/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FASTER_MOST 0.05 /* messages faster than an idle machine: chance, clocks */

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

static const char *const confidence_names[] = {
	[CONFIDENCE_LOW] = "low",
	[CONFIDENCE_MEDIUM] = "medium",
	[CONFIDENCE_HIGH] = "high",
};

struct quality {
	enum confidence confidence;
	json_t *conditions;
};

/* Add a sentence; confidence is at most what it allows. */
__attribute__((format(printf, 3, 4))) static void doubt(struct quality *q, enum confidence at_most,
							const char *format, ...)
{
	char text[320];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_array_append_new(q->conditions, document_text(text));
	if (at_most < q->confidence)
		q->confidence = at_most;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void judge_machine(struct quality *q, const struct analysis *a)
{
	static const char *const where[] = {
		[LOCALITY_NODE] = "within a node",
		[LOCALITY_NETWORK] = "between nodes",
	};
	uint32_t messages[LOCALITY_COUNT] = {0};
	uint32_t i;
	int k;

	for (i = 0; i < a->messages->n; i++) {
		const struct message *m = &a->messages->m[i];

		messages[machine_locality(a->trace, m->src, m->dst)]++;
	}
	if (a->machine->source == MACHINE_SELF_CALIBRATED)
		doubt(q, CONFIDENCE_LOW,
		      "self-calibrated: the idle machine is estimated from this trace's own "
		      "fastest messages; contention that never lets up is missed");
	else if (machine_faster_share(a->machine, a->trace, a->messages) > FASTER_MOST)
		doubt(q, CONFIDENCE_LOW,
		      "%.0f %% of the messages took less than half of what %s says that an idle "
		      "machine needs: it is another machine's or was measured on a busy one",
		      100 * machine_faster_share(a->machine, a->trace, a->messages),
		      a->machine->path);
	if (a->machine->passed_over)
		doubt(q, CONFIDENCE_LOW, "%s", a->machine->passed_over);
	if (a->machine->caveats)
		doubt(q, CONFIDENCE_MEDIUM, "%s was measured under conditions: %s",
		      a->machine->path, a->machine->caveats);
	for (k = 0; k < LOCALITY_COUNT; k++) {
		const struct machine_class *c = &a->machine->classes[k];

		if (messages[k] && !c->n)
			doubt(q, CONFIDENCE_LOW, "no machine parameters for the %u message%s %s",
			      messages[k], plural(messages[k]), where[k]);
		else if (messages[k] && c->uncertainty > 0.25)
			doubt(q, CONFIDENCE_MEDIUM,
			      "machine parameters %s are known to +-%.0f %% only", where[k],
			      c->uncertainty * 100.0);
		if (messages[k] && c->n && c->progress >= MACHINE_PROGRESSES)
			doubt(q, CONFIDENCE_HIGH,
			      "large messages %s move while both sides compute (asynchronous "
			      "progress): that somebody was inattentive to them is not certain",
			      where[k]);
		if (messages[k] && c->crowding > 0)
			doubt(q, CONFIDENCE_LOW,
			      "no message %s was seen alone (ranks shared cores, or all sent at "
			      "once): latency and gap may be up to %.1f times what is taken for "
			      "the idle machine's",
			      where[k], 1 + c->crowding);
	}
}

static void judge_clock(struct quality *q, const struct analysis *a)
{
	const struct clock_quality *c = a->clock;
	int64_t mean_ns = 0;
	const json_t *node;
	size_t i;

	if (a->messages->n)
		mean_ns = a->attribution->blame.total_ns / a->messages->n;
	if (c->violations)
		doubt(q, CONFIDENCE_MEDIUM,
		      "%u message%s seemed to arrive before being sent; the clock%s of %u node%s "
		      "shifted",
		      c->violations, plural(c->violations), plural(c->moved_nodes), c->moved_nodes,
		      c->moved_nodes == 1 ? " was" : "s were");
	json_array_foreach(json_object_get(json_object_get(a->run ? a->run->meta : NULL, "clock"),
					   "nodes"),
			   i, node)
		if (json_integer_value(json_object_get(node, "steps")) > 0)
			doubt(q, CONFIDENCE_MEDIUM,
			      "the clock of node %zu was set, by %s at least once, or stood "
			      "still while the job ran",
			      i,
			      words_seconds(
				      (double)json_integer_value(json_object_get(node, "step_ns")) /
				      NS_PER_S)
				      .text);
	if (mean_ns && c->error_ns > mean_ns / 10)
		doubt(q, CONFIDENCE_MEDIUM,
		      "clocks of different nodes agree to %s, a message takes %s on "
		      "average: "
		      "shorter network delays are not told apart",
		      words_seconds((double)c->error_ns / NS_PER_S).text,
		      words_seconds((double)mean_ns / NS_PER_S).text);
}

/* Recorded from MPI_Init to MPI_Finalize, or to nothing, without a call in between? */
static int is_left_out(const struct trace *t, uint32_t r)
{
	const struct rank *rank = &t->ranks[r];
	uint32_t i;

	for (i = rank->first_call; i < rank->first_call + rank->calls; i++)
		if (trace_call_kind(t, i) != REGION_INIT &&
		    trace_call_kind(t, i) != REGION_FINALIZE)
			return 0;
	return trace_paused_ns(t, r) > 0;
}

uint32_t document_left_out(const struct analysis *a)
{
	uint32_t n = 0, r;

	for (r = 0; r < a->trace->n_ranks; r++)
		n += (uint32_t)is_left_out(a->trace, r);
	return n;
}

/* What was asked not to be recorded. */
static void judge_pauses(struct quality *q, const struct analysis *a)
{
	double share = document_recorded_share(a);
	uint32_t left_out = document_left_out(a);
	char end[300];

	events_end_text(a->run, sizeof(end), end);
	if (*end)
		doubt(q, CONFIDENCE_HIGH, "%s", end);
	else if (share < 1.0)
		doubt(q, CONFIDENCE_HIGH,
		      "%.3g %% of rank time was recorded and is what all shares are of; the rest "
		      "was left out (--start-off, --ranks, MPI_Pcontrol), and imbalance is not "
		      "looked for",
		      share * 100.0);
	if (left_out)
		doubt(q, left_out < a->trace->n_ranks ? CONFIDENCE_HIGH : CONFIDENCE_LOW,
		      "nothing was recorded of %u of the %u ranks: what passed between them and "
		      "the others is not analyzed",
		      left_out, a->trace->n_ranks);
	if (a->messages->one_ended)
		doubt(q, CONFIDENCE_HIGH,
		      "%u of the sends and receives have their other end in a pause and are left "
		      "out of the messages",
		      a->messages->one_ended);
}

static void judge_messages(struct quality *q, const struct analysis *a)
{
	const struct messages *m = a->messages;
	uint64_t unmatched = (uint64_t)m->unmatched_sends + m->unmatched_recvs;

	if (unmatched)
		doubt(q,
		      unmatched > m->n         ? CONFIDENCE_LOW
		      : unmatched * 100 > m->n ? CONFIDENCE_MEDIUM
					       : CONFIDENCE_HIGH,
		      "%u send%s and %u receive%s have no partner in the trace and are left out",
		      m->unmatched_sends, plural(m->unmatched_sends), m->unmatched_recvs,
		      plural(m->unmatched_recvs));
	if (m->ambiguous)
		doubt(q, CONFIDENCE_MEDIUM,
		      "%u message%s of several threads on one channel: their order is a guess",
		      m->ambiguous, plural(m->ambiguous));
}

/* Does this function move data that no record of the trace stands for? */
static int is_unread(const struct region *r, int windows)
{
	const char *name = r->name;
	static const char *const begins[] = {"MPI_Put",        "MPI_Get_acc",     "MPI_Accumulate",
					     "MPI_Rput",       "MPI_Rget",        "MPI_Raccumulate",
					     "MPI_Fetch_and_", "MPI_Compare_and_"};
	size_t i;

	if (r->kind != REGION_MPI_LOCAL && r->kind != REGION_COLLECTIVE && r->kind != REGION_IO)
		return 0;
	if (!strncmp(name, "MPI_File", 8))
		return 1;
	if (windows)
		return 0;
	if (!strcmp(name, "MPI_Get") || !strcmp(name, "MPI_Get_c"))
		return 1;
	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return 1;
	return 0;
}

uint64_t document_unread_calls(const struct trace *t)
{
	int windows = document_has_windows(t);
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < t->n_calls; i++)
		n += (uint64_t)is_unread(&t->regions[t->calls[i].region], windows);
	return n;
}

/* Nobody shall take silence about them for an acquittal. */
static void judge_unread(struct quality *q, const struct analysis *a)
{
	uint64_t n = document_unread_calls(a->trace);

	if (n)
		doubt(q, CONFIDENCE_MEDIUM,
		      "%llu call%s of %s: only the time in them is known, not who waited for whom",
		      (unsigned long long)n, plural(n),
		      document_has_windows(a->trace) ? "file access"
						     : "one-sided communication or file access");
}

uint32_t document_fullest_node(const struct trace *t)
{
	uint32_t *ranks = calloc(t->nodes + 1, sizeof(*ranks));
	uint32_t most = 0;
	uint32_t r;

	for (r = 0; ranks && r < t->n_ranks; r++)
		if (t->ranks[r].node < t->nodes && ++ranks[t->ranks[r].node] > most)
			most = ranks[t->ranks[r].node];
	free(ranks);
	return most;
}

/* Between the nodes that exchanged messages; if none did, what the recorder measured. */
static int64_t clock_error_ns(const struct analysis *a)
{
	double measured = a->run ? run_number(a->run, "clock.error_ns", 0.0) : 0.0;
	int64_t shown = a->clock->error_ns;

	if (a->trace->nodes < 2)
		return 0;
	return shown > 0 ? shown : (int64_t)measured;
}

/* As the recorder has it, in run.json or, without one, in the archive. NAN: not known. */
static double recording_cost(const struct analysis *a)
{
	struct recording said;
	double archived = recording_of(a->trace, &said) ? said.share : NAN;

	return a->run ? run_number(a->run, "cost.share", archived) : archived;
}

static void judge_run(struct quality *q, const struct analysis *a)
{
	size_t unfinished =
		a->run ? json_array_size(json_object_get(a->run->meta, "unfinished")) : 0;
	char ending[400];
	double ranks = a->run ? run_number(a->run, "ranks", 0.0) : 0.0;
	uint32_t crowd = document_fullest_node(a->trace);
	double cores = a->run ? run_number(a->run, "cores", 0.0) : 0.0;
	double cost = recording_cost(a);

	ending_text(a->run, sizeof(ending), ending);
	if (!a->run || !a->run->meta)
		doubt(q, CONFIDENCE_HIGH, "recorded by another tool: no call sites, no run data");
	else if (unfinished)
		doubt(q, CONFIDENCE_HIGH,
		      "%zu rank%s did not reach MPI_Finalize (%s): the last moments may be missing",
		      unfinished, plural(unfinished), ending);
	if (ranks > a->trace->n_ranks)
		doubt(q, CONFIDENCE_LOW, "only %u of %.0f ranks were recorded", a->trace->n_ranks,
		      ranks);
	if (cores >= 1.0 && crowd > cores)
		doubt(q, CONFIDENCE_LOW,
		      "%u ranks of a node shared %.0f cores: waiting for a core looks like a busy "
		      "message handler",
		      crowd, cores);
	if (cost > 0.05)
		doubt(q, CONFIDENCE_MEDIUM, "recording itself took about %.0f %% of the wall time",
		      cost * 100.0);
}

static void judge_attribution(struct quality *q, const struct analysis *a)
{
	const struct view *v = &a->attribution->budget;
	int64_t communication = v->total_ns - v->parts[COST_compute].ns;
	double unknown = document_share(v->parts[COST_not_identifiable].ns,
					v->total_ns - v->parts[COST_compute].ns);

	if (unknown > 0.1 && communication > v->total_ns / 100)
		doubt(q, CONFIDENCE_MEDIUM,
		      "%.0f %% of the communication time cannot be attributed from what MPI calls "
		      "show",
		      unknown * 100.0);
}

/* What collectives take alone is a machine file's to say. */
static void judge_collectives(struct quality *q, const struct analysis *a)
{
	double share = document_share(a->attribution->budget.parts[COST_collective_transfer].ns,
				      a->attribution->budget.total_ns);

	if (share > 0.05 && a->machine->n_signatures == 0)
		doubt(q, CONFIDENCE_MEDIUM,
		      "how much of the %.0f %% of rank time in which collectives were at work is "
		      "contention is not known: contend calibrate with as many ranks measures what "
		      "they take alone",
		      share * 100.0);
}

/* MPI's start is nobody's communication, but in a short run it is most of the time. */
static void judge_start(struct quality *q, const struct analysis *a)
{
	const struct trace *t = a->trace;
	int64_t start_ns = 0;
	double share;
	uint32_t i;

	for (i = 0; i < t->n_calls; i++)
		if (trace_call_kind(t, i) == REGION_INIT)
			start_ns += t->calls[i].leave_ns - t->calls[i].enter_ns;
	share = document_share(start_ns, a->attribution->budget.total_ns);
	if (share > 0.1)
		doubt(q, CONFIDENCE_HIGH,
		      "%.0f %% of rank time is MPI_Init, counted as computation: a longer run says "
		      "more",
		      share * 100.0);
}

/* What counters beside the MPI calls tell. */
static void judge_evidence(struct quality *q, const struct analysis *a)
{
	json_t *sentences = document_evidence_sentences(a);

	if (sentences)
		json_array_extend(q->conditions, sentences);
	json_decref(sentences);
}

json_t *document_quality(const struct analysis *a)
{
	struct quality q = {CONFIDENCE_HIGH, json_array()};

	if (a->messages->n)
		judge_machine(&q, a);
	judge_clock(&q, a);
	judge_messages(&q, a);
	judge_pauses(&q, a);
	judge_run(&q, a);
	judge_attribution(&q, a);
	judge_collectives(&q, a);
	judge_start(&q, a);
	judge_unread(&q, a);
	judge_evidence(&q, a);
	return json_pack("{s:f, s:I, s:I, s:o, s:s, s:o}", "clock_error_s",
			 (double)clock_error_ns(a) / NS_PER_S, "clock_violations",
			 (json_int_t)a->clock->violations, "clock_moved_nodes",
			 (json_int_t)a->clock->moved_nodes, "recording_cost_share",
			 document_real(recording_cost(a)), "confidence",
			 confidence_names[q.confidence], "conditions", q.conditions);
}
