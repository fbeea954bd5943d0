/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/guards.h"

#include <pthread.h>

#include "interpose/job/recorder.h"

#define STACK_MAX ((uintptr_t)64 << 20) /* a main thread's stack may be unlimited */

/* The end of the stack that frame lies on, if that is the thread's own. */
static uintptr_t end_of_stack(struct lane *l, uintptr_t frame)
{
	pthread_attr_t attr;
	void *low;
	size_t bytes;

	if (SIMULATED) /* the simulator's stack; what was unwound lies on it */
		return frame + STACK_MAX;
	if (!l->stack_end && !pthread_getattr_np(pthread_self(), &attr)) {
		if (!pthread_attr_getstack(&attr, &low, &bytes) && frame >= (uintptr_t)low &&
		    frame < (uintptr_t)low + bytes) {
			l->stack_low = (uintptr_t)low;
			l->stack_end = (uintptr_t)low + bytes;
		}
		pthread_attr_destroy(&attr);
	}
	return frame < l->stack_end && l->stack_end - frame < STACK_MAX ? l->stack_end : 0;
}

/* Room for n guards, kept for the paths that take this one's place. */
static int make_room(struct site_key *k, int n)
{
	struct site_guard *guard;
	int room = n > recorder.depth ? n : (int)recorder.depth;

	if (n <= k->room)
		return 1;
	recorder_lock();
	guard = arena_alloc((size_t)room * sizeof(*guard));
	recorder_unlock();
	if (!guard)
		return 0;
	k->guard = guard;
	k->room = (uint16_t)room;
	return 1;
}

int guards_find(struct lane *l, struct site_key *k, int n, void *const callers[n])
{
	const uintptr_t *at = (const uintptr_t *)(k->sp & ~(uintptr_t)7);
	const uintptr_t *end = (const uintptr_t *)end_of_stack(l, k->sp);

	if (!make_room(k, n))
		return 0;
	for (; k->guards < n; k->guards++) {
		while (at < end && *at != (uintptr_t)callers[k->guards])
			at++;
		if (at >= end)
			break;
		k->guard[k->guards].slot = at;
		k->guard[k->guards].caller = *at++;
	}
	return 1;
}
