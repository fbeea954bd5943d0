/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocking sends begun instead, those of a row together, and waited for in the rank's next call
 * that waits. Whether the data may be used meanwhile is not in a trace: at least nothing is saved.
 */
#include "analyze/changes/changes.h"

#include <math.h>
#include <stdio.h>

#include "analyze/gains/serial_sends.h"

#define TITLE "sends begun with MPI_Isend"

static int try_place(struct serial_sends *s, uint32_t key, struct changes *out, struct err *err)
{
	struct change x = {.kind = "asynchronous",
			   .site = senders_site(&s->b->senders, key),
			   .region = senders_region(&s->b->senders, key),
			   .title = TITLE};
	double likely_s, most_s, portless_s;

	if (serial_sends_save(s, key, &likely_s, &most_s, err) ||
	    sending_saving_find(&s->saving, key, SENDING_PORTLESS, &portless_s, err))
		return -1;
	x.saving = (struct what_if_saving){0, likely_s, fmax(most_s, portless_s)};
	return changes_add(out, &x, err);
}

int change_asynchronous(const struct evidence_base *b, const struct changes_asked *asked,
			struct changes *out, struct err *err)
{
	uint32_t first = out->n;
	struct serial_sends s;
	int ret;

	if (!asked->asynchronous)
		return 0;
	ret = serial_sends_init(&s, b, err);
	for (uint32_t key = 0; !ret && key < b->senders.keys; key++) {
		if (!(b->senders.kinds[key] & SERIAL_SENDS_BLOCKING))
			continue;
		serial_sends_cut(&s, key);
		if (s.sends > 0)
			ret = try_place(&s, key, out, err);
		serial_sends_forget(&s, key);
	}
	serial_sends_release(&s);
	if (ret || out->n > first)
		return ret;
	return changes_refuse(out, "asynchronous", TITLE,
			      "no call sends and waits: MPI_Send, MPI_Ssend or the like", err);
}
