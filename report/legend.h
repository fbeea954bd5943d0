/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the named parts of time are called in print, from costs.def. */
#ifndef REPORT_LEGEND_H
#define REPORT_LEGEND_H

#include <stddef.h>

struct legend_row {
	const char *name;    /* key in the document */
	const char *label;   /* "message handlers" */
	const char *colour;  /* "#b07aa1" */
	const char *meaning; /* a clause */
};

/* How many parts there are. */
enum {
	LEGEND_PARTS = 0
#define COST(name, label, colour, meaning) +1
#include "analyze/costs.def"
#undef COST
};

const struct legend_row *legend_at(size_t i);

/* The label of a key; NULL: it is none. */
const char *legend_label(const char *name);

#endif
