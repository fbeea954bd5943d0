/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_writer.h"

#include <math.h>
#include <string.h>

#include "common/schema.h"
#include "interpose/archive/archive_defs.h"
#include "interpose/archive/archive_names.h"
#include "interpose/log/log_seal.h"

/* Without a comparison of clocks the node's own time is all there is. */
static int64_t to_ns(const struct ticks_scale *scale, const struct timeline *clock, uint64_t tick)
{
	return clock && clock->n ? timeline_ns(clock, scale, tick) : ticks_to_ns(scale, tick);
}

/* Has it times of its own? */
static int is_timed(const struct record *r)
{
	return !RECORD_IS_DEF(r->kind) && !(r->flags & RECORD_FLAG_PART);
}

static int is_call(const struct record *r)
{
	return is_timed(r) && r->kind != RECORD_METRIC && r->call < ARCHIVE_CALLS;
}

/*
 * When its process ended, as it has noted itself; INT64_MIN: it has not. The note is sealed, and so
 * is where the log's clock began: if they are much further apart by the node's comparisons of
 * clocks than by its own clock, those were changed.
 */
static int64_t noted_end_ns(const struct log_view *v, const struct timeline *clock)
{
	const struct log_anchor *end = log_sealed_end(v->header), *begin = &v->header->anchor[0];
	struct ticks_scale scale = ticks_scale_of(v->header);
	double own_ns, ns;

	if (!end)
		return INT64_MIN;
	own_ns = (double)(end->mono_ns - begin->mono_ns);
	ns = (double)to_ns(&scale, clock, end->tick) - (double)to_ns(&scale, clock, begin->tick);
	if (!(fabs(ns - own_ns) < 1e9 + 1e-3 * own_ns))
		return INT64_MIN;
	return to_ns(&scale, clock, end->tick);
}

int64_t archive_log_end_ns(const struct log_view *v, const struct timeline *clock)
{
	struct ticks_scale scale = ticks_scale_of(v->header);
	uint64_t last = v->header->anchor[1].tick;
	int64_t noted = noted_end_ns(v, clock), ns;
	const struct record *r;
	size_t i = 0;

	do
		while ((r = log_view_next(v, &i))) {
			if (is_timed(r) && r->enter > last)
				last = r->enter;
			if (is_timed(r) && r->leave > last)
				last = r->leave;
		}
	while (log_view_resume(v, &i));
	ns = to_ns(&scale, clock, last);
	return noted > ns ? noted : ns;
}

/* The time of a tick in this log, not before the last one. */
OTF2_TimeStamp writer_stamp(struct writer *w, uint64_t tick)
{
	int64_t ns = tick ? to_ns(&w->scale, w->rank->clock, tick) : w->end_ns;

	if (ns < w->last_ns)
		ns = w->last_ns;
	w->last_ns = ns;
	return (OTF2_TimeStamp)ns;
}

/* The next part of the call before *i, or NULL. */
static const struct record *next_part(const struct log_view *v, size_t *i)
{
	const struct record *r = log_view_next(v, i);

	if (r &&
	    (RECORD_IS_DEF(r->kind) || r->kind == RECORD_METRIC || r->flags & RECORD_FLAG_PART))
		return r;
	return NULL;
}

/* The parts of a call without times of their own, in log order. */
static void write_parts(struct writer *w, const struct log_view *v, size_t i, OTF2_TimeStamp t,
			void (*write)(struct writer *, const struct record *, OTF2_TimeStamp))
{
	const struct record *r;

	while ((r = next_part(v, &i)))
		if (!r->leave)
			write(w, r, t);
}

/* Those that completed before the call returned. */
static void write_earlier_parts(struct writer *w, const struct log_view *v, size_t i)
{
	const struct record *r;

	while ((r = next_part(v, &i)))
		if (r->flags & RECORD_FLAG_PART && r->leave)
			write_completion(w, r, writer_stamp(w, r->leave));
}

static void write_measurement(struct writer *w, OTF2_TimeStamp t, OTF2_MeasurementMode mode)
{
	w->paused = mode == OTF2_MEASUREMENT_OFF;
	WRITER_PUT(w, OTF2_EvtWriter_MeasurementOnOff(w->evt, NULL, t, mode));
}

/* A function's call site is written where it is not that of its last call. */
static void site_attribute(struct writer *w, const struct record *r)
{
	uint32_t site = def_global(w->rank, DEF_SITE, r->site);
	OTF2_AttributeValue value = {.stringRef = STRING_EMPTY};

	if (site == w->site[r->call])
		return;
	w->site[r->call] = site;
	if (site != UINT32_MAX)
		value.stringRef = ARCHIVE_SITE_STRING(site);
	OTF2_AttributeList_AddAttribute(w->attributes, ARCHIVE_ATTR_NEW_SITE, OTF2_TYPE_STRING,
					value);
}

/* The last call so far, if it never returned, and what for. */
static void note_open(struct writer *w, const struct record *r)
{
	w->out->inside = r->leave ? 0 : 1u + r->call;
	w->out->comm = def_global(w->rank, DEF_COMM, r->comm);
	w->out->peer = r->peer;
	w->out->tag = r->tag;
	w->out->from = r->bytes_in;
}

/* One call: enter with its call site, posts, completions, leave. */
static void write_call(struct writer *w, const struct log_view *v, const struct record *at,
		       size_t next)
{
	const struct record copy = *at, *r = &copy; /* its parts may go on for several chunks */
	OTF2_TimeStamp t = writer_stamp(w, r->enter), alive = t;
	int flood = r->kind == RECORD_TEST_FAILED && r->bytes_in;

	if (!w->out->calls++)
		w->out->first_ns = (int64_t)t;
	w->out->passes++;
	site_attribute(w, r);
	if (r->kind == RECORD_RESUME)
		write_measurement(w, t, OTF2_MEASUREMENT_ON);
	if (flood)
		flood_attributes(w, v, r, next);
	WRITER_PUT(w, OTF2_EvtWriter_Enter(w->evt, w->attributes, t, r->call));
	if (flood) {
		write_flood(w, v, r, next);
		t = writer_stamp(w, r->leave);
	} else {
		write_post(w, r, t);
		write_parts(w, v, next, t, write_post);
		write_earlier_parts(w, v, next);
		t = writer_stamp(w, r->leave);
		if (!RECORD_ENDS_LAST(r->kind) && (r->leave || r->kind == RECORD_COLL))
			write_completion(w, r, t);
		write_parts(w, v, next, t, write_completion);
		if (RECORD_ENDS_LAST(r->kind))
			write_completion(w, r, t);
		write_given(w, &v->header->given, r, t);
	}
	WRITER_PUT(w, OTF2_EvtWriter_Leave(w->evt, matched_probe(w, v, r, next), t, r->call));
	w->out->alive_ns = (int64_t)(r->leave ? t : alive);
	if (r->kind == RECORD_PAUSE)
		write_measurement(w, t, OTF2_MEASUREMENT_OFF);
	note_open(w, r);
}

/* One counter's value. */
static void write_metric(struct writer *w, const struct record *r)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = r->bytes};

	if (r->aux < COUNTERS)
		WRITER_PUT(w, OTF2_EvtWriter_Metric(w->evt, NULL, writer_stamp(w, r->enter), r->aux,
						    1, &type, &value));
}

/* Events end at the damaged place before i; of what is behind it the last call is told. */
static void write_lost(struct writer *w, const struct log_view *v, size_t i)
{
	const struct record *r;

	if (w->last_ns == INT64_MIN)
		writer_stamp(w, v->header->anchor[0].tick);
	w->out->lost_ns = w->last_ns;
	if (!w->paused)
		write_measurement(w, (OTF2_TimeStamp)w->last_ns, OTF2_MEASUREMENT_OFF);
	while (log_view_resume(v, &i))
		while ((r = log_view_next(v, &i))) {
			if (!is_call(r))
				continue;
			w->out->alive_ns =
				to_ns(&w->scale, w->rank->clock, r->leave ? r->leave : r->enter);
			note_open(w, r);
		}
	write_measurement(w, writer_stamp(w, 0), OTF2_MEASUREMENT_ON);
}

int archive_write_log(struct archive *a, const struct log_view *v, const struct def_rank *rank,
		      const struct unreceived *open, int64_t end_ns, struct archive_location *out,
		      struct err *err)
{
	struct writer w = {.attributes = a->attributes,
			   .rank = rank,
			   .open = open,
			   .end_ns = end_ns,
			   .scale = ticks_scale_of(v->header),
			   .last_ns = INT64_MIN,
			   .out = out};
	int64_t noted = noted_end_ns(v, rank->clock);
	const struct record *r;
	size_t i = 0;

	if (noted != INT64_MIN && !v->lack)
		w.end_ns = noted;
	memset(w.site, 0xff, sizeof(w.site));
	memset(out, 0, sizeof(*out));
	out->rank = v->header->rank;
	out->thread = v->header->thread;
	out->full_ns = ARCHIVE_NOT_FULL;
	out->lost_ns = ARCHIVE_NOT_LOST;
	if (v->header->full)
		out->full_ns = to_ns(&w.scale, rank->clock, v->header->full_tick);
	out->writing_ns = (int64_t)((double)v->header->writing_ticks * w.scale.ns_per_tick);
	out->unwinding_ns = (int64_t)((double)v->header->unwinding_ticks * w.scale.ns_per_tick);
	w.evt = OTF2_Archive_GetEvtWriter(a->otf2, SCHEMA_LOCATION(out->rank, out->thread));
	w.def = OTF2_Archive_GetDefWriter(a->otf2, SCHEMA_LOCATION(out->rank, out->thread));
	if (!w.evt || !w.def)
		return err_set(err, "cannot write events of rank %u: %s", out->rank, a->why);
	while (!w.failed && !a->failed && (r = log_view_next(v, &i)))
		if (r->kind == RECORD_METRIC)
			write_metric(&w, r);
		else if (is_call(r))
			write_call(&w, v, r, i);
	if (v->lack && !w.failed && !a->failed)
		write_lost(&w, v, i);
	if (w.paused && rank->header.full) { /* the clock was read to the end all the same */
		write_measurement(&w, writer_stamp(&w, 0), OTF2_MEASUREMENT_ON);
		out->alive_ns = to_ns(&w.scale, rank->clock, v->header->anchor[1].tick);
	}
	out->last_ns = w.last_ns;
	if (noted != INT64_MIN)
		out->alive_ns = noted;
	if (!out->calls && v->lack)
		out->first_ns = out->lost_ns;
	else if (!out->calls)
		out->first_ns = out->last_ns = out->alive_ns = end_ns;
	if (w.failed || a->failed || OTF2_Archive_CloseEvtWriter(a->otf2, w.evt) != OTF2_SUCCESS ||
	    OTF2_Archive_CloseDefWriter(a->otf2, w.def) != OTF2_SUCCESS || a->failed)
		return err_set(err, "cannot write events of rank %u: %s", out->rank, a->why);
	return 0;
}
