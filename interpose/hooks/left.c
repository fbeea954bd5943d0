/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/left.h"

#include <errno.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include "interpose/hooks/hooks.h"

static int on_own_stack(const struct lane *l, const struct scope *s)
{
	return (uintptr_t)s >= l->stack_low && (uintptr_t)s < l->stack_end;
}

static int on_signal_stack(void)
{
	stack_t now;

	return !sigaltstack(NULL, &now) && now.ss_flags & SS_ONSTACK;
}

/* Its place may hold anything by now: the variables of whatever function lies there. */
__attribute__((no_sanitize("address", "thread"))) static int holds(const struct lane *l,
								   const struct scope *s)
{
	const struct scope *volatile at = s;

	return at->lane == l && at->r == l->call;
}

/* The same of another stack, which may be gone. */
static int holds_elsewhere(const struct lane *l, const struct scope *s)
{
	struct scope copy;
	struct iovec here = {&copy, sizeof(copy)}, there = {(void *)(uintptr_t)s, sizeof(copy)};

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof(copy) &&
	       copy.lane == l && copy.r == l->call;
}

/* A call inside of another lies deeper, and that other's scope is still what it was. */
static int is_inside(const struct lane *l, const struct scope *s, const void *frame)
{
	const struct scope *outer = l->inside;
	int outer_is_own = on_own_stack(l, outer);

	if (outer >= s && (const void *)outer <= frame)
		return 0;
	if (outer_is_own && s > outer && on_own_stack(l, s) && !on_signal_stack())
		return 0;
	return outer_is_own ? holds(l, outer) : holds_elsewhere(l, outer);
}

int left_not_yet(struct lane *l, const struct scope *s, const void *frame)
{
	int saved = errno, inside = l->inside == LANE_BUSY || is_inside(l, s, frame);

	if (!inside)
		left_for_good(l);
	errno = saved;
	return inside;
}

/* A leave of 0 would put what comes after it at the end of the job. */
void left_for_good(struct lane *l)
{
	struct record *r = l->inside && l->inside != LANE_BUSY ? l->call : NULL;

	if (r && !r->leave) {
		r->kind = RECORD_CALL;
		r->leave = ticks_now();
	}
	hook_left(l);
	l->inside = NULL;
	l->call = NULL;
}
