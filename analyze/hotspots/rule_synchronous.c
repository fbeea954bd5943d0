/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: blocking sends one after the other, each of which waits for its receiver. Begun
 * together (MPI_Isend, one MPI_Waitall) the waits overlap, and one after the other they pass the
 * port; a last one's wait overlaps the computation before the rank's next call that waits. What the
 * run saves so says a replay. If the program may go on before the data have left is not in the
 * trace: nothing is certain.
 */
#include "analyze/gains/serial_sends.h"
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>

#define SENDS_MIN   10   /* fewer are no habit */
#define COMPUTE_MIN 0.05 /* of wall time: to mention what would overlap with computation only */

/* Why computation after its rows is no part of what is likely. */
static const char *in_words(unsigned doubts)
{
	if (doubts & SENDING_UNKNOWN)
		return ", which counts at most: whether large ones move without their sender's "
		       "calls is not known";
	if (doubts & SENDING_UNMOVED)
		return ", which counts at most: large ones do not move without their sender's "
		       "calls";
	return "";
}

static int report(struct serial_sends *s, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = s->b;
	struct hotspot h = {.kind = "synchronous", .rank = TRACE_NONE};
	double per_run = s->runs ? (double)s->sends / s->runs : 1;
	double portless_s;

	if (serial_sends_save(s, key, &h.saves_mid_s, &h.saves_high_s, err))
		return -1;
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s &&
	    h.saves_high_s < COMPUTE_MIN * b->wall_s)
		return 0;
	if (sending_saving_find(&s->saving, key, SENDING_PORTLESS, &portless_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_high_s, portless_s);
	h.site = senders_site(&b->senders, key);
	h.region = senders_region(&b->senders, key);
	if (s->overlap_s > 0)
		snprintf(h.title, sizeof(h.title),
			 "sends wait for their receivers one after the other");
	else
		snprintf(h.title, sizeof(h.title),
			 "sends wait for their receivers while nothing else is done");
	snprintf(
		h.why, sizeof(h.why),
		"not contention%s: %u blocking sends wait %s of all ranks; %s of that would "
		"overlap if those in a row were begun together, the rest only with computation%s%s",
		s->unqueues ? ", but makes more of it" : "", s->sends,
		number_seconds(s->waited_s).text, number_seconds(s->overlap_s).text,
		in_words(s->saving.doubts),
		s->unqueues ? "; most is saved as they would not queue behind those of other ranks"
			    : "");
	snprintf(h.advice, sizeof(h.advice), "%s",
		 s->overlap_s > 0
			 ? "begin them with MPI_Isend and wait for all with one MPI_Waitall, after "
			   "the computation that does not touch the data"
			 : "begin each with MPI_Isend and wait for it only after the computation "
			   "that does not touch the data");
	hotspot_evidence(&h, "sends", s->sends);
	hotspot_evidence(&h, "runs", s->runs);
	hotspot_evidence(&h, "sends_in_a_row", per_run);
	hotspot_evidence(&h, "waited_s", s->waited_s);
	hotspot_evidence(&h, "overlap_s", s->overlap_s);
	return findings_add(out, &h, err);
}

int rule_synchronous(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct serial_sends s;
	int ret = serial_sends_init(&s, b, err);

	for (uint32_t key = 0; !ret && key < b->senders.keys; key++) {
		if (!(b->senders.kinds[key] & SERIAL_SENDS_BLOCKING))
			continue;
		serial_sends_cut(&s, key);
		if (s.sends >= SENDS_MIN && s.waited_s >= RULE_LEAST_SHARE * b->rank_time_s)
			ret = report(&s, key, out, err);
		serial_sends_forget(&s, key);
	}
	serial_sends_release(&s);
	return ret;
}
