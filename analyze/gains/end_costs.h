/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a message costs at its two ends, as recorded, of the calls that send and receive it. */
#ifndef ANALYZE_END_COSTS_H
#define ANALYZE_END_COSTS_H

#include "analyze/gains/evidence_base.h"

/* What a call spends on messages that it completes, and on its own sends meanwhile. */
#define END_COST_HANDLING \
	(1u << COST_handler_contention | 1u << COST_receive_overhead | 1u << COST_back_pressure)

/* Message i's overhead in the call that sends it, s. */
double end_cost_sending_s(const struct evidence_base *b, uint32_t i);

/* And in the call that posts its receive, if that is one of its own; in that which completes it. */
double end_cost_posting_s(const struct evidence_base *b, uint32_t i);
double end_cost_taking_s(const struct evidence_base *b, uint32_t i);

#endif
