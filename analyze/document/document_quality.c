/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the numbers can be trusted, and why not further: every doubt is a
 * sentence in "conditions" and may lower "confidence".
 */
#include "analyze/document/document_quality.h"
#include "analyze/attribution/recording.h"
#include "analyze/matching/dozes.h"
#include "analyze/run/run_cores.h"
#include "common/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const confidence_names[] = {
	[CONFIDENCE_LOW] = "low",
	[CONFIDENCE_MEDIUM] = "medium",
	[CONFIDENCE_HIGH] = "high",
};

static void lower(struct quality *q, enum confidence at_most)
{
	if (at_most < q->confidence)
		q->confidence = at_most;
}

void document_doubt(struct quality *q, enum confidence at_most, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	json_array_append_new(q->conditions, document_text(text ? text : "out of memory"));
	free(text);
	lower(q, at_most);
}

/* What cannot have been, by the clocks: of nodes, or where these have several of ranks. */
static void doubt_order(struct quality *q, const struct trace *t, const struct clock_quality *c)
{
	const char *what = c->violations ? "message" : "rank";
	const char *whose = t->clocks > t->nodes ? "rank" : "node";

	document_doubt(q, CONFIDENCE_MEDIUM,
		       "%u %s%s seemed to %s; the clock%s of %u %s%s shifted%s%s",
		       c->violations ? c->violations : c->early_leaves, what,
		       document_plural(c->violations ? c->violations : c->early_leaves),
		       c->violations ? "arrive before being sent"
				     : "leave a collective before all had entered it",
		       document_plural(c->moved_nodes), c->moved_nodes, whose,
		       c->moved_nodes == 1 ? " was" : "s were",
		       c->jumped    ? ", one of which jumped: it was set or stood still meanwhile"
		       : c->windows ? ", not always by the same: they drift"
				    : "",
		       c->jumped && !t->dated
			       ? ", or the archive lacks sends and receives of which "
				 "others took the place"
			       : "");
}

static void judge_clock(struct quality *q, const struct analysis *a)
{
	const struct clock_quality *c = a->clock;
	int64_t mean_ns = 0;
	const json_t *node;
	size_t i;

	if (a->messages->n)
		mean_ns = a->attribution->blame.total_ns / a->messages->n;
	if (c->violations || c->early_leaves)
		doubt_order(q, a->trace, c);
	json_array_foreach(json_object_get(json_object_get(a->run ? a->run->meta : NULL, "clock"),
					   "nodes"),
			   i, node)
		if (json_integer_value(json_object_get(node, "steps")) > 0)
			document_doubt(
				q, CONFIDENCE_MEDIUM,
				"the clock of node %zu was set, by %s at least once, or stood "
				"still while the job ran",
				i,
				number_seconds((double)json_integer_value(
						       json_object_get(node, "step_ns")) /
					       NS_PER_S)
					.text);
	if (c->drift_ns)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "clocks of two nodes %s by %s in this run, as the fastest messages "
			       "between them show: delays there are known only so well",
			       c->jumped ? "come apart" : "drift",
			       number_seconds((double)c->drift_ns / NS_PER_S).text);
	if (mean_ns && c->error_ns > mean_ns / 10)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "clocks of different nodes agree to %s, a message takes %s on "
			       "average: "
			       "shorter network delays are not told apart",
			       number_seconds((double)c->error_ns / NS_PER_S).text,
			       number_seconds((double)mean_ns / NS_PER_S).text);
}

/* What is known of the clocks within each part says nothing of those of another part. */
static void judge_parts(struct quality *q, const struct clock_parts *p)
{
	if (p->n < 2)
		return;
	document_doubt(q, CONFIDENCE_MEDIUM,
		       "no message or collective compares the clocks of %u parts of this run: when "
		       "something was in one of them is not known in another%s",
		       p->n,
		       p->moved ? "; by their clocks they did not even run at the same time, so "
				  "that they are shown as if they had begun together"
				: "");
}

/* Other recorders' clocks may be the processes' own. */
static void judge_clocks_of_ranks(struct quality *q, const struct trace *t)
{
	if (t->clocks > t->nodes)
		document_doubt(
			q, CONFIDENCE_MEDIUM,
			"ranks of one node have clocks of their own in this archive: how far "
			"those are apart only their messages show");
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

static void judge_attribution(struct quality *q, const struct analysis *a)
{
	const struct view *v = &a->attribution->budget;
	int64_t communication = view_communication_ns(v);
	double unknown = document_share(v->parts[COST_not_identifiable].ns, communication);

	if (unknown > 0.1 && communication > v->total_ns / 100)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "%.0f %% of the communication time cannot be attributed from what "
			       "MPI calls "
			       "show",
			       unknown * 100.0);
}

/* Time of the messages that one Waitall completed with others, none of which was seen to come. */
static int64_t together_ns(const struct analysis *a)
{
	const struct message *m = a->messages->m;
	int64_t sum = 0, took;
	uint32_t i, n;
	int is_dated;

	for (i = 0; i < a->messages->n; i += n) {
		took = is_dated = 0;
		for (n = 0; i + n < a->messages->n && m[i + n].recv_done == m[i].recv_done; n++) {
			took += m[i + n].done_ns - m[i + n].sent_ns;
			is_dated |= message_is_dated(a->trace, &m[i + n]);
		}
		if (n > 1 && !is_dated &&
		    trace_call_kind(a->trace, m[i].recv_done) == REGION_WAITALL)
			sum += took;
	}
	return sum;
}

/* Of those only the last is known to have come at the call's end. */
static void judge_together(struct quality *q, const struct analysis *a)
{
	const struct view *v = &a->attribution->blame;
	const struct part *p = &v->parts[COST_uncollected];
	double share = document_share(together_ns(a), v->total_ns);

	if (document_share(p->high_ns - p->low_ns, v->total_ns) > 0.1 && share > 0.1)
		document_doubt(
			q, CONFIDENCE_HIGH,
			"%.0f %% of the messages' time is that of messages which one MPI_Waitall "
			"completed with others: whether the network kept them or they waited for "
			"those is "
			"not known; contend record --split-waitall tells when each came",
			share * 100.0);
}

/* Of rank time; 0: little, or what they take alone is known. That is a machine file's to say. */
static double unknown_collectives(const struct analysis *a)
{
	double share = document_share(a->attribution->budget.parts[COST_collective_transfer].ns,
				      a->attribution->budget.total_ns);

	return share > 0.05 && a->machine->n_signatures == 0 ? share : 0;
}

void document_unknown_text(const struct analysis *a, size_t n, char text[n])
{
	double share = unknown_collectives(a);
	char b[16];

	*text = '\0';
	if (share > 0)
		snprintf(text, n,
			 "of the %s in which collectives were at work it is not known how much is "
			 "contention; ",
			 document_percent(b, share));
}

static void judge_collectives(struct quality *q, const struct analysis *a)
{
	double share = unknown_collectives(a);

	if (share > 0)
		document_doubt(
			q, CONFIDENCE_MEDIUM,
			"how much of the %.0f %% of rank time in which collectives were at work is "
			"contention is not known: contend calibrate with as many ranks measures "
			"what "
			"they take alone",
			share * 100.0);
}

/*
 * What counters beside the MPI calls tell. Where a rank was long without a core, others may have
 * waited for that.
 */
static void judge_evidence(struct quality *q, const struct analysis *a)
{
	json_t *sentences = document_evidence_sentences(a);
	int64_t longest_ns =
		a->trace->n_ranks ? run_cores_longest_without(a->trace)->core_awaited_ns : 0;

	if (sentences)
		json_array_extend(q->conditions, sentences);
	if (document_share(longest_ns, a->trace->wall_ns) >= DOCUMENT_AWAY)
		lower(q, CONFIDENCE_MEDIUM);
	json_decref(sentences);
}

/* Of sleep between polls the trace shows the polls alone: that it was sleep, the system says. */
static void judge_dozes(struct quality *q, const struct analysis *a)
{
	int64_t sum_ns = 0;
	uint32_t n = 0;
	double share;

	for (uint32_t k = 0; k < a->trace->n_ranks; k++) {
		int64_t ns = dozes_of_rank_ns(a->trace, &a->trace->ranks[k]);

		sum_ns += ns;
		n += ns > 0;
	}
	share = document_share(sum_ns, a->attribution->budget.total_ns);
	if (share >= 0.01)
		document_doubt(q, CONFIDENCE_HIGH,
			       "%u rank%s slept between polls that found nothing, for %.0f %% of "
			       "rank time: it counts as time in those polls",
			       n, document_plural(n), share * 100.0);
}

json_t *document_quality(const struct analysis *a)
{
	struct quality q = {CONFIDENCE_HIGH, json_array()};
	double cost = document_recording_cost(a);
	double finishing_s = a->run ? run_number(a->run, "cost.finishing_s", NAN) : NAN;
	struct recording_effect effect = recording_effect(cost, &a->attribution->budget);

	document_doubt_machine(&q, a);
	judge_clock(&q, a);
	judge_parts(&q, &a->clock->parts);
	judge_clocks_of_ranks(&q, a->trace);
	document_doubt_recording(&q, a);
	judge_attribution(&q, a);
	judge_together(&q, a);
	judge_collectives(&q, a);
	judge_dozes(&q, a);
	judge_evidence(&q, a);
	return json_pack("{s:f, s:f, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:s, s:o}", "clock_error_s",
			 (double)clock_error_ns(a) / NS_PER_S, "clock_drift_s",
			 (double)a->clock->drift_ns / NS_PER_S, "clock_pairs",
			 document_clock_pairs(a->trace), "clock_violations",
			 (json_int_t)a->clock->violations, "clock_moved_nodes",
			 (json_int_t)a->clock->moved_nodes, "recording_cost_share",
			 document_real(cost), "recording_cost_low", document_real(effect.least),
			 "recording_cost_high", document_real(effect.most), "finishing_s",
			 document_real(finishing_s), "confidence", confidence_names[q.confidence],
			 "conditions", q.conditions);
}
