/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/full.h"

#include "common/options.h"

#include <stdio.h>
#include <unistd.h>

static uint64_t left; /* bytes that the logs may still grow */
static int limited;
static atomic_int noted; /* the pause has begun in the log, or was there before */

int full_options(struct err *err)
{
	limited = option_text(OPTION_MAX_TRACE) != NULL;
	return option_bytes(OPTION_MAX_TRACE, &left, err);
}

void full_check(void)
{
	if (recorder.rank == 0 && limited && left < LOG_DATA_BYTES)
		dprintf(STDERR_FILENO,
			"contend: --max-trace=%s: a rank's logs take %d KiB at least, so its "
			"events end there\n",
			option_text(OPTION_MAX_TRACE), LOG_DATA_BYTES / 1024);
}

void full_limit(struct log *log)
{
	if (!limited)
		return;
	log->left = &left;
	log_takes(log, LOG_DATA_BYTES);
}

static void begin(const struct log *log, const char *why)
{
	noted = recorder.paused == RECORDER_PAUSED;
	recorder.on = 0;
	recorder.paused = RECORDER_FULL;
	recorder.header->full_tick = ticks_now();
	recorder.header->full = log->at_limit ? LOG_FULL_ASKED : LOG_FULL_DISK;
	recorder_says_once(why, "events end here, calls and messages are counted to the end");
}

/* A definition must leave half of the tail to what is known by then. */
static int fits(const struct log *log, size_t units)
{
	size_t room = (size_t)(log->end - log->next);

	return room >= units && (units == 1 || room - units >= LOG_TAIL_UNITS / 2);
}

int full_room(struct lane *l, size_t units, const char *why)
{
	if (!log_is_in_tail(&l->log))
		log_begin_tail(&l->log);
	if (!recorder.header->full)
		begin(&l->log, why);
	return fits(&l->log, units) ? 0 : -1;
}

/* One of the units that are kept for the very last. */
static void allow_last(struct log *log)
{
	if (log_is_in_tail(log) && log->end < log->tail + LOG_TAIL_UNITS)
		log->end++;
}

int full_end(void)
{
	if (recorder.paused != RECORDER_FULL)
		return 0;
	recorder.paused = 0;
	recorder.on = 1;
	if (lane_self)
		allow_last(&lane_self->log);
	return noted;
}

/* The pause begins with this call, which the log has, whatever it does. */
static struct record *note(struct lane *l, const struct record *call)
{
	struct record *r;

	allow_last(&l->log);
	r = lane_room(l, 1);
	if (!r)
		return NULL;
	l->log.next = r + 1;
	r->enter = r->leave = call->enter;
	r->site = call->site;
	r->call = call->call;
	atomic_signal_fence(memory_order_release);
	r->kind = RECORD_PAUSE;
	return r;
}

void full_enter(struct scope *s, void *ra, void *frame)
{
	struct lane *l = s->lane;
	uint64_t now;

	s->off = SCOPE_COUNTED;
	s->r->site = site_find(l, ra, frame);
	s->total = log_total_of(&l->log, s->r->call, s->r->site);
	now = ticks_now();
	if (now >= l->anchor_due)
		now = lane_anchor(l, now);
	s->r->enter = now;
	s->kept = noted || atomic_exchange(&noted, 1) ? NULL : note(l, s->r);
}

void full_returned(struct scope *s)
{
	uint64_t now = ticks_now();

	if (s->kept) {
		s->kept->leave = now;
		return;
	}
	s->total->calls++;
	s->total->ticks += now - s->r->enter;
}
