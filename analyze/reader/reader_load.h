/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the reader share: the definitions of an archive as they are read,
 * and the tables that grow out of them. Private to reader*.c.
 *
 *   reader_files.c   which files the archive has
 *   reader_defs.c    OTF2 definitions -> struct defs
 *   reader_places.c  struct defs -> ranks, nodes, communicators, regions of the trace
 *   reader_events.c  OTF2 events of one location -> the functions of
 *   reader_calls.c   calls and records
 *   reader_rma.c     one-sided communication
 *   reader_io.c      which requests of files are open
 *   reader_metrics.c readings of counters
 *   reader_attributes.c  what their attributes say
 *   reader_silent.c  calls that have no record
 *   reader_loss.c    ranks whose files are missing or not whole
 *   reader_finish.c  open ends closed, threads merged, messages joined, time from 0
 *   reader_hands.c   ranks shared by several hands, what they read put together
 *   reader.c         opens, checks, calls these in order, and closes
 */
#ifndef ANALYZE_READER_LOAD_H
#define ANALYZE_READER_LOAD_H

#include "analyze/reader/reader_files.h"
#include "analyze/reader/reader_state.h"
#include "analyze/tools/growing.h"

/* Note that memory is short; returns -1. */
int load_no_memory(struct load *l);

/* Read all global definitions. Returns 0, or -1 with the error set. */
int load_definitions(struct load *l, uint64_t limit);
void reader_defs_release(struct defs *d);

/* Definitions -> ranks, nodes, clocks, regions, communicators. Returns 0, or -1. */
int load_places(struct load *l);

/* Find the attributes of schema.h, and make room for call sites. Returns 0, or -1. */
int load_attributes(struct load *l);

/* Is the attribute among those of an event? */
int load_says(const struct load *l, const OTF2_AttributeList *list, enum load_attribute what);

/* What an event's attributes say; 0: nothing. */
uint64_t load_number(const struct load *l, const OTF2_AttributeList *list,
		     enum load_attribute what);
void load_around_pause(const struct load *l, const OTF2_AttributeList *list, struct op *op);

/* The call site of an Enter of this region, TRACE_NONE when not known. */
uint32_t load_site(struct load *l, const OTF2_AttributeList *list, uint32_t region);

/* 73 years: what is farther from the archive's own origin is given as this far, and refused. */
#define LOAD_TIME_MOST_NS (INT64_MAX / 4)

/* No run lasts longer; and a clock that is set is not set back by more. */
#define LOAD_SPAN_MOST_NS (366LL * 24 * 3600 * 1000000000)
#define LOAD_BACK_MOST_NS 1000000000LL

/* Ticks in ns from the archive's own origin. */
int64_t load_ns(const struct load *l, OTF2_TimeStamp ticks);

/* Time in ns of the location's next event: never before that of its last one. */
int64_t load_time(struct load *l, OTF2_TimeStamp ticks);

/* One event each, at the time ns or, for records, ticks. Return 0, or -1 with the error set. */
int load_enter(struct load *l, int64_t ns, uint64_t region_id, const OTF2_AttributeList *list);
int load_leave(struct load *l, int64_t ns, uint64_t region_id);
int load_op(struct load *l, OTF2_TimeStamp ticks, uint32_t peer, struct op *op);
int load_request(struct load *l, OTF2_TimeStamp ticks, struct op *op);

/* The site that has this key in another hand's load of the same archive. */
uint32_t load_site_again(struct load *l, uint64_t key);

/* The communicator that holds this rank only; TRACE_NONE when out of memory. */
uint32_t load_self_comm(struct load *l, uint32_t comm);

/*
 * The communicator of a window, an index into the definitions: the same ranks, but a sequence of
 * collectives of its own. TRACE_NONE when not known, or out of memory.
 */
uint32_t load_window_comm(struct load *l, uint32_t window);

/* The trace's group of these ranks; TRACE_NONE when out of memory. */
uint32_t load_group(struct load *l, uint64_t id);

/* Append a record as it is. Returns 0, or -1 with the error set. */
int load_append(struct load *l, const struct op *op);

/* Read one-sided communication too; and of file access what the requests are that are open. */
void load_rma_callbacks(OTF2_EvtReaderCallbacks *c);
void load_io_callbacks(OTF2_EvtReaderCallbacks *c);

/* And readings of counters, where the definitions have those that count here. */
void load_metric_definitions(OTF2_GlobalDefReaderCallbacks *c);
void load_metric_callbacks(const struct load *l, OTF2_EvtReaderCallbacks *c);

/*
 * The world ranks of a group after those in members; one that is not there has none. Returns 0, or
 * -1.
 */
int load_members(struct load *l, uint64_t group_id, uint32_t *size, uint32_t **members);

/* Room for the cursor, and for the sites of strings. Returns 0, or -1. */
int load_cursor(struct load *l);

/*
 * How much of a location's event file is whole; of what is missing or ends early that its rank ends
 * there, which load_note_cut() completes once it is read. Returns 0, or -1 with the error set.
 */
int load_check_events(struct load *l, const struct def_location *location, uint64_t chunk_bytes,
		      struct evtcheck *whole);
void load_note_cut(struct load *l, const struct def_location *location,
		   const struct evtcheck *whole);

/*
 * Which locations lack definitions of their own, as others have some: of a rank's other threads
 * there need not be any.
 */
void load_judge_definitions(struct load *l);

/* Of a rank that was read and whose files are not whole: it pauses and does not go on. */
int load_end_early(struct load *l, uint32_t rank);

/* If all ranks are such: the run ended when its definitions say, where that is later. */
void load_end_of_run(struct load *l);

/* No event was read: 0, or -1 with the error set to which files are missing, or cut. */
int load_nothing_left(struct load *l, uint64_t chunk_bytes);

/*
 * Read the events of one location, of whose file *whole holds; less does where OTF2 finds one that
 * cannot be. Returns 0, or -1 with the error set.
 */
int load_events(struct load *l, const struct def_location *location, struct evtcheck *whole);

/* Of a rank that was read: close what is open, merge threads, join messages. Returns 0, or -1. */
int load_rank(struct load *l, uint32_t rank);

/* Put what it takes without a record among its records. Returns 0, or -1. */
int load_silent(struct load *l, uint32_t rank);

/* Let time start at 0. Returns 0, or -1. */
int load_finish(struct load *l);

#endif
