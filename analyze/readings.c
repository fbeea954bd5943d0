/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/readings.h"

#include <string.h>

#include "analyze/tools/growing.h"

enum reading_of reading_named(const char *name)
{
	static const char *const names[READING_KINDS] = {
		[READING_SENT_AGAIN] = "tcp_retransmits",
		[READING_TIMEOUTS] = "tcp_timeouts",
	};
	int k = 0;

	while (k < READING_KINDS && strcmp(names[k], name) != 0)
		k++;
	return (enum reading_of)k;
}

int readings_add(struct readings *r, struct counter_reading one)
{
	if (GROW(r->v, r->n, r->cap))
		return -1;
	r->v[r->n++] = one;
	return 0;
}

void readings_release(struct readings *r)
{
	table_free(r->v);
	*r = (struct readings){0};
}
