/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_sent.h"

#include "analyze/tools/find_first.h"

int wanted_fits(struct wanted wanted, const struct loose *send)
{
	return (wanted.tag < 0 || wanted.tag == send->tag) &&
	       (wanted.comm == TRACE_NONE || wanted.comm == send->comm);
}

static int is_for(const struct loose *row, uint32_t to, struct wanted wanted)
{
	return row->is_send && row->peer == to && wanted_fits(wanted, row);
}

const struct loose *stand_sent(const struct stands *s, uint32_t rank, uint32_t to,
			       struct wanted wanted)
{
	const struct loose_ends *l = &s->m->loose;
	size_t k = 0;

	FIND_FIRST(k, l->n, l->row[k].rank >= rank);
	for (; k < l->n && l->row[k].rank == rank; k++)
		if (is_for(&l->row[k], to, wanted))
			return &l->row[k];
	return NULL;
}

const struct loose *stand_sent_by_any(const struct stands *s, uint32_t to, struct wanted wanted)
{
	const struct loose_ends *l = &s->m->loose;

	for (size_t k = 0; k < l->n; k++)
		if (is_for(&l->row[k], to, wanted))
			return &l->row[k];
	return NULL;
}
