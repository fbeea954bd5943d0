/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry of a call. Every call of the program goes through here: what is usual is in one piece
 * that calls nothing, all else is done by the other.
 */
#include "interpose/hooks/hooks.h"

#include <string.h>

/* The lane is inside of the call of s, whose record is r: NULL when it has none yet. */
static inline void begin(struct scope *s, struct lane *l, struct record *r)
{
	s->lane = l;
	s->r = l->call = r;
	l->inside = s;
}

/* r, the first free unit, becomes the record of the call of s. */
static inline void fill(struct scope *s, struct record *r, enum call_id call, uint32_t site,
			uint64_t now)
{
	s->lane->log.next = r + 1;
	r->enter = now;
	r->site = site;
	r->call = (uint16_t)call;
	atomic_signal_fence(memory_order_release);
	r->kind = RECORD_CALL;
	s->filled = s->watched = 0;
	s->done = 0;
	s->off = 0;
}

/* A thread's first call, one from a new place, when the clock is due or the half is full. */
static __attribute__((noinline)) int enter_rarely(struct scope *s, enum call_id call, void *ra,
						  void *frame)
{
	struct lane *l = lane_self;
	struct record *r;
	uint32_t site;
	uint64_t now;

	if ((!l && !(l = lane_open())) || (l->inside && left_not_yet(l, s, frame)))
		return 0;
	begin(s, l, NULL);
	site = site_find(l, ra, frame);
	now = ticks_now();
	if (now >= l->anchor_due)
		now = lane_anchor(l, now);
	r = l->log.next;
	if (r == l->log.end && !(r = lane_room(l, 1))) {
		l->inside = NULL;
		return 0;
	}
	begin(s, l, r);
	fill(s, r, call, site, now);
	return 1;
}

int scope_enter(struct scope *s, enum call_id call, void *ra, void *frame)
{
	struct lane *l = lane_self;
	const struct site_key *site;
	struct record *r;
	uint64_t now;

	if (!recorder.on)
		return 0;
	if (!USUAL(l && !l->inside && ticks_are_cycles))
		return enter_rarely(s, call, ra, frame);
	site = site_known(l, (uintptr_t)ra, (uintptr_t)frame);
	r = l->log.next;
	now = ticks_cycles();
	if (!USUAL(site && r != l->log.end && now < l->anchor_due))
		return enter_rarely(s, call, ra, frame);
	begin(s, l, r);
	fill(s, r, call, site->site, now);
	return 1;
}

static int may_complete(enum call_id call)
{
	return call == CALL_Wait || call == CALL_Test || call == CALL_Waitall ||
	       call == CALL_Testall || call == CALL_Waitany || call == CALL_Testany ||
	       call == CALL_Waitsome || call == CALL_Testsome || call == CALL_Cancel;
}

/* What the outer call keeps in its lane stays there: the inner one has a lane aside. */
static struct lane *lane_within(struct lane *l)
{
	if (!l->within) {
		recorder_lock();
		l->within = arena_alloc(sizeof(*l->within));
		recorder_unlock();
	}
	return l->within;
}

int scope_enter_within(struct scope *s, enum call_id call)
{
	struct lane *l = lane_self, *aside;

	if (!recorder.on || !l || !l->inside || l->inside == LANE_BUSY || !may_complete(call))
		return 0;
	aside = lane_within(l);
	if (!aside || (aside->inside && aside->call == l->call)) /* within one that is within */
		return 0;
	memset(s, 0, sizeof(*s));
	aside->inside = s;
	aside->call = l->call;
	s->lane = aside;
	s->r = &aside->unseen;
	s->off = SCOPE_WITHIN;
	s->filled = 1;
	return 1;
}

/* The log may go on in its other half, but not twice: the outer call's record has to stay. */
static int has_room_within(const struct lane *l)
{
	const struct log *log = &l->log;

	return log->next != log->end ||
	       (l->call >= log->half[log->sequence % 2] && l->call < log->end);
}

struct record *scope_part_off(struct scope *s)
{
	if (s->off != SCOPE_WITHIN)
		return s->r;
	return has_room_within(lane_self) ? lane_part(lane_self) : NULL;
}
