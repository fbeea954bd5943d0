/* SPDX-License-Identifier: BSD-3-Clause */
/* A lane's log while it is written: room in it, and its clock. See lane.h. */
#include "interpose/job/recorder.h"

#include <errno.h>

#include "interpose/job/full.h"

struct record *lane_room(struct lane *l, size_t units)
{
	struct err err;
	const struct record *next = l->log.next;
	uint64_t begin = ticks_now();
	int saved = errno, rc = 0, runs = recorder.on || recorder.paused;

	if ((size_t)(l->log.end - l->log.next) < units) {
		rc = runs ? log_grow(&l->log, units, &err) : -1;
		l->log.header->writing_ticks += ticks_now() - begin;
		if (rc && runs && units < LOG_HALF_UNITS)
			rc = full_room(l, units, err.text);
		else if (rc && runs)
			recorder_inert(err.text);
	}
	if (l->log.next != next)
		l->flood.n = 0; /* its place may be written anew */
	errno = saved;
	return rc ? NULL : l->log.next;
}

uint64_t lane_anchor(struct lane *l, uint64_t now)
{
	l->log.header->anchor[1] = ticks_anchor();
	l->anchor_due = now + ticks_about_ms(100);
	if (now < l->evidence_due || !recorder.evidence.period_ticks)
		return now;
	evidence_read(l, now);
	return ticks_now();
}
