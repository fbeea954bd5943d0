/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job that somebody ended while its ranks stood still: where each was, and who waited for whom.
 * Of the trace and run.json, in words.
 */
#ifndef ANALYZE_HANGING_H
#define ANALYZE_HANGING_H

#include <stdint.h>

#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/run/run.h"
#include "analyze/standing/stands.h"
#include "common/wording.h"

#define HANGING_ROOM 2400

struct hanging {
	struct stands s;  /* where each rank stood, and for whom it waited */
	int64_t still_ns; /* for how long the text says that all stood still; 0: of that nothing */
	uint32_t unseen;  /* ranks that may have called MPI unrecorded: they are only counted */
	uint32_t in_mpi;  /* others that stood there */
	int goes_on;      /* the text is about some ranks: others went on calling MPI */
	struct wording w;
	char text[HANGING_ROOM];
};

/*
 * The text is a line or more if no rank ended by itself: where all stood if until the end none had
 * called MPI or returned for a second and a hundredth of the run; else where some stood if these
 * had been in MPI, in one call or in polls that completed nothing, for a second and a tenth of the
 * run; and if all were killed in calls and none could note when. Else empty, as without memory. r
 * may be NULL; it and the tables have to live as long. Caller: hanging_release.
 */
void hanging_find(struct hanging *h, const struct run *r, const struct trace *t,
		  const struct messages *m, const struct collectives *c);

/* Is this one of those that the text says stood there? */
int hanging_stands(const struct hanging *h, uint32_t rank);

void hanging_release(struct hanging *h);

#endif
