/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/quickest.h"

#include "common/table.h"

#define OF     20 /* one in so many */
#define POWERS 48

int quickest_init(struct quickest *q, uint32_t places, struct err *err)
{
	q->counts = table_calloc(((size_t)places + 1) * POWERS, sizeof(*q->counts));
	q->ns = table_calloc((size_t)places + 1, sizeof(*q->ns));
	return q->counts && q->ns ? 0 : err_set(err, "out of memory for %u places", places);
}

void quickest_release(struct quickest *q)
{
	table_free(q->ns);
	table_free(q->counts);
}

void quickest_add(struct quickest *q, uint32_t place, int64_t ns)
{
	unsigned power = 0;

	if (ns <= 0)
		return;
	for (; ns > 1 && power < POWERS - 1; ns /= 2)
		power++;
	q->counts[(size_t)place * POWERS + power]++;
}

static int64_t at_place(const uint32_t *n)
{
	uint64_t all = 0, sum = 0;
	unsigned power = 0;

	for (unsigned k = 0; k < POWERS; k++)
		all += n[k];
	while (power < POWERS - 1 && OF * (sum += n[power]) < all)
		power++;
	return INT64_C(1) << power;
}

void quickest_find(struct quickest *q, uint32_t places)
{
	for (uint32_t k = 0; k < places; k++)
		q->ns[k] = at_place(&q->counts[(size_t)k * POWERS]);
	table_free(q->counts);
	q->counts = NULL;
}
