/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocking sends of a place one after the other, cut into runs: each of a run goes to another rank,
 * and follows the one before at once. Begun together their waits would overlap, and a run's last
 * one with the computation after it; what that saves sending_saving.h says. And those of all ranks
 * that go the same way would not queue behind each other: order_saving.h.
 */
#ifndef ANALYZE_SERIAL_SENDS_H
#define ANALYZE_SERIAL_SENDS_H

#include "analyze/gains/sending_saving.h"

#define SERIAL_SENDS_BLOCKING (UINT32_C(1) << REGION_SEND | UINT32_C(1) << REGION_SSEND)

struct serial_sends {
	const struct evidence_base *b;
	double *compute_s; /* per rank: in runs' sends, beside the computation after them, */
	double *queued_s;  /* and what these sends queue behind others */
	struct sending_saving saving; /* .last: of those that wait for their receivers */
	uint32_t sends, runs;         /* of the place; runs of several */
	double waited_s;              /* in these sends, */
	double overlap_s;             /* of it, what would overlap */
	int unqueues;   /* found with what they save: most of it is what they queue behind others */
	uint32_t *seen; /* not the caller's: per destination the run that last had it, */
	uint32_t run;   /* which are counted */
};

/* Returns 0, or -1 with *err set (out of memory); in any case: serial_sends_release. */
int serial_sends_init(struct serial_sends *s, const struct evidence_base *b, struct err *err);
void serial_sends_release(struct serial_sends *s);

/* The place with that key of the senders, in place of the one before. */
void serial_sends_cut(struct serial_sends *s, uint32_t key);

/*
 * What the run saves if that place's sends of a row are begun together, s: likely, and at most, but
 * for what SENDING_PORTLESS adds. Returns 0, or -1 with *err set (out of memory).
 */
int serial_sends_save(struct serial_sends *s, uint32_t key, double *likely_s, double *most_s,
		      struct err *err);

/* That place is done. */
void serial_sends_forget(struct serial_sends *s, uint32_t key);

#endif
