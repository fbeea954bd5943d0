/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if blocking sends in a row were begun together, and one call waited for
 * all of them: they pass the sender's port one after the other, and their receivers' ports.
 */
#ifndef ANALYZE_SENDING_SAVING_H
#define ANALYZE_SENDING_SAVING_H

#include "analyze/gains/evidence_base.h"

/* Time in a send call for its receiver and the wire, not what it queues behind others: parts. */
#define SENDING_WAITS (1u << COST_late_partner | 1u << COST_inattention | 1u << COST_wire)

/* What is replayed, each saves more than the one before. */
enum sending_aim {
	SENDING_LIKELY,  /* all of a row are waited for after the last one */
	SENDING_MOST,    /* of all that is possible what saves most: when its rank has computed; */
	SENDING_PORTLESS /* and if ports that were not seen to hold up messages do not */
};

/*
 * last: per call, of one that sends in a row the row's last call; TRACE_NONE: of any other. Returns
 * 0, or -1 with *err set (out of memory).
 */
int sending_saving_find(const struct evidence_base *b, const uint32_t *last, enum sending_aim aim,
			double *saved_s, struct err *err);

#endif
