/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the document's two views, side by side. */
#ifndef REPORT_BUDGET_ROWS_H
#define REPORT_BUDGET_ROWS_H

#include <jansson.h>

#include "report/legend.h"

struct budget_row {
	const struct legend_row *legend;
	double s, share, low, high; /* of the budget: shares of rank time */
	double blame;               /* share of message time */
};

/* All parts, those with most rank time first. */
void budget_rows(const json_t *document, struct budget_row rows[LEGEND_PARTS]);

#endif
