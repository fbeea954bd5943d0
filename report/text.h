/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document as text for a terminal: the verdict in words, where the time went,
 * hotspots with why, where and what to try, tables, doubts, the next command.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <jansson.h>

#include "common/err.h"
#include "report/layout.h"

/* The whole report. Returns 0, or -1 with *err set (not a document of this version). */
int text_report(const json_t *document, const struct style *style, FILE *out, struct err *err);

/* What it would take otherwise, of a document with predictions. As text_report(). */
int text_predict(const json_t *document, const struct style *style, FILE *out, struct err *err);

/*
 * What is other in one of its predictions, with the place of what is changed there, into buffer;
 * returned.
 */
const char *text_change(const json_t *row, size_t size, char buffer[size]);

/* First line and last section of both: of which run, and how sure. */
void text_run(struct layout *l, const json_t *document);
void text_conditions(struct layout *l, const json_t *document);

/* The hotspots, or that there are none. */
void text_hotspots(struct layout *l, const json_t *document);

/* Why there are none, and what there is instead, into text; returned. */
const char *text_none(const json_t *document, size_t size, char text[size]);

/* Is a hotspot what ranks compute before its call, and not the call? */
int text_is_computation(const json_t *hotspot);

/* What else is lost where none of them is likely worth much, into text; "": one is; returned. */
const char *text_rest(const json_t *document, size_t size, char text[size]);

/* "MPI_Send  em3d.c:118 in exchange()" of a hotspot, into buffer; returned. */
const char *text_where(const json_t *hotspot, size_t size, char buffer[size]);

/*
 * Who called the function there, and where, if this says more than that main() did: "a() a.c:5 <
 * main() b.c:31". Returns 0 when there is nothing to say.
 */
int text_callers(const json_t *callsite, size_t size, char buffer[size]);

/* That an earlier hotspot spares the same sends. Returns 0 when there is nothing to say. */
int text_same_sends(const json_t *hotspot, size_t size, char buffer[size]);

/*
 * Of what there may be a hotspot, if the machine were known, after these first words, into buffer;
 * returned; "": of nothing.
 */
const char *text_unjudged(const json_t *document, size_t size, char buffer[size],
			  const char *first);

/*
 * What is lost where there are none: a clause that begins with ";", or nothing. Of a job that hung
 * the report's first lines say more. Into text, which is returned.
 */
const char *text_instead(const json_t *document, size_t size, char text[size]);

/* What the main phases' messages look like, or nothing when there is nothing to say. */
void text_patterns(struct layout *l, const json_t *document);

/* What the models that apply say, or nothing. */
void text_models(struct layout *l, const json_t *document);

/* One hotspot of the document as its lines; number from 1. */
void text_hotspot(struct layout *l, const json_t *hotspot, size_t number);

/*
 * "em3d.c:118 in exchange()", or the address, or "unknown place", into buffer; returned. Of several
 * places in a function that nothing else tells apart each has its "offset".
 */
const char *text_place(const json_t *callsite, size_t size, char buffer[size]);

/* A word for the shell, quoted where that is needed, into buffer; returned. */
const char *text_shell_word(const char *word, size_t size, char buffer[size]);

/* What was counted beside the MPI calls; nothing when it says nothing. */
void text_evidence(struct layout *l, const json_t *document);

/* Do ranks work one after the other, so that not one of them has more to do? */
int text_is_by_turns(const json_t *document);

/* Below a table of calls: that those of several threads at once each count, if there are such. */
void text_threads(struct layout *l, const json_t *document);

/* Tables of the report; each prints its heading, or nothing when there are no rows. */
int text_budget_table(struct layout *l, const json_t *document, struct err *err);
int text_ranks_table(struct layout *l, const json_t *document, struct err *err);
int text_collectives_table(struct layout *l, const json_t *document, struct err *err);
int text_late_table(struct layout *l, const json_t *document, struct err *err);
void text_next(struct layout *l, const json_t *document); /* the command to type now */
int text_onesided_table(struct layout *l, const json_t *document, struct err *err);
int text_callsites_table(struct layout *l, const json_t *document, struct err *err);

#endif
