/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/onesided.h"

#include "analyze/tools/find_first.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

const char *onesided_cause_name(enum onesided_cause cause)
{
	static const char *const names[ONESIDED_CAUSES] = {
		[ONESIDED_NOBODY] = "nobody",
		[ONESIDED_LATE_POST] = "late_post",
		[ONESIDED_LATE_COMPLETE] = "late_complete",
		[ONESIDED_LOCKED] = "lock",
		[ONESIDED_PROGRESS] = "progress",
	};

	return names[cause];
}

static enum onesided_sync sync_of(const char *name)
{
	static const struct {
		const char *begin;
		enum onesided_sync sync;
	} rows[] = {
		{"MPI_Win_start", ONESIDED_START},   {"MPI_Win_post", ONESIDED_POST},
		{"MPI_Win_comp", ONESIDED_COMPLETE}, {"MPI_Win_wait", ONESIDED_WAIT},
		{"MPI_Win_test", ONESIDED_WAIT},     {"MPI_Win_lock", ONESIDED_TAKE},
		{"MPI_Win_flush", ONESIDED_FLUSH},   {"MPI_Win_unlock", ONESIDED_GIVE},
		{"MPI_Win_fence", ONESIDED_FENCE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strncmp(name, rows[i].begin, strlen(rows[i].begin)))
			return rows[i].sync;
	return ONESIDED_OTHER;
}

int onesided_offer(const struct trace *t, struct onesided_call *x, enum onesided_cause cause,
		   uint32_t rank, int64_t until_ns)
{
	if (until_ns <= x->until_ns || until_ns > t->calls[x->call].leave_ns)
		return 0;
	x->until_ns = until_ns;
	x->cause = (uint8_t)cause;
	x->rank = rank;
	return 1;
}

struct onesided_call *onesided_at(const struct onesided *o, uint32_t call)
{
	uint32_t at = 0;

	FIND_FIRST(at, o->n, o->calls[at].call >= call);
	return at < o->n && o->calls[at].call == call ? &o->calls[at] : NULL;
}

/* All calls that synchronize. */
static int list_calls(struct onesided *o, const struct trace *t)
{
	uint8_t *sync = calloc((size_t)t->n_regions + 1, 1);
	uint32_t calls = 0, n = 0, i;

	for (i = 0; sync && i < t->n_regions; i++) {
		sync[i] = (uint8_t)sync_of(t->regions[i].name);
		if (sync[i] != ONESIDED_OTHER) /* else none of the calls does */
			calls = t->n_calls;
	}
	for (i = 0; sync && i < calls; i++)
		n += sync[t->calls[i].region] != ONESIDED_OTHER;
	o->calls = table_calloc((size_t)n + 1, sizeof(*o->calls));
	for (i = 0; sync && o->calls && i < calls; i++) {
		const struct call *c = &t->calls[i];

		if (sync[c->region] != ONESIDED_OTHER)
			o->calls[o->n++] = (struct onesided_call){.until_ns = c->enter_ns,
								  .call = i,
								  .rank = TRACE_NONE,
								  .target = TRACE_NONE,
								  .sync = sync[c->region]};
	}
	i = !sync || !o->calls;
	free(sync);
	return i ? -1 : 0;
}

int onesided_find(struct onesided *out, const struct trace *t, const struct presence *presence,
		  const struct machine *machine, struct err *err)
{
	struct onesided o = {0};

	if (list_calls(&o, t) || (o.n && (onesided_epochs(&o, t) || onesided_locks(&o, t)))) {
		onesided_release(&o);
		return err_set(err, "out of memory for the one-sided communication of %u calls",
			       t->n_calls);
	}
	onesided_targets(&o, t, presence, machine);
	*out = o;
	return 0;
}

void onesided_release(struct onesided *o)
{
	table_free(o->calls);
	*o = (struct onesided){0};
}
