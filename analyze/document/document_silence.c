/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace does not tell of the program's communication: nobody shall take that for none. */
#include "analyze/document/document_parts.h"
#include "analyze/reader/regions.h"
#include "analyze/run/lost.h"
#include "common/options.h"

#include <stdio.h>
#include <string.h>

uint32_t document_left_out(const struct analysis *a)
{
	uint32_t n = 0, r;

	for (r = 0; r < a->trace->n_ranks; r++)
		n += (uint32_t)trace_is_left_out(a->trace, r);
	return n;
}

/* Has nobody ended the pause that the recording began with? */
static int never_began(const struct analysis *a)
{
	const json_t *options = a->run ? json_object_get(a->run->meta, "options") : NULL;
	const char *off =
		json_string_value(json_object_get(json_object_get(options, "start-off"), "value"));

	return document_left_out(a) == a->trace->n_ranks && off && option_word_is_on(off) &&
	       !json_object_get(options, "ranks") && !lost_files(a->run, a->trace);
}

/* Were ranks to be recorded by which nothing has come? */
const char *document_why_left_out(const struct analysis *a)
{
	const json_t *options = a->run ? json_object_get(a->run->meta, "options") : NULL;

	if (!options || json_object_get(options, "ranks") || lost_files(a->run, a->trace))
		return "";
	for (uint32_t r = 0; r < a->trace->n_ranks; r++)
		if (trace_is_left_out(a->trace, r) && !a->trace->ranks[r].absent)
			return "";
	return ", not started by contend record or of a program that it cannot enter "
	       "(statically linked, set-user-ID, of another MPI)";
}

const char *document_why_unrecorded(const struct analysis *a)
{
	return never_began(a) ? ": recording began paused (--start-off) and MPI_Pcontrol(1) was "
				"never called"
			      : "";
}

static int begins_with_one_of(const char *name, size_t n, const char *const begins[n])
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return 1;
	return 0;
}

/* Does it move data that no record of the trace stands for, and may wait for others by that? */
static int is_unread(const struct region *r, int windows)
{
	static const char *const begins[] = {"MPI_Put",        "MPI_Get_acc",     "MPI_Accumulate",
					     "MPI_Rput",       "MPI_Rget",        "MPI_Raccumulate",
					     "MPI_Fetch_and_", "MPI_Compare_and_"};
	const char *name = r->name;

	if (r->kind != REGION_MPI_LOCAL && r->kind != REGION_COLLECTIVE)
		return 0;
	if (r->is_of_files)
		return r->kind == REGION_COLLECTIVE;
	if (windows)
		return 0;
	return !strcmp(name, "MPI_Get") || !strcmp(name, "MPI_Get_c") ||
	       begins_with_one_of(name, sizeof(begins) / sizeof(*begins), begins);
}

uint64_t document_unread_calls(const struct trace *t, const char **of)
{
	static const char *const kinds[] = {"", "one-sided communication", "collective file access",
					    "one-sided communication or collective file access"};
	int windows = document_has_windows(t);
	unsigned kind = 0;
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < t->n_calls; i++) {
		const struct region *r = &t->regions[t->calls[i].region];

		if (!is_unread(r, windows))
			continue;
		n++;
		kind |= r->is_of_files ? 2 : 1;
	}
	*of = kinds[kind];
	return n;
}

/*
 * Is a record of it in the call itself? In what posts a receive there need not be one: all may be
 * in the call that completes it.
 */
static int has_own_record(const struct region *r)
{
	return region_receives(r) ||
	       (r->kind != REGION_IRECV && strncmp(r->name, "MPI_Start", 9) != 0);
}

static int passes_messages(const struct region *r)
{
	switch (r->kind) {
	case REGION_SEND:
	case REGION_SSEND:
	case REGION_ISEND:
	case REGION_RECV:
	case REGION_IRECV:
	case REGION_SENDRECV:
		return 1;
	default:
		return 0;
	}
}

/*
 * Does it move data among all? Who makes communicators, windows and files is not always recorded.
 */
static int is_gathering(const struct region *r)
{
	static const char *const makes[] = {"MPI_Comm_",  "MPI_Intercomm_", "MPI_Cart_",
					    "MPI_Graph_", "MPI_Dist_graph", "MPI_Win_",
					    "MPI_File_"};

	return (r->kind == REGION_COLLECTIVE || region_starts_collective(r->name)) &&
	       !begins_with_one_of(r->name, sizeof(makes) / sizeof(*makes), makes);
}

/* Has none of its calls a record of what it moved? */
static int is_unrecorded(const struct region *r, int no_message)
{
	return r->is_bare &&
	       (is_gathering(r) || (passes_messages(r) && (no_message || has_own_record(r))));
}

uint64_t document_unrecorded_calls(const struct analysis *a)
{
	const struct trace *t = a->trace;
	const struct messages *m = a->messages;
	int no_message = !m->n && !m->unmatched_sends && !m->unmatched_recvs && !m->one_ended &&
			 !m->cancelled && !m->untold;
	int any = 0;
	uint64_t n = 0;

	if (t->dated || t->n_ranks < 2) /* ours has all; one rank has nobody to talk to */
		return 0;
	for (uint32_t k = 0; k < t->n_regions; k++)
		any |= is_unrecorded(&t->regions[k], no_message);
	for (uint32_t i = 0; any && i < t->n_calls; i++)
		n += (uint64_t)is_unrecorded(&t->regions[t->calls[i].region], no_message);
	return n;
}

uint64_t document_torn_ends(const struct messages *m)
{
	return (uint64_t)m->unmatched_sends + m->unmatched_recvs;
}

/* Receives of which it is not recorded whether they were complete; ours has that of all. */
static uint64_t open_receives(const struct trace *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->ends.n_recvs && !t->dated; i++)
		n += t->ends.recvs[i].done == TRACE_NONE && !t->ends.recvs[i].is_void;
	return n;
}

void document_torn_text(const struct analysis *a, size_t n, char text[n])
{
	uint64_t torn = document_torn_ends(a->messages), open = open_receives(a->trace);

	if (open >= (torn + 1) / 2)
		snprintf(text, n,
			 "Of %llu receives the trace does not say when they were complete: what "
			 "those and their sends waited for is not known.",
			 (unsigned long long)open);
	else
		snprintf(text, n,
			 "The other ends of %llu of the sends and receives are not in the trace: "
			 "what those waited for is not known.",
			 (unsigned long long)torn);
}

/* Was a rank in a call when it was ended? Then it may have waited there, whatever came of it. */
static int ended_in_a_call(const struct run *r)
{
	const json_t *unfinished = run_unfinished(r);
	const json_t *rank;
	size_t i;

	json_array_foreach((json_t *)unfinished, i, rank)
		if (json_string_length(json_object_get(rank, "inside")))
			return 1;
	return 0;
}

void document_nothing_text(const struct analysis *a, size_t n, char text[n])
{
	uint32_t ranks = a->trace->n_ranks;
	uint64_t unrecorded = document_unrecorded_calls(a);
	const char *unread;

	if (document_left_out(a) == ranks)
		snprintf(text, n, "Nothing was recorded of the %u rank%s%s.", ranks,
			 ranks == 1 ? "" : "s",
			 never_began(a) ? document_why_unrecorded(a) : ", so nothing can be said");
	else if (ranks == 1 && !ended_in_a_call(a->run))
		snprintf(text, n, "One rank and no messages: there is nobody to wait for.");
	else if (unrecorded)
		snprintf(text, n,
			 "What the %llu call%s that send, receive or are collective waited for is "
			 "not known: the archive has no record of their messages.",
			 (unsigned long long)unrecorded, unrecorded == 1 ? "" : "s");
	else if (document_unread_calls(a->trace, &unread))
		snprintf(text, n,
			 "The %u ranks exchanged no messages; of their %s only the time in the "
			 "calls is known.",
			 ranks, unread);
	else if (ended_in_a_call(a->run))
		snprintf(text, n, "No message and no collective was completed.");
	else
		snprintf(text, n,
			 "The %u ranks exchanged no messages and no collectives: there is nothing "
			 "to wait for%s.",
			 ranks,
			 a->attribution->budget.parts[COST_collective_wait].ns > 0
				 ? " but the last of them in MPI_Finalize"
				 : "");
}
