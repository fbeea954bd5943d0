/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything known about a run as one JSON document, schema "contend/1"
 * (share/contend.schema.json): the only input of report/.
 */
#ifndef ANALYZE_DOCUMENT_H
#define ANALYZE_DOCUMENT_H

#include <jansson.h>

#include "analyze/attribution/lateness.h"
#include "analyze/changes/changes.h"
#include "analyze/gains/what_if.h"
#include "analyze/hotspots/hotspots.h"
#include "analyze/opinion/opinion.h"
#include "analyze/patterns/patterns.h"
#include "analyze/run/run.h"

struct analysis {
	const struct run *run; /* NULL for a foreign archive */
	const struct trace *trace;
	const struct messages *messages;
	const struct collectives *collectives;
	const struct clock_quality *clock;
	const struct machine *machine;
	const struct attribution *attribution;
	const struct hotspots *hotspots;
	const struct phases *phases; /* these may be NULL: not looked for */
	const struct patterns *patterns;
	const struct lateness *lateness;
	const struct opinions *opinions;
	const struct predictions *predictions; /* NULL: not asked for; nor are */
	const struct changes *changes;
};

/* A new reference, or NULL with *err set (out of memory). */
json_t *document_build(const struct analysis *a, struct err *err);

struct inventory {
	const struct run *run;
	const struct trace *trace;
	const struct messages *messages;
	const struct collectives *collectives;
};

/*
 * What an archive holds, schema "contend-info/1": run, recorded (run.json as it is),
 * archive, messages, collectives, nodes, regions, communicators, recording. As document_build().
 */
json_t *document_inventory(const struct inventory *v, struct err *err);

#endif
