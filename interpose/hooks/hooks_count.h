/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call sends and receives: in bytes, and counted where it is not recorded (full.h) or told
 * of later (skipped.h).
 */
#ifndef INTERPOSE_HOOKS_COUNT_H
#define INTERPOSE_HOOKS_COUNT_H

#include "interpose/hooks/scope.h"
#include "interpose/objects/sizes.h"
#include "interpose/objects/skipped.h"

/* Of elements whose size no int can hold. */
uint64_t hook_large_bytes(MPI_Count count, MPI_Datatype type);

/*
 * Bytes of so many elements, for a call that returned ret, or with before for one that is yet to
 * be made: what cannot be asked for then is 0, and hook_asks_again().
 */
static inline uint64_t hook_bytes_when(struct scope *before, int ret, MPI_Count count,
				       MPI_Datatype type)
{
	int size = size_of_type(type);

	if (size && count > 0)
		return (uint64_t)count * (uint64_t)size;
	if (count <= 0 || ret != MPI_SUCCESS || !size_is_there(type))
		return 0;
	if (SIZES_COME_LATER && before && before->lane->sizes != LANE_SIZES_ASKED) {
		before->lane->sizes = LANE_SIZES_WANTED;
		return 0;
	}
	if (real.Type_size(type, &size))
		return 0;
	if (size < 0)
		return hook_large_bytes(count, type);
	return (uint64_t)count * (uint64_t)size;
}

static inline uint64_t hook_bytes(MPI_Count count, MPI_Datatype type)
{
	return hook_bytes_when(NULL, MPI_SUCCESS, count, type);
}

/* Are sizes to be asked for, now that the call has succeeded? Then hook_asked() has to follow. */
static inline int hook_asks_again(struct scope *s, int ret)
{
	if (!SIZES_COME_LATER || USUAL(s->lane->sizes == LANE_SIZES_KNOWN))
		return 0;
	s->lane->sizes = ret == MPI_SUCCESS ? LANE_SIZES_ASKED : LANE_SIZES_KNOWN;
	return ret == MPI_SUCCESS;
}

static inline void hook_asked(struct scope *s)
{
	s->lane->sizes = LANE_SIZES_KNOWN;
}

/* Did this error code's call, or request, bring a message all the same, one cut to the buffer? */
static inline int hook_is_cut(int code)
{
	int class = MPI_SUCCESS;

	return code != MPI_SUCCESS && !real.Error_class(code, &class) && class == MPI_ERR_TRUNCATE;
}

/* A call that failed did nothing worth more than its time. */
void hook_failed(struct scope *s);

/* hook_on_channel(), in a pause or after one. */
uint32_t hook_skips_channel(const struct scope *s, struct skipped_channel c);

static inline void hook_result(struct scope *s, int ret)
{
	if (ret != MPI_SUCCESS)
		hook_failed(s);
}

/*
 * One more send or collective on a channel: counted in a pause, else it says how many were
 * counted before it.
 */
static inline uint32_t hook_on_channel(struct scope *s, enum skipped_way way, uint32_t comm,
				       int peer, int tag)
{
	if (USUAL(!s->off && !recorder.skipped))
		return 0;
	return hook_skips_channel(s, (struct skipped_channel){way, comm, peer, tag});
}

/* Bytes to send, if anybody will hear of them. */
static inline uint64_t hook_bytes_of(const struct scope *s, MPI_Count count, MPI_Datatype type)
{
	return s->off == SCOPE_PAUSED ? 0 : hook_bytes(count, type);
}

/* A message goes or has come; a collective gives and takes bytes. */
static inline void hook_count_sent(struct scope *s, uint64_t bytes)
{
	if (__builtin_expect(s->off == SCOPE_COUNTED, 0)) {
		s->total->sent++;
		s->total->sent_bytes += bytes;
	}
}

static inline void hook_count_received(struct scope *s, uint64_t bytes)
{
	if (__builtin_expect(s->off == SCOPE_COUNTED, 0)) {
		s->total->received++;
		s->total->received_bytes += bytes;
	}
}

static inline void hook_count_coll(struct scope *s, uint64_t out, uint64_t in)
{
	if (__builtin_expect(s->off == SCOPE_COUNTED, 0)) {
		s->total->sent_bytes += out;
		s->total->received_bytes += in;
	}
}

#endif
