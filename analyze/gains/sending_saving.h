/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if blocking sends in a row were begun together, and one call waited for
 * all of them: they pass the sender's port one after the other, and their receivers' ports.
 */
#ifndef ANALYZE_SENDING_SAVING_H
#define ANALYZE_SENDING_SAVING_H

#include "analyze/gains/evidence_base.h"
#include "analyze/tools/dated.h"

/* Time in a send call for its receiver and the wire, not what it queues behind others: parts. */
#define SENDING_WAITS (1u << COST_late_partner | 1u << COST_inattention | 1u << COST_wire)

/* And what it does. */
#define SENDING_QUEUES \
	(1u << COST_sender_port | 1u << COST_receiver_port | 1u << COST_network_contention)

/* What is replayed, each saves more than the one before. */
enum sending_aim {
	SENDING_LIKELY,  /* what they queue behind others remains */
	SENDING_MOST,    /* of all that is possible what saves most; */
	SENDING_PORTLESS /* and if ports that were not seen to hold up messages do not */
};

/* Why a row's last wait is likely not beside computation, though it may be at most. Bits. */
enum sending_doubt {
	SENDING_UNMOVED = 1, /* a message of it moves only while its sender is in MPI; */
	SENDING_UNKNOWN = 2  /* or it is not known whether one does */
};

/* Of one place after the other. */
struct sending_saving {
	const struct evidence_base *b;
	/* The caller's: per call of the place that sends in a row, the row's last; or TRACE_NONE */
	uint32_t *last;
	unsigned doubts; /* found with what is likely: of any row of the place */
	/* Not the caller's, and NULL until there is a first replay. */
	int64_t *less_ns; /* per message: < 0, so much later by what the port needs for others */
	int64_t *rest_ns; /* per call of a row: it does not wait */
	uint32_t *until;  /* per call: where that is waited for */
	struct dated
		*due; /* room for a row's messages, each to another rank: they are there then */
};

/* Returns 0, or -1 with *err set (out of memory); in any case: sending_saving_release. */
int sending_saving_init(struct sending_saving *s, const struct evidence_base *b, struct err *err);
void sending_saving_release(struct sending_saving *s);

/*
 * The place with that key of the senders, whose rows are in s->last, each with at most one message
 * to a rank. All of a row are waited for in the next call that waits, so that computation before
 * that counts; likely in the row's last one, unless all of them are known to move meanwhile or are
 * small, so that their data need nobody.
 * Returns 0, or -1 with *err set (out of memory).
 */
int sending_saving_find(struct sending_saving *s, uint32_t key, enum sending_aim aim,
			double *saved_s, struct err *err);

/* That place is done: no call is in a row. */
void sending_saving_forget(struct sending_saving *s, uint32_t key);

#endif
