/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which things belong together: each leads, in a table by index, to one of its set or to itself. */
#ifndef ANALYZE_SETS_H
#define ANALYZE_SETS_H

#include <stdint.h>

/* The one that all of i's set lead to. */
static inline uint32_t sets_head(uint32_t *leads_to, uint32_t i)
{
	while (leads_to[i] != i)
		i = leads_to[i] = leads_to[leads_to[i]];
	return i;
}

static inline void sets_join(uint32_t *leads_to, uint32_t a, uint32_t b)
{
	leads_to[sets_head(leads_to, a)] = sets_head(leads_to, b);
}

#endif
