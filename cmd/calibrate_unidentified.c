/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate_unidentified.h"

static void add_unidentified(json_t *names, const char *what, uint64_t bytes, struct estimate e)
{
	if (!estimate_is_identified(e))
		json_array_append_new(names,
				      json_sprintf("%s(%llu)", what, (unsigned long long)bytes));
}

json_t *calibrate_unidentified_json(const struct calibrated_direction *d)
{
	json_t *names = json_array();
	uint32_t i;

	if (!estimate_is_identified(d->L))
		json_array_append_new(names, json_string("L"));
	for (i = 0; i < d->n; i++) {
		const struct calibrated_size *z = &d->size[i];

		add_unidentified(names, "o_s", z->bytes, z->o_s);
		add_unidentified(names, "o_r", z->bytes, z->o_r);
		add_unidentified(names, "g", z->bytes, z->g);
	}
	return names;
}
