/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/recording.h"
#include "analyze/document/document_quality.h"
#include "analyze/document/events_end.h"
#include "analyze/hotspots/rules.h"
#include "analyze/run/lost.h"
#include "common/number.h"
#include "common/wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A call takes some hundred ns: a coarser clock does not see it. */
#define COARSE_TICK_NS 100.0

/* Of rank time: with less of it than that a report is of little worth. */
#define HALF 0.5

/* The ranks that were left out as a list such as "0-7,16", as far as it fits. */
static void list_left_out(const struct trace *t, size_t n, char text[n])
{
	struct wording w = wording_begin(n, text);
	uint32_t r, last;

	for (r = 0; r < t->n_ranks; r = last + 1) {
		last = r;
		if (!trace_is_left_out(t, r))
			continue;
		if (w.used + 32 > n) {
			wording_add(&w, " ...");
			return;
		}
		while (last + 1 < t->n_ranks && trace_is_left_out(t, last + 1))
			last++;
		wording_add(&w, last > r ? "%s%u-%u" : "%s%u", w.used ? "," : "", r, last);
	}
}

static void judge_left_out(struct quality *q, const struct analysis *a)
{
	uint32_t left_out = document_left_out(a), ranks = a->trace->n_ranks;
	int is_lost = lost_files(a->run, a->trace) > 0;
	char list[96];

	list_left_out(a->trace, sizeof(list), list);
	if (left_out == ranks)
		document_doubt(q, CONFIDENCE_LOW, "no rank was recorded%s",
			       document_why_unrecorded(a));
	else if (left_out == 1)
		document_doubt(q, CONFIDENCE_HIGH,
			       "rank %s %s%s: what passed between it and the others is not "
			       "analyzed, and imbalance is not looked for",
			       list, is_lost ? "is not in the trace" : "was not recorded",
			       document_why_left_out(a));
	else if (left_out)
		document_doubt(q, CONFIDENCE_HIGH,
			       "%u of the %u ranks %s (%s)%s: what passed between them and the "
			       "others is not analyzed, and imbalance is not looked for",
			       left_out, ranks,
			       is_lost ? "are not in the trace" : "were not recorded", list,
			       document_why_left_out(a));
}

/* Where sends and receives of one end have the other: all that this recording has of such. */
static void judge_one_ended(struct quality *q, const struct analysis *a, int is_cut)
{
	const struct trace *t = a->trace;
	const char *where[4];
	int pauses = 0, n = 0;
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++)
		pauses |= !is_cut && !trace_is_left_out(t, r) && trace_paused_ns(t, r) > 0;
	if (!a->messages->one_ended)
		return;
	if (document_left_out(a))
		where[n++] = "at a rank that was not recorded";
	if (is_cut)
		where[n++] = "after the end of the events";
	if (lost_files(a->run, a->trace))
		where[n++] = "in what is lost";
	else if (pauses || !n)
		where[n++] = "in a pause";
	document_doubt(q, CONFIDENCE_HIGH,
		       "%u of the sends and receives have their other end %s%s%s%s%s and are left "
		       "out of the messages",
		       a->messages->one_ended, where[0], n > 1 ? " or " : "", n > 1 ? where[1] : "",
		       n > 2 ? " or " : "", n > 2 ? where[2] : "");
}

/* What was asked not to be recorded, or is lost. */
static void judge_pauses(struct quality *q, const struct analysis *a)
{
	uint32_t left_out = document_left_out(a), all = a->trace->n_ranks;
	double share = document_recorded_share(a);
	char end[300], lost[600], of[64] = "";

	if (left_out && left_out < all)
		snprintf(of, sizeof(of), " of %u of the %u ranks", all - left_out, all);
	events_end_text(a->run, sizeof(end), end);
	lost_text(a->run, a->trace, sizeof(lost), lost);
	if (*lost && share < 1.0)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "%s; all shares are of the %.3g %% of rank time%s that is left",
			       lost, share * 100.0, of);
	else if (*lost)
		document_doubt(q, CONFIDENCE_MEDIUM, "%s%s%s", lost,
			       *of ? "; all shares are of the rank time" : "", of);
	if (lost_ranks(a->trace))
		document_doubt(q, share < HALF ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM,
			       "the archive is not whole: how long others waited for what is not "
			       "in it is not known; copy it again from where it was recorded");
	if (*end)
		document_doubt(q, CONFIDENCE_HIGH, "%s", end);
	else if (!*lost && share < 1.0 && left_out < all)
		document_doubt(
			q, CONFIDENCE_HIGH,
			"%.3g %% of rank time was recorded and is what all shares are of; the rest "
			"%s, and imbalance is not looked for",
			share * 100.0,
			a->trace->dated ? "was left out (--start-off, MPI_Pcontrol)"
					: "passed while recording was off");
	judge_left_out(q, a);
	judge_one_ended(q, a, *end != '\0');
}

/*
 * Between which ranks most of those without a partner were, if that is known; with ": " in front.
 */
static void say_most_loose(struct wording *w, const struct analysis *a)
{
	const struct loose_ends *l = &a->messages->loose;
	const struct loose *most = l->row;
	char begun[200];
	size_t i;

	if (!l->n)
		return;
	for (i = 1; i < l->n; i++)
		if (l->row[i].n > most->n)
			most = &l->row[i];
	wording_add(w, ": above all %u %s%s of rank %u ", most->n,
		    most->is_send ? "send" : "receive", document_plural(most->n), most->rank);
	if (most->peer == TRACE_NONE)
		wording_add(w, "from any rank");
	else
		wording_add(w, "%s rank %u", most->is_send ? "to" : "from", most->peer);
	if (most->tag >= 0)
		wording_add(w, " with tag %d", most->tag);
	else
		wording_add(w, " with any tag");
	wording_add(w, " (%s)", rule_place(a->trace, most->call, sizeof(begun), begun));
}

/* "12 sends and 1 receive have no partner in the trace and are": of what there is none no word. */
static void say_unmatched(struct wording *w, const struct messages *m)
{
	int is_one = (uint64_t)m->unmatched_sends + m->unmatched_recvs == 1;

	if (m->unmatched_sends)
		wording_add(w, "%u send%s", m->unmatched_sends,
			    document_plural(m->unmatched_sends));
	if (m->unmatched_sends && m->unmatched_recvs)
		wording_add(w, " and ");
	if (m->unmatched_recvs)
		wording_add(w, "%u receive%s", m->unmatched_recvs,
			    document_plural(m->unmatched_recvs));
	wording_add(w, " %s no partner in the trace and %s", is_one ? "has" : "have",
		    is_one ? "is" : "are");
}

static void judge_messages(struct quality *q, const struct analysis *a)
{
	const struct messages *m = a->messages;
	uint64_t unmatched = (uint64_t)m->unmatched_sends + m->unmatched_recvs;
	char most[400] = "", ends[120] = "";
	uint32_t unposted = 0;

	say_unmatched(&(struct wording){.text = ends, .room = sizeof(ends)}, m);
	say_most_loose(&(struct wording){.text = most, .room = sizeof(most)}, a);
	for (uint32_t i = 0; i < m->n; i++)
		unposted += m->m[i].src != m->m[i].dst && !message_is_posted(a->trace, &m->m[i]);

	if (unmatched)
		document_doubt(q,
			       unmatched > m->n         ? CONFIDENCE_LOW
			       : unmatched * 100 > m->n ? CONFIDENCE_MEDIUM
							: CONFIDENCE_HIGH,
			       "%s left out%s%s", ends,
			       m->n_unanswered ? ", but for the sends in patterns" : "", most);
	if (unposted)
		document_doubt(
			q, CONFIDENCE_MEDIUM,
			"of %u message%s only the call that waited is recorded, not when the "
			"receive was posted: whether senders waited for that is not known",
			unposted, document_plural(unposted));
	if (m->ambiguous)
		document_doubt(
			q, CONFIDENCE_MEDIUM,
			"%u message%s of several threads on one channel: their order is a guess",
			m->ambiguous, document_plural(m->ambiguous));
	if (m->untold)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "which messages %u receive%s got is not known and they are left "
			       "out: nobody was told which messages others before them took, "
			       "or which of their channels' sends and receives are missing",
			       m->untold, document_plural(m->untold));
}

static void judge_threads(struct quality *q, const struct trace *t)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		n += t->ranks[r].is_threaded;
	if (n)
		document_doubt(q, CONFIDENCE_HIGH,
			       "%u rank%s MPI from several threads: the calls overlap, and all "
			       "together may take more than the ranks' time",
			       n, n == 1 ? " calls" : "s call");
}

/* Nobody shall take silence about them for an acquittal. */
static void judge_unread(struct quality *q, const struct analysis *a)
{
	const char *of;
	uint64_t n = document_unread_calls(a->trace, &of);

	if (n)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "%llu call%s of %s: only the time in them is known, not who waited "
			       "for whom",
			       (unsigned long long)n, document_plural(n), of);
}

/* What bound ranks lose is no contention, and nothing that MPI could do about. */
static void judge_cores(struct quality *q, const struct analysis *a)
{
	char text[320], advice[240];
	const struct core_group *worst = document_worst_cores(a->trace, sizeof(text), text);

	if (!worst)
		return;
	document_cores_advice(a, worst, sizeof(advice), advice);
	if (!*advice)
		snprintf(advice, sizeof(advice), "start no more ranks than there are cores");
	document_doubt(q, CONFIDENCE_LOW,
		       "%s: waiting for a core looks like a busy message handler; %s", text,
		       advice);
}

/* In run.json or, without one, in the archive. */
double document_recording_cost(const struct analysis *a)
{
	struct recording said;
	double archived = recording_of(a->trace, &said) ? said.share : NAN;

	return a->run ? run_number(a->run, "cost.share", archived) : archived;
}

static void judge_run(struct quality *q, const struct analysis *a)
{
	size_t unfinished = json_array_size(run_unfinished(a->run));
	double ranks = a->run ? run_number(a->run, "ranks", 0.0) : 0.0;
	double cost = document_recording_cost(a);
	struct recording_effect effect = recording_effect(cost, &a->attribution->budget);

	if ((!a->run || !a->run->meta) && a->trace->dated)
		document_doubt(q, CONFIDENCE_HIGH,
			       "no run.json is beside the archive: cores, counters, options and "
			       "how ranks ended are not known; if ranks shared cores, waiting for "
			       "one looks like computation, or like a busy message handler");
	else if (!a->run || !a->run->meta)
		document_doubt(
			q, CONFIDENCE_HIGH,
			"recorded by another tool: no run data, and of call sites at most the "
			"function, if it recorded those. Whether ranks shared cores is not known: "
			"waiting for a core looks like computation, or like a busy message "
			"handler");
	else if (unfinished)
		document_doubt(q, CONFIDENCE_HIGH,
			       "%zu rank%s did not reach MPI_Finalize: the last moments may be "
			       "missing",
			       unfinished, document_plural(unfinished));
	if (ranks > a->trace->n_ranks)
		document_doubt(q, CONFIDENCE_LOW, "only %u of %.0f ranks were recorded",
			       a->trace->n_ranks, ranks);
	judge_cores(q, a);
	if (cost > 0.05)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "recording itself took about %.0f %% of rank time: without it the "
			       "run may have been %.0f to %.0f %% shorter, as waits hide it and "
			       "ranks wait for each other's",
			       cost * 100.0, effect.least * 100.0, effect.most * 100.0);
}

/* What is taken for granted where the archive is silent. */
static void judge_assumed(struct quality *q, const struct analysis *a)
{
	const struct trace *t = a->trace;

	if (t->assumes_host && t->n_ranks > 1)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "the archive does not say on which hosts ranks ran: they are taken "
			       "for one's, with one clock");
	if (t->tick_ns > COARSE_TICK_NS)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "the archive's clock ticks every %s: what is shorter is not told "
			       "apart",
			       number_seconds(t->tick_ns / NS_PER_S).text);
	if (t->assumes_comm && (a->messages->n || a->collectives->n))
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "the archive defines no communicator: partners are taken for ranks "
			       "of all, and collectives for all ranks'");
}

/* Of what was started: the calls that completed it are joined by their requests. */
static void judge_nonblocking(struct quality *q, const struct analysis *a)
{
	uint32_t started = 0, joined = a->collectives->n_starts;

	for (uint32_t i = 0; i < a->trace->n_ops; i++)
		started += a->trace->ops[i].kind == OP_NBC_POST;
	if (started > joined)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "%u of %u calls that start a collective are left out of the "
			       "collectives, as one before them never completed or recording "
			       "paused: who waited for whom in what completed these is not known",
			       started - joined, started);
}

/* Other recorders do not say what a pause left out. */
static void judge_unplaced(struct quality *q, const struct analysis *a)
{
	uint32_t n = a->collectives->unplaced;

	if (n)
		document_doubt(
			q, CONFIDENCE_MEDIUM,
			"%u collective call%s between pauses of recording %s left out: which "
			"of other ranks' belong to %s is not known",
			n, document_plural(n), n == 1 ? "is" : "are", n == 1 ? "it" : "them");
}

/* Calls without records are no proof that nothing was sent. */
static void judge_unrecorded(struct quality *q, const struct analysis *a)
{
	uint64_t n = document_unrecorded_calls(a);

	if (n)
		document_doubt(
			q, CONFIDENCE_LOW,
			"%llu call%s that send, receive or are collective have no record of "
			"their messages in this archive: only the time in them is known, not "
			"who waited for whom",
			(unsigned long long)n, document_plural(n));
}

/* Lines are the recorded program's, or none. */
static void judge_rebuilt(struct quality *q, const struct trace *t)
{
	const struct site *first = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n_sites; i++) {
		if (!t->sites[i].rebuilt)
			continue;
		first = first ? first : &t->sites[i];
		n++;
	}
	if (first)
		document_doubt(q, CONFIDENCE_HIGH,
			       "%u of %u call sites are told by address, or by a caller: %.*s is "
			       "another build now than the one that was recorded",
			       n, t->n_sites, (int)strcspn(first->path + first->rebuilt - 1, ":"),
			       first->path + first->rebuilt - 1);
}

void document_doubt_recording(struct quality *q, const struct analysis *a)
{
	judge_messages(q, a);
	judge_pauses(q, a);
	judge_run(q, a);
	judge_threads(q, a->trace);
	judge_unread(q, a);
	judge_nonblocking(q, a);
	judge_unplaced(q, a);
	judge_unrecorded(q, a);
	judge_assumed(q, a);
	judge_rebuilt(q, a->trace);
}
