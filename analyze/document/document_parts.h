/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sections of the document, for document.c only: each function returns a new
 * reference, or NULL when there is no memory (document.c words that). Inputs are
 * the finished tables; nothing is changed. Seconds everywhere, shares from 0 to 1.
 */
#ifndef ANALYZE_DOCUMENT_PARTS_H
#define ANALYZE_DOCUMENT_PARTS_H

#include "analyze/document/document.h"
#include "analyze/standing/hanging.h"

#define NS_PER_S 1e9

/* Of a document that was asked for them. */
json_t *document_predictions(const struct analysis *a);
json_t *document_changes(const struct analysis *a);

/*
 * Saved of the run's wall time, and so what it takes: saves_s, saves_share and wall_s into a row.
 */
void document_saving(const struct analysis *a, const struct what_if_saving *s, json_t *row);

/* A number, or null for NaN and infinities, which JSON does not have. */
json_t *document_real(double x);

/* A string, or null; bytes that are not UTF-8 become '?'. */
json_t *document_text(const char *text);

/* Part of whole as a share; 0 of nothing is 0. */
double document_share(int64_t part, int64_t whole);

/* A share in a sentence: "25 %", "1.5 %", "under 0.1 %", into buffer; returned. */
const char *document_percent(char buffer[16], double share);

/* { "file", "line", "function", "mpi", "address" } of a call; null where unknown. */
json_t *document_callsite(const struct trace *t, uint32_t site, uint32_t region);

/* "ranks 0 and 4 were bound to the same core": how ranks that are more than cores share them. */
void document_cores_text(const struct trace *t, const struct core_group *g, size_t n, char text[n]);

/* The same of the worst group, with how many are like it; NULL and "": no ranks have to share. */
const struct core_group *document_worst_cores(const struct trace *t, size_t n, char text[n]);

/* What to do about it, to follow a colon or semicolon; "": nothing but to start fewer there. */
void document_cores_advice(const struct analysis *a, const struct core_group *g, size_t n,
			   char text[n]);

#define DOCUMENT_AWAY 0.1 /* of the run: from here on it matters that a rank was without a core */

/*
 * What it means that ranks lacked cores: ": much of this may be that"; or, if most waits are for
 * one that had its own, ", but rank 0, for which they wait, for 0.6 % only".
 */
void document_cores_consequence(const struct analysis *a, size_t n, char text[n]);

/* How much of what is called computation ranks slept, where that is worth saying; "": less. */
void document_asleep_text(const struct analysis *a, size_t n, char text[n]);

/* The groups with more ranks than cores, the worst first; null: it is not known. */
json_t *document_shared_cores(const struct trace *t);

/* Of the wall time of the ranks that were recorded: the rest are pauses. 0 when none was. */
double document_recorded_share(const struct analysis *a);

/* Of the rank time in which collectives were at work, if nobody knows what is contention; or "". */
void document_unknown_text(const struct analysis *a, size_t n, char text[n]);

/* Ranks of which nothing was recorded. */
uint32_t document_left_out(const struct analysis *a);

/* Why, as far as that is known, some ranks are not recorded that were to be; or "". */
const char *document_why_left_out(const struct analysis *a);

/* Where none was: why, as far as that is known, to follow a sentence; or "". */
const char *document_why_unrecorded(const struct analysis *a);

/* Ends of messages whose other ends are not there, though nothing says why. */
uint64_t document_torn_ends(const struct messages *m);

/* What is not known where there are such: a sentence. */
void document_torn_text(const struct analysis *a, size_t n, char text[n]);

/* The verdict on a run without messages and collectives. */
void document_nothing_text(const struct analysis *a, size_t n, char text[n]);

/* Clients that wait in line for servers; all 0: none do, or it is not known. */
struct document_queue {
	double s, share; /* of rank time */
	double servers, clients;
	double busiest; /* rank of the server with most requests */
};
struct document_queue document_queue(const struct analysis *a);
json_t *document_queue_section(const struct document_queue *x);                   /* null: none */
void document_queue_text(const struct document_queue *x, size_t n, char text[n]); /* a sentence */

/* What to say when a part is the largest of the communication; ends the sentence. */
const char *document_meaning(const struct analysis *a, int part);

/* How much of what a part may have more is within calls that access files together, ns. */
int64_t document_in_files_ns(const struct view *v, int part);

/* Does the trace say what one-sided communication there was? */
int document_has_windows(const struct trace *t);

/*
 * Calls by which all access files, and unread one-sided communication: the trace has their time, no
 * more. *of: which of these they are, in words.
 */
uint64_t document_unread_calls(const struct trace *t, const char **of);

/*
 * Calls of another recorder's archive that send or receive where it has no record of any message,
 * and that are collective where it has none of any collective.
 */
uint64_t document_unrecorded_calls(const struct analysis *a);

/* { "total_s", "parts": { NAME: { "s", "share", "low_s", "high_s" } } } */

json_t *document_view(const struct view *v);

/* { "s", "share", "ranks": [...] } of a job that hung; null: it did not. */
json_t *document_standstill(const struct trace *t, const struct hanging *h);

json_t *document_run(const struct analysis *a);
json_t *document_messages(const struct analysis *a);
json_t *document_traffic(const struct analysis *a);   /* who sends to whom; null: nobody does */
json_t *document_blame(const struct analysis *a);     /* view + messages, mean_s */
json_t *document_ranks(const struct analysis *a);     /* one object per rank */
json_t *document_spread(const struct analysis *a);    /* min, median, max over ranks */
json_t *document_timeline(const struct analysis *a);  /* parts of time over the run */
json_t *document_callsites(const struct analysis *a); /* largest first */
json_t *document_hotspots(const struct analysis *a);

/*
 * What contention costs by what others then wait for ranks that it holds up: a sentence; or "",
 * where that is not far more than most, of rank time its own share.
 */
void document_held_text(const struct analysis *a, double most, size_t n, char text[n]);
json_t *document_unjudged(const struct analysis *a);
json_t *document_phases(const struct analysis *a);        /* in order of time */
json_t *document_models(const struct analysis *a);        /* of the main phases */
json_t *document_patterns(const struct analysis *a);      /* of run, phases, places ... */
json_t *document_clock_pairs(const struct trace *t);      /* of nodes, the worst first */
json_t *document_late_partners(const struct analysis *a); /* most time first */
json_t *document_alone(const struct analysis *a);
json_t *document_collectives(const struct analysis *a); /* by place, most time first */
/*
 * Its rank made this call of a collective, in which others waited for it since then: it, or for
 * whom it waited most of that time in the collective before, as MPI_Bcast's root in MPI_Reduce.
 */
uint32_t document_awaited(const struct analysis *a, uint32_t call, int64_t since_ns);
json_t *document_onesided(const struct analysis *a); /* null: there is none */
json_t *document_summary(const struct analysis *a);  /* shares and the verdict in words */
json_t *document_evidence(const struct analysis *a); /* counters; null: none were recorded */
json_t *document_quality(const struct analysis *a);  /* confidence and conditions */
json_t *document_evidence_sentences(const struct analysis *a); /* what they mean */
void document_say_network(json_t *sentences, const json_t *nodes, const struct analysis *a);

/* The sum of a field over rows, and the row that has most of it. */
double document_sum_of(const json_t *rows, const char *key, const json_t **most);

#endif
