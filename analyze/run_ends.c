/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run_ends.h"

/* Nobody's run is longer: such a number is damage. */
#define RUN_MAX_S (366.0 * 24 * 3600)

void run_ends_mark(const struct run *r, struct trace *t)
{
	const json_t *rows = run_unfinished(r);
	size_t i;

	/* of a rank whose end is not known this is its last call, which the trace has */
	for (i = 0; i < json_array_size(rows); i++) {
		const json_t *alive = json_object_get(json_array_get(rows, i), "alive_s");
		double s = json_number_value(alive);

		if (s > 0 && s < RUN_MAX_S && (int64_t)(s * 1e9) > t->wall_ns)
			t->wall_ns = (int64_t)(s * 1e9);
	}
}
