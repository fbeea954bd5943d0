/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ranks sent that nobody received, beside what others wait for. */
#ifndef ANALYZE_STAND_SENT_H
#define ANALYZE_STAND_SENT_H

#include "analyze/standing/stands.h"

/* A message that a rank waits for. */
struct wanted {
	long long tag; /* negative: any */
	uint32_t comm; /* TRACE_NONE: not known */
};

int wanted_fits(struct wanted wanted, const struct loose *send);

/* What the call that the rank is in waits for. */
static inline struct wanted wanted_by(const struct stand *at)
{
	return (struct wanted){at->tag, at->comm};
}

/* The rank's loose sends to another that fit; NULL: it has none. */
const struct loose *stand_sent(const struct stands *s, uint32_t rank, uint32_t to,
			       struct wanted wanted);

/* The same of any rank. */
const struct loose *stand_sent_by_any(const struct stands *s, uint32_t to, struct wanted wanted);

#endif
