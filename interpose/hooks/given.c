/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/given.h"

#include "interpose/hooks/scope.h"
#include "interpose/objects/requests.h"

static int is_wait(const struct record *r)
{
	return r->call == CALL_Wait || r->call == CALL_Waitall || r->call == CALL_Waitany ||
	       r->call == CALL_Waitsome;
}

/* When the call began comes last, as the process may be gone before. */
void given_note(void)
{
	struct lane *l = lane_self;
	const struct saved *saved;
	struct log_given *given;
	uint32_t n = 0;
	int i, count;

	if (!l || !l->waiting || !l->call || !is_wait(l->call))
		return;
	saved = l->handles.p;
	given = &l->log.header->given;
	count = l->waiting < 0 ? -l->waiting : l->waiting;
	for (i = 0; i < count; i++) {
		uint64_t id = l->waiting < 0 ? request_awaited_taken(&saved[i].request)
					     : request_awaited(saved[i].handle);

		if (!id)
			continue;
		if (id > UINT32_MAX || n == LOG_GIVEN)
			return;
		given->id[n++] = (uint32_t)id;
	}
	given->n = n;
	__atomic_store_n(&given->enter, l->call->enter, __ATOMIC_RELEASE);
}
