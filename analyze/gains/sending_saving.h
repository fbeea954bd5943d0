/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if blocking sends in a row were begun together, and one call waited for
 * all of them: they pass the sender's port one after the other, and their receivers' ports.
 */
#ifndef ANALYZE_SENDING_SAVING_H
#define ANALYZE_SENDING_SAVING_H

#include "analyze/gains/evidence_base.h"

struct sending_saving {
	double together_s; /* likely, if all of a row are waited for after the last one */
	double later_s;    /* at most, if the rank's next call does so: when it has computed; */
	double portless_s; /* and if ports that were not seen to hold up messages do not */
};

/*
 * last: per call, of one that sends in a row the row's last call; TRACE_NONE: of any other. Returns
 * 0, or -1 with *err set (out of memory).
 */
int sending_saving_find(const struct evidence_base *b, const uint32_t *last,
			struct sending_saving *out, struct err *err);

#endif
