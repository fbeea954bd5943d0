/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/pause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "interpose/calls/wrap.h"
#include "interpose/job/full.h"
#include "interpose/objects/skipped.h"

static int starts_off;
static int goes_on; /* the pause that the recording began with */

int pause_options(int rank, struct err *err)
{
	int listed = 1;

	if (option_lists(OPTION_RANKS, rank, &listed, err))
		return -1;
	recorder.unlisted = !listed;
	starts_off = option_is_on(OPTION_START_OFF);
	return 0;
}

void pause_check_ranks(int ranks)
{
	long most = option_lists_most(OPTION_RANKS);

	if (recorder.rank == 0 && most >= ranks)
		dprintf(STDERR_FILENO,
			"contend: --ranks=%s: there is no rank %ld, the last of this job is %d\n",
			option_text(OPTION_RANKS), most, ranks - 1);
}

static void off(struct record *r)
{
	r->kind = RECORD_PAUSE;
	recorder.on = 0;
	recorder.paused = RECORDER_PAUSED;
}

void pause_at_start(struct record *init)
{
	goes_on = starts_off || recorder.unlisted;
	if (goes_on)
		off(init);
}

int pause_never_ended(void)
{
	return goes_on;
}

void pause_say_never_ended(void)
{
	if (recorder.rank == 0 && starts_off)
		dprintf(STDERR_FILENO,
			"contend: nothing was recorded: --start-off, and no rank that is to be "
			"recorded called MPI_Pcontrol(1)\n");
}

int pause_end(void)
{
	if (recorder.paused != RECORDER_PAUSED)
		return 0;
	recorder.paused = RECORDER_RUNS;
	recorder.on = 1;
	return 1;
}

/* Ids of the receives that were posted in the pause and are open. */
struct ids {
	uint64_t *id;
	size_t n;
};

static int is_open(const struct request *q)
{
	return q->kind == REQUEST_RECV && q->active && q->off && q->id;
}

/* The same of a message: its channel is known. */
static void note_message(struct request *q, void *data)
{
	struct record *r;

	if (q->kind != REQUEST_MESSAGE || !q->off)
		return;
	r = lane_part(data);
	if (!r)
		return;
	r->request = q->id;
	r->comm = q->comm;
	r->peer = q->peer;
	r->tag = q->tag;
	r->flags |= RECORD_FLAG_UNSEEN;
	r->kind = RECORD_MATCHED;
	q->off = 0;
}

static void count_id(struct request *q, void *data)
{
	struct ids *ids = data;

	ids->n += (size_t)is_open(q);
}

/* From now on it is one that was posted in the log. */
static void note_id(struct request *q, void *data)
{
	struct ids *ids = data;

	if (!is_open(q))
		return;
	ids->id[ids->n++] = q->id;
	q->off = 0;
}

/* Shell's sort: qsort() may allocate. */
static void sort(size_t n, uint64_t *id)
{
	size_t gap, i, k;

	for (gap = n / 2; gap; gap /= 2) {
		for (i = gap; i < n; i++) {
			uint64_t x = id[i];

			for (k = i; k >= gap && id[k - gap] > x; k -= gap)
				id[k] = id[k - gap];
			id[k] = x;
		}
	}
}

/* The call of s has ended a pause: note what is open since then. */
static void ended(struct scope *s)
{
	struct ids ids = {NULL, 0};
	size_t i;

	s->r->kind = RECORD_RESUME;
	skipped_write_receives(s->lane);
	requests_each(note_message, s->lane);
	requests_each(count_id, &ids);
	if (ids.n)
		ids.id = scratch_at_least(&s->lane->handles, ids.n * sizeof(*ids.id));
	if (!ids.id)
		return;
	ids.n = 0;
	requests_each(note_id, &ids);
	sort(ids.n, ids.id);
	for (i = 0; i < ids.n; i++) {
		struct record *r = lane_part(s->lane);

		if (!r)
			return;
		r->request = ids.id[i];
		r->flags |= RECORD_FLAG_UNSEEN;
		r->kind = RECORD_IRECV;
	}
}

int scope_enter_off(struct scope *s, enum call_id call, void *ra, void *frame)
{
	struct lane *l = lane_self;

	if ((!l && !(l = lane_open())) || (l->inside && left_not_yet(l, s, frame)))
		return 0;
	l->inside = s;
	s->lane = l;
	s->r = l->call = &l->unseen;
	s->r->call = (uint16_t)call;
	s->r->kind = RECORD_CALL;
	s->off = SCOPE_PAUSED;
	s->filled = s->watched = 0;
	s->done = 0;
	if (recorder.paused == RECORDER_FULL)
		full_enter(s, ra, frame);
	return 1;
}

void scope_returned_off(struct scope *s)
{
	if (s->off == SCOPE_COUNTED)
		full_returned(s);
	else if (s->off == SCOPE_WITHIN)
		s->done = ticks_now();
}

/* What may follow a level on the stack, bytes. */
#define PCONTROL_STACK 64

/* The real function with args, which are a caller's, whatever types they are of. */
static int pass_on(void *args)
{
	const int *ret = __builtin_apply((void (*)())(void *)real.Pcontrol, args, PCONTROL_STACK);

	return *ret;
}

/* Level 0 pauses the recording, others go on with it. Another tool may know what follows it. */
int wrap_Pcontrol(const int level, ...)
{
	void *args = __builtin_apply_args();
	int nested = lane_self && lane_self->inside, ends = 0, ret;
	struct scope s;

	if (level > 0 && recorder.paused == RECORDER_PAUSED && !recorder.unlisted && !nested)
		ends = pause_end();
	goes_on &= !ends;
	if ((level && !ends) || !scope_enter(&s, CALL_Pcontrol, __builtin_return_address(0),
					     __builtin_frame_address(0)))
		return pass_on(args);
	ret = pass_on(args);
	scope_returned(&s);
	if (ends)
		ended(&s);
	else
		off(s.r);
	scope_leave(&s);
	return ret;
}
