/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/quickest.h"

#include "common/table.h"

#define OF 20 /* one in so many */

int quickest_init(struct quickest *q, uint32_t places, struct err *err)
{
	q->counts = table_calloc(((size_t)places + 1) * QUICKEST_POWERS, sizeof(*q->counts));
	return q->counts ? 0 : err_set(err, "out of memory for %u places", places);
}

void quickest_release(struct quickest *q)
{
	table_free(q->counts);
}

void quickest_add(struct quickest *q, uint32_t place, int64_t ns)
{
	unsigned power = 0;

	for (; ns > 1 && power < QUICKEST_POWERS - 1; ns /= 2)
		power++;
	q->counts[(size_t)place * QUICKEST_POWERS + power]++;
}

int64_t quickest_ns(const struct quickest *q, uint32_t place)
{
	const uint32_t *n = &q->counts[(size_t)place * QUICKEST_POWERS];
	uint64_t all = 0, sum = 0;
	unsigned power = 0;

	for (unsigned k = 0; k < QUICKEST_POWERS; k++)
		all += n[k];
	while (power < QUICKEST_POWERS - 1 && OF * (sum += n[power]) < all)
		power++;
	return INT64_C(2) << power;
}
