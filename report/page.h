/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document as one page for a browser, with everything in it: the verdict, where the time went,
 * hotspots, predictions, ranks, traffic, phases and call sites as charts, and the whole report as
 * text at its end. For a new chart copy page_phases.c.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "common/err.h"

/* Returns 0, or -1 with *err set: no document of this version, or no memory. */
int page_report(const json_t *document, FILE *out, struct err *err);

/* All charts are so wide, in their own units; and a share of that, whatever the document says. */
#define PAGE_WIDTH 1000.0
double page_length(double share);

/*
 * The bar of what a hotspot or a prediction saves of the run's wall time: what is certain, what is
 * likely, and what it is at most.
 */
void page_saving(FILE *out, const json_t *row);

/* The sections; each prints its heading, or nothing when there is nothing to show. */
void page_budget(FILE *out, const json_t *document);
void page_hotspots(FILE *out, const json_t *document);
void page_phases(FILE *out, const json_t *document);
void page_predictions(FILE *out, const json_t *document);
void page_ranks(FILE *out, const json_t *document);
void page_sites(FILE *out, const json_t *document);
void page_timeline(FILE *out, const json_t *document);
void page_traffic(FILE *out, const json_t *document);

#endif
