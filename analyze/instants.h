/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two instants of the trace, ns: the later and the earlier of them. */
#ifndef ANALYZE_INSTANTS_H
#define ANALYZE_INSTANTS_H

#include <stdint.h>

static inline int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

#endif
