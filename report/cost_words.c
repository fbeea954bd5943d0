/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/cost_words.h"

#include <stdio.h>

#include "common/number.h"
#include "report/pick.h"

#define SHOWN 0.01 /* of the wall time */

void cost_words(const json_t *document, size_t size, char text[size])
{
	const json_t *quality = pick(document, "quality");
	double share = pick_number(quality, "recording_cost_share", -1.0);
	double most = pick_number(quality, "recording_cost_high", 0.0);
	double finishing_s = pick_number(quality, "finishing_s", 0.0);
	char between[48] = "", after[48] = "";

	text[0] = '\0';
	if (share < 0.0)
		return;
	if (most >= SHOWN)
		snprintf(between, sizeof(between), " [%.1f-%.1f]",
			 100.0 * pick_number(quality, "recording_cost_low", 0.0), 100.0 * most);
	if (finishing_s > 0.0 && finishing_s >= SHOWN * pick_number(document, "run.wall_s", 0.0))
		snprintf(after, sizeof(after), ", and %s after it",
			 number_seconds(finishing_s).text);
	snprintf(text, size, "recording cost %s%s of it%s",
		 share < 0.0005 ? "under 0.1 %" : number_share(share).text, between, after);
}
