/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if a place's messages were sent one by one, as pacing.h has them: who
 * waits for the first ones goes on sooner, while their sender waits in each send.
 */
#ifndef ANALYZE_PACING_SAVING_H
#define ANALYZE_PACING_SAVING_H

#include "analyze/gains/pacing.h"

struct pacing_saving {
	double waiting_s; /* likely, if the sender waits for each */
	double most_s;    /* at most: it waits for none, and no message is held up by others */
	double sooner_s;  /* sum over the messages: so much sooner they are there */
};

/*
 * pace: of that key. Where less than least_s is likely, that is all: what is at most is not looked
 * for. Returns 0, or -1 with *err set (out of memory).
 */
int pacing_saving_find(const struct evidence_base *b, uint32_t key, const struct pace *pace,
		       double least_s, struct pacing_saving *out, struct err *err);

#endif
