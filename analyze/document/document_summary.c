/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict: what an owner of the job should know first, in words. It is part of
 * the document so that the text, the page and other programs say the same.
 */
#include "analyze/document/document_parts.h"
#include "analyze/document/events_end.h"
#include "analyze/run/ending.h"
#include "analyze/run/lost.h"
#include "analyze/run/run_cores.h"
#include "analyze/run/run_ends.h"
#include "analyze/standing/hanging.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of rank time. */
#define NEGLIGIBLE 0.01 /* contention below that is not worth anybody's work, */
#define MAY_BE     0.05 /* and that may be is worth a word from here on; */
#define LITTLE     0.02 /* below that communication itself is not */

#define WHOLE 0.995 /* of rank time: what is missing of it is in no percentage */
#define START 0.1   /* from this share of rank time on MPI's own start and end are worth a word, */
#define FILES 0.05  /* and access to files */

__attribute__((format(printf, 2, 3))) static void say(json_t *verdict, const char *format, ...)
{
	char text[HANGING_ROOM + 80];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_array_append_new(verdict, document_text(text));
}

/* The largest part of the communication, or -1 when there is none. */
static int largest_part(const struct view *v)
{
	int largest = -1;
	int c;

	for (c = 0; c < COST_COUNT; c++) {
		if (!cost_is_communication(c) || v->parts[c].ns <= 0)
			continue;
		if (largest < 0 || v->parts[c].ns > v->parts[largest].ns)
			largest = c;
	}
	return largest;
}

/* Of the run a rank was gone for so much. */
static double gone_share(const struct trace *t, uint32_t rank)
{
	return document_share(t->ranks[rank].gone_ns, t->wall_ns);
}

static json_t *gone_section(const struct trace *t)
{
	uint32_t gone = run_ends_first_gone(t);

	if (gone == TRACE_NONE)
		return json_null();
	return json_pack("{s:I, s:f, s:b}", "rank", (json_int_t)gone, "share", gone_share(t, gone),
			 "silent", t->ranks[gone].is_silent);
}

/* What the others wait for then is neither late nor without a core. */
static int say_gone(json_t *verdict, const struct analysis *a)
{
	uint32_t gone = run_ends_first_gone(a->trace);
	char b1[16];

	if (gone == TRACE_NONE)
		return 0;
	say(verdict,
	    "Rank %u %s for the last %s of the run: who waited then may have waited for it.", gone,
	    a->trace->ranks[gone].is_silent ? "gave no sign of life" : "was gone",
	    document_percent(b1, gone_share(a->trace, gone)));
	return 1;
}

/* What waits for cores may be part of: what was just said, or the run, of ranks that are bound. */
enum cores_of { CORES_OF_THIS, CORES_OF_RUN };

/* The system counts waits for cores of the whole run: they are no share of what was recorded. */
static void say_cores(json_t *verdict, const struct analysis *a, enum cores_of of)
{
	char who[320], advice[240] = "", b2[16], then[80];
	const struct core_group *worst = document_worst_cores(a->trace, sizeof(who), who);
	const struct rank *longest = run_cores_longest_without(a->trace);
	double share = document_share(longest->core_awaited_ns, a->trace->wall_ns);
	int is_whole = document_recorded_share(a) >= 1.0;

	document_cores_consequence(a, sizeof(then), then);
	if (worst) {
		document_cores_advice(a, worst, sizeof(advice), advice);
		who[0] = (char)toupper((unsigned char)who[0]);
		strncat(who, share > 0 ? " and" : "", sizeof(who) - strlen(who) - 1);
	} else {
		snprintf(who, sizeof(who), "Ranks%s", longest->is_threaded ? "' threads" : "");
	}
	if (share > 0 ? share < DOCUMENT_AWAY || (of == CORES_OF_RUN && !*advice)
		      : of == CORES_OF_RUN || !worst)
		return;
	if (share > 0)
		say(verdict, "%s were without a core for up to %s of the %s%s.", who,
		    document_percent(b2, share), is_whole ? "run" : "whole run, recorded or not",
		    of == CORES_OF_RUN ? "" : then);
	else /* not counted */
		say(verdict, "%s: much of this may be waiting for a core.", who);
	advice[0] = (char)toupper((unsigned char)advice[0]);
	if (*advice)
		say(verdict, "%s.", advice);
}

/* Is there nothing else in the communication, as far as the verdict counts? */
static int is_of_collectives(const struct analysis *a)
{
	const struct view *v = &a->attribution->budget;
	int64_t other_ns = view_communication_ns(v) - v->parts[COST_collective_wait].ns -
			   v->parts[COST_collective_transfer].ns -
			   v->parts[COST_network_contention].ns;

	if (!a->messages->n && !a->attribution->onesided.n)
		other_ns -= v->parts[COST_inattention].ns; /* of non-blocking ones then */
	return document_share(other_ns, v->total_ns) < NEGLIGIBLE;
}

/* How much of the total a part is: one number only where its bounds agree well enough. */
static const char *amount(char buffer[48], const struct part *p, int64_t total_ns)
{
	double low = document_share(p->low_ns, total_ns);
	double high = document_share(p->high_ns, total_ns);
	char b1[16], b2[16];

	if (p->high_ns - p->low_ns <= p->ns / 2)
		snprintf(buffer, 48, "%s", document_percent(b1, document_share(p->ns, total_ns)));
	else if (low < 0.0005)
		snprintf(buffer, 48, "at most %s", document_percent(b1, high));
	else
		snprintf(buffer, 48, "between %s and %s", document_percent(b1, low),
			 document_percent(b2, high));
	return buffer;
}

/* other: "other ", where contention was said before, or "". but: what is not known, or "". */
static void say_saving(json_t *verdict, double communication, const struct part *lost,
		       int64_t total_ns, const char *other, const char *but)
{
	double low = document_share(lost->low_ns, total_ns);
	double high = document_share(lost->high_ns, total_ns);
	char b1[16], b2[48];

	document_percent(b1, communication);
	if (low < 0.0005)
		say(verdict,
		    "Communication is %s of rank time; %sthere may be %scontention in %s (up to "
		    "%s), but the trace cannot prove any.",
		    b1, but, other, *but ? "the rest" : "it", document_percent(b2, high));
	else
		say(verdict,
		    "Communication is %s of rank time; %s%s could be saved without %scontention%s.",
		    b1, but, amount(b2, lost, total_ns), other, *but ? " in the rest" : "");
}

static void say_little(json_t *verdict, double communication, const struct part *lost,
		       int64_t total_ns, const char *but)
{
	const char *what = *but ? "of the rest" : "of it";
	double high = document_share(lost->high_ns, total_ns);
	char b1[16], b2[16], b3[16], much[60];

	document_percent(b2, document_share(lost->ns, total_ns));
	document_percent(b3, high);
	if (lost->ns <= 0)
		snprintf(much, sizeof(much), "at most %s of rank time", b3);
	else if (strcmp(b2, b3) != 0)
		snprintf(much, sizeof(much), "%s of rank time, at most %s", b2, b3);
	else
		snprintf(much, sizeof(much), "%s of rank time", b2);
	if (high < 0.0005)
		say(verdict, "Communication is %s of rank time; %snext to none %s is contention.",
		    document_percent(b1, communication), but, what);
	else
		say(verdict,
		    "Communication is %s of rank time; %stoo little %s is contention to matter "
		    "(%s).",
		    document_percent(b1, communication), but, what, much);
}

/* queue: of rank time, waiting in line for servers; then the rest is not said to be little. */
static void say_contention(json_t *verdict, const struct analysis *a, const struct part *lost,
			   double communication, double queue)
{
	const struct view *v = &a->attribution->budget;
	char b1[16], torn[180], but[100];

	document_unknown_text(a, sizeof(but), but);
	if (document_share(lost->ns, v->total_ns) >= NEGLIGIBLE ||
	    document_share(lost->high_ns, v->total_ns) >= MAY_BE)
		say_saving(verdict, communication, lost, v->total_ns,
			   queue >= NEGLIGIBLE ? "other " : "", but);
	else if (queue < NEGLIGIBLE && a->messages->n &&
		 document_torn_ends(a->messages) <= a->messages->n)
		say_little(verdict, communication, lost, v->total_ns, but);
	else
		say(verdict,
		    is_of_collectives(a) ? "Communication is %s of rank time, all of it "
					   "collectives."
					 : "Communication is %s of rank time.",
		    document_percent(b1, communication));
	if (document_torn_ends(a->messages) > a->messages->n) {
		document_torn_text(a, sizeof(torn), torn);
		say(verdict, "%s", torn);
	}
}

/* contention, queue: of rank time; who waits in line waits for a partner that comes late. */
static void say_largest(json_t *verdict, const struct analysis *a, double contention, double queue)
{
	const struct view *v = &a->attribution->budget;
	int largest = largest_part(v), is_perhaps;
	struct part known, *p = &known;
	char b[48];

	if (largest < 0)
		return;
	known = v->parts[largest];
	known.high_ns -= document_in_files_ns(v, largest); /* which say_rest() tells */
	if (document_share(p->high_ns, v->total_ns) < NEGLIGIBLE)
		return;
	is_perhaps = p->low_ns < p->ns / 10;
	if (!is_perhaps && cost_is_contention(largest) && contention >= NEGLIGIBLE)
		return;
	if (largest == COST_late_partner && queue > document_share(p->ns, v->total_ns) / 2)
		return;
	say(verdict, "The largest part of it, %s of rank time, is %s%s.", amount(b, p, v->total_ns),
	    is_perhaps && largest != COST_not_identifiable ? "perhaps " : "",
	    document_meaning(a, largest));
}

/* What may be behind the largest part. */
static void say_perhaps(json_t *verdict, const struct analysis *a)
{
	int is_by_turns = a->lateness && alone_is_by_turns(&a->lateness->alone);
	char b1[16];

	if (say_gone(verdict, a))
		return;
	if (is_by_turns)
		say(verdict,
		    "Ranks work one after the other: %s of the time%s only one of them computes.",
		    document_percent(b1, a->lateness->alone.share),
		    a->lateness->alone.idle > 0 ? " in which any does" : "");
	if (!is_by_turns || a->lateness->alone.idle > 0)
		say_cores(verdict, a, CORES_OF_THIS);
}

static void say_verdict(json_t *verdict, const struct analysis *a, const struct part *lost,
			const struct document_queue *line, int is_still)
{
	const struct view *v = &a->attribution->budget;
	const struct view *blame = &a->attribution->blame;
	double communication = document_share(view_communication_ns(v), v->total_ns);
	double share = document_share(lost->ns, v->total_ns);
	double of_message = document_share(blame->contention.ns, blame->total_ns);
	char b1[16], b2[48], more[240];

	if (!a->messages->n && !a->messages->one_ended && !document_torn_ends(a->messages) &&
	    !a->collectives->n) {
		document_nothing_text(a, sizeof(more), more);
		say(verdict, "%s", more);
		return;
	}
	if (document_share(view_communication_ns(v), v->total_ns - v->parts[COST_start_end].ns) <
	    LITTLE) {
		say(verdict, "Communication is %s of rank time: there is little to gain from it.",
		    document_percent(b1, communication));
		say_cores(verdict, a, CORES_OF_RUN);
		return;
	}
	if (line->share >= NEGLIGIBLE) {
		document_queue_text(line, sizeof(more), more);
		say(verdict, "%s", more);
	}
	say_contention(verdict, a, lost, communication, line->share);
	if (is_still)
		return;
	say_largest(verdict, a, share, line->share);
	say_perhaps(verdict, a);
	document_held_text(a, fmax(document_share(lost->high_ns, v->total_ns), line->share),
			   sizeof(more), more);
	if (*more)
		say(verdict, "%s", more);
	if (a->messages->n && fmax(share, line->share) < NEGLIGIBLE && of_message > 0.2 &&
	    document_share(lost->high_ns, v->total_ns) < MAY_BE)
		say(verdict,
		    "Messages are in contention for %s of their own time, but ranks lose next to "
		    "none of theirs by it.",
		    amount(b2, &blame->contention, blame->total_ns));
}

/* Nobody's communication: files, and MPI's start, which in a short run is most of the time. */
static void say_rest(json_t *verdict, const struct view *v)
{
	const struct part *files = &v->parts[COST_file_access];
	double file_share = document_share(files->ns, v->total_ns);
	double start_share = document_share(v->parts[COST_start_end].ns, v->total_ns);
	int is_perhaps = files->low_ns < files->ns / 2;
	char b[16];

	if (file_share > FILES)
		say(verdict, "%s of rank time is access to files%s.",
		    document_percent(b, file_share),
		    is_perhaps ? ", or waiting within it for ranks that came later" : "");
	if (start_share > START)
		say(verdict, "%s of rank time is starting and ending MPI: a longer run says more.",
		    document_percent(b, start_share));
}

/* Nobody shall take the start of a run for all of it, nor what is left of ranks for all of them. */
static void say_recorded(json_t *verdict, const struct analysis *a)
{
	uint32_t all = a->trace->n_ranks, left = all - document_left_out(a);
	double recorded = document_recorded_share(a);
	double rest_s = (1.0 - recorded) * left * (double)a->trace->wall_ns / NS_PER_S;
	char b1[16], rest[120], of[64] = "";

	if (!left)
		return;
	if (left < all && lost_files(a->run, a->trace))
		snprintf(of, sizeof(of), " of %u of the %u ranks", left, all);
	events_end_rest_text(a->run, rest_s, sizeof(rest), rest);
	if (recorded < WHOLE)
		say(verdict,
		    "Only %s of rank time%s was recorded: all that follows is about that%s.",
		    document_percent(b1, recorded), of, rest);
	else if (*of)
		say(verdict, "All that follows is about the rank time%s.", of);
	else if (left < all && *document_why_left_out(a))
		say(verdict, "%u of the %u ranks %s not recorded: CONDITIONS say why.", all - left,
		    all, all - left == 1 ? "was" : "were");
}

/* A run that was ended is no result, however good its numbers look: a line for each rank. */
static void say_ending(json_t *verdict, const struct analysis *a, const struct hanging *h)
{
	char ending[ENDING_ROOM];

	if (*h->text)
		say(verdict, "%s.", h->text);
	ending_text(a->run, "\n", sizeof(ending), ending);
	if (*ending)
		say(verdict, "Not all ranks reached MPI_Finalize:\n%s", ending);
	lost_text(NULL, a->trace, sizeof(ending), ending);
	if (*ending)
		say(verdict, "The archive is not whole: %s.", ending);
}

json_t *document_summary(const struct analysis *a)
{
	const struct view *v = &a->attribution->budget;
	struct part lost = v->contention;
	int64_t communication = view_communication_ns(v);
	json_t *verdict = json_array();
	int largest = largest_part(v);
	struct document_queue line = document_queue(a);
	struct hanging hanging;
	char text[240];
	json_t *standstill;
	int is_still; /* for most of the run: then the largest part is no more than that */

	hanging_find(&hanging, a->run, a->trace, a->messages, a->collectives);
	is_still = hanging.still_ns > a->trace->wall_ns / 2;
	standstill = document_standstill(a->trace, &hanging);
	say_ending(verdict, a, &hanging);
	hanging_release(&hanging);
	say_recorded(verdict, a);
	say_verdict(verdict, a, &lost, &line, is_still);
	document_asleep_text(a, sizeof(text), text);
	if (*text)
		say(verdict, "%s", text);
	if (!is_still)
		say_rest(verdict, v);
	return json_pack("{s:o, s:{s:f, s:f}, s:{s:f, s:f, s:f, s:f}, s:o, s:o, s:o, s:o}",
			 "verdict", verdict, "communication", "s", (double)communication / NS_PER_S,
			 "share", document_share(communication, v->total_ns), "contention", "s",
			 (double)lost.ns / NS_PER_S, "share", document_share(lost.ns, v->total_ns),
			 "low_s", (double)lost.low_ns / NS_PER_S, "high_s",
			 (double)lost.high_ns / NS_PER_S, "largest",
			 document_text(largest < 0 ? NULL : cost_rows[largest].name), "standstill",
			 standstill, "gone", gone_section(a->trace), "queue",
			 document_queue_section(&line));
}
