/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of an archive that are missing or not whole: the others' events are read all the same. */
#include "analyze/reader/reader_load.h"

#include <inttypes.h>
#include <unistd.h>

static void note(struct rank *rank, const struct def_location *location, enum loss what,
		 uint64_t events, int64_t end_ns)
{
	if (rank->loss.what != LOSS_NONE && rank->loss.end_ns <= end_ns)
		return;
	rank->loss = (struct rank_loss){what, location->id, events, location->events, end_ns};
}

int load_check_events(struct load *l, const struct def_location *location, uint64_t chunk_bytes,
		      struct evtcheck *whole)
{
	struct rank *rank = &l->trace.ranks[location->rank];
	char path[PATH_MAX];

	*whole = (struct evtcheck){0};
	if (load_file(l, path, "/%" PRIu64 ".evt", location->id))
		return -1;
	if (!location->events && access(path, F_OK))
		return 0;
	if (evtcheck_file(path, EVTCHECK_EVENTS, chunk_bytes, whole, l->err) &&
	    whole->end == EVTCHECK_OTHER)
		return -1;
	if (location->lacks_definitions) {
		note(rank, location, LOSS_DEFINITIONS, 0, INT64_MIN);
		whole->records = 0;
	} else if (whole->end != EVTCHECK_OTHER && !whole->records) {
		note(rank, location,
		     whole->end == EVTCHECK_CUT       ? LOSS_CUT
		     : whole->end == EVTCHECK_DAMAGED ? LOSS_DAMAGED
						      : LOSS_MISSING,
		     0, INT64_MIN);
	}
	return 0;
}

void load_note_cut(struct load *l, const struct def_location *location,
		   const struct evtcheck *whole)
{
	if (whole->end != EVTCHECK_OTHER && whole->records)
		note(&l->trace.ranks[location->rank], location,
		     whole->end == EVTCHECK_CUT ? LOSS_CUT : LOSS_DAMAGED, whole->records,
		     l->at.last_ns);
}

/* What came after that in other threads tells nothing of the rank as a whole. */
static void drop_later(struct trace *t, struct rank *rank, int64_t end_ns)
{
	while (rank->calls && t->calls[rank->first_call + rank->calls - 1].enter_ns > end_ns)
		rank->calls--;
	t->n_calls = rank->first_call + rank->calls;
	while (rank->ops && t->ops[rank->first_op + rank->ops - 1].time_ns > end_ns)
		rank->ops--;
	t->records -= t->n_ops - (rank->first_op + rank->ops);
	t->n_ops = rank->first_op + rank->ops;
	for (uint32_t i = rank->first_call; i < t->n_calls; i++)
		if (t->calls[i].leave_ns > end_ns)
			t->calls[i].leave_ns = end_ns;
	rank->end_ns = end_ns;
	if (end_ns == INT64_MIN)
		rank->begin_ns = end_ns;
}

int load_end_early(struct load *l, uint32_t r)
{
	struct trace *t = &l->trace;
	struct rank *rank = &t->ranks[r];
	struct op pause = {.kind = OP_PAUSE, .call = TRACE_NONE, .peer = -1, .comm = TRACE_NONE};

	if (rank->loss.what == LOSS_NONE)
		return 0;
	pause.time_ns = rank->loss.end_ns;
	drop_later(t, rank, rank->loss.end_ns);
	if (load_append(l, &pause))
		return -1;
	t->records--;
	rank->ops++;
	return 0;
}

void load_end_of_run(struct load *l)
{
	const struct trace *t = &l->trace;
	uint64_t from = l->defs.global_offset, length = l->defs.length;
	int64_t end_ns;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (t->ranks[r].loss.what == LOSS_NONE)
			return;
	if (!t->n_ranks || length > UINT64_MAX - from)
		return;
	end_ns = load_ns(l, from + length);
	if (end_ns > l->last_ns && end_ns - l->first_ns <= LOAD_SPAN_MOST_NS)
		l->last_ns = end_ns;
}

void load_judge_definitions(struct load *l)
{
	struct defs *d = &l->defs;
	uint64_t any = 0;
	size_t i;

	for (i = 0; i < d->n_locations; i++)
		any |= d->locations[i].own.records;
	for (i = 0; i < d->n_locations; i++) {
		struct def_location *location = &d->locations[i];

		location->lacks_definitions =
			location->own.end == EVTCHECK_CUT ||
			location->own.end == EVTCHECK_DAMAGED ||
			(any && !location->thread && location->own.end == EVTCHECK_MISSING);
	}
}

int load_nothing_left(struct load *l, uint64_t chunk_bytes)
{
	const struct defs *d = &l->defs;
	struct evtcheck whole;
	char path[PATH_MAX];
	size_t i;

	if (load_find_files(l))
		return -1;
	for (i = 0; i < d->n_locations; i++) {
		const struct def_location *location = &d->locations[i];

		if (location->rank == TRACE_NONE ||
		    l->trace.ranks[location->rank].loss.what == LOSS_NONE)
			continue;
		if (load_file(l, path, "/%" PRIu64 ".evt", location->id) ||
		    evtcheck_file(path, EVTCHECK_EVENTS, chunk_bytes, &whole, l->err))
			return -1;
		return err_set(l->err,
			       "%s: the definitions of its locations are missing or end early: the "
			       "copy or the recording is not whole; copy or record it again",
			       l->anchor);
	}
	return 0;
}
