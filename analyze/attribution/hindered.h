/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long calls may have been held up by something that kept the ends of their messages from
 * handling these, when all that is known is for how long it kept each rank. For attribution's
 * awaited.c and searched.c.
 */
#ifndef ANALYZE_HINDERED_H
#define ANALYZE_HINDERED_H

#include "analyze/attribution/attribution.h"

struct hindered {
	int64_t *calls_ns; /* of each rank's calls: at most so much may be that */
	int any;           /* it is noticeable, for a rank at least */
	int64_t *rank_ns;  /* for so long it kept each rank, where that is noticeable */
	int64_t *from_ns;  /* of the receiver at work: contention of messages from each rank */
};

/*
 * kept_ns: how long it kept a rank, ns; 0: not known. a has the messages' contention. What is no
 * noticeable part of the contention at a rank is as nothing. Returns 0, or -1 with *err set (out of
 * memory). Caller: hindered_release.
 */
int hindered_find(struct hindered *h, const struct trace *t, const struct messages *m,
		  const struct attribution *a, int64_t (*kept_ns)(const struct rank *r),
		  struct err *err);
void hindered_release(struct hindered *h);

/* Of the messages' time ns the same share as some_ns is of the ranks' all_ns. */
int64_t hindered_share_ns(int64_t some_ns, int64_t all_ns, int64_t ns);

#endif
