/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/legend.h"

#include <assert.h>
#include <string.h>

static const struct legend_row rows[LEGEND_PARTS] = {
#define COST(name, label, colour, meaning) {#name, label, colour, meaning},
#include "analyze/costs.def"
#undef COST
};

const struct legend_row *legend_at(size_t i)
{
	assert(i < LEGEND_PARTS);
	return &rows[i];
}

const char *legend_label(const char *name)
{
	for (size_t i = 0; i < LEGEND_PARTS; i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].label;
	return NULL;
}
