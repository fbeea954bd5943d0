/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that take a message and have no record: other recorders leave out MPI_Mrecv (Score-P) or
 * MPI_Sendrecv (EZTrace). What others received after them is known only if it is known what they
 * took.
 */
#include "analyze/reader/reader_load.h"
#include "analyze/reader/regions.h"

/* In r + 1 of which rank a region was last seen to have a record. */
static void note_records(struct load *l, uint32_t r)
{
	const struct trace *t = &l->trace;

	for (uint32_t i = t->ranks[r].first_op; i < t->n_ops; i++)
		if (t->ops[i].call != TRACE_NONE)
			l->recorded[t->calls[t->ops[i].call].region] = r + 1;
}

static int is_silent(const struct load *l, uint32_t r, uint32_t call)
{
	uint32_t region = l->trace.calls[call].region;

	return l->recorded[region] != r + 1 && region_receives(&l->trace.regions[region]);
}

/* A place among the rank's records for n calls that have none. */
static int add_silent(struct load *l, struct rank *rank, uint32_t r, uint32_t n)
{
	struct trace *t = &l->trace;
	uint32_t from = t->n_ops, call = rank->first_call + rank->calls;

	if (n >= TRACE_NONE - 1 - t->n_ops || GROW_BY(t->ops, (size_t)t->n_ops, n, l->cap_ops))
		return load_no_memory(l);
	t->n_ops += n;
	rank->ops += n;
	while (n && call-- > rank->first_call) {
		if (!is_silent(l, r, call))
			continue;
		while (from > rank->first_op &&
		       t->ops[from - 1].time_ns > t->calls[call].enter_ns) {
			from--;
			t->ops[from + n] = t->ops[from];
		}
		t->ops[from + --n] = (struct op){.time_ns = t->calls[call].enter_ns,
						 .call = call,
						 .peer = -1,
						 .comm = TRACE_NONE,
						 .kind = OP_TAKEN};
	}
	return 0;
}

int load_silent(struct load *l, uint32_t r)
{
	struct trace *t = &l->trace;
	struct rank *rank = &t->ranks[r];
	uint32_t n = 0;

	if (t->dated) /* ours has all */
		return 0;
	note_records(l, r);
	for (uint32_t i = rank->first_call; i < rank->first_call + rank->calls; i++)
		n += (uint32_t)is_silent(l, r, i);
	return n ? add_silent(l, rank, r, n) : 0;
}
