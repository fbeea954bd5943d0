/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Between archive.c (the archive's life), archive_log.c (a log, call by call),
 * archive_events.c (what a record says in OTF2's words), archive_polls.c (floods) and
 * archive_matched.c (matched probes).
 */
#ifndef INTERPOSE_ARCHIVE_WRITER_H
#define INTERPOSE_ARCHIVE_WRITER_H

#include <otf2/otf2.h>

#include "interpose/archive/archive.h"
#include "interpose/archive/archive_names.h"
#include "interpose/log/ticks.h"

struct archive {
	OTF2_Archive *otf2;
	OTF2_AttributeList *attributes;
	int failed; /* OTF2 has refused something */
	char why[256];
};

/* One log while it is being written out. */
struct writer {
	OTF2_EvtWriter *evt;
	OTF2_DefWriter *def; /* an empty file: readers expect one */
	OTF2_AttributeList *attributes;
	const struct def_rank *rank;
	const struct unreceived *open; /* NULL: none */
	struct ticks_scale scale;
	int64_t last_ns; /* times never go back */
	int64_t end_ns;
	uint32_t site[ARCHIVE_CALLS]; /* of each function's last call; UINT32_MAX: not known */
	uint64_t
		received_next; /* the last matched message that the call after its probe received */
	int paused;
	int failed;
	struct archive_location *out;
};

/*
 * Write an event by an OTF2_EvtWriter_...() call, unless one could not be written before: where the
 * disk is full OTF2 does not survive a second attempt.
 */
#define WRITER_PUT(w, call) ((w)->failed ? (void)0 : writer_count(w, call))

/* Count an event that OTF2 took, or remember that it did not. */
void writer_count(struct writer *w, OTF2_ErrorCode rc);

/* The next event gets this attribute, a UINT64. */
void writer_number(struct writer *w, OTF2_AttributeRef attribute, uint64_t n);

/* The attributes of what a pause has to do with r; NULL: nothing. */
OTF2_AttributeList *around_pause(struct writer *w, const struct record *r);

/* The time of a tick in this log, not before the last one. */
OTF2_TimeStamp writer_stamp(struct writer *w, uint64_t tick);

/* Of a flood of failing polls, whose parts follow at next: of its Enter, and what is inside. */
void flood_attributes(struct writer *w, const struct log_view *v, const struct record *head,
		      size_t next);
void write_flood(struct writer *w, const struct log_view *v, const struct record *head,
		 size_t next);

/* A test of a request that failed. */
void write_failed_test(struct writer *w, const struct record *r, OTF2_AttributeList *more,
		       OTF2_TimeStamp t);

/* What the end of a call says of the message that it took, if r is a matched probe. */
OTF2_AttributeList *matched_probe(struct writer *w, const struct log_view *v,
				  const struct record *r, size_t next);

/* The attributes of a receive, which may be of a message that was matched; NULL: none. */
OTF2_AttributeList *matched_receive(struct writer *w, const struct record *r);

/* The attributes of a request that nobody will complete; NULL: none. */
OTF2_AttributeList *matched_unseen(struct writer *w, const struct record *r);

/* A message that was taken in the pause that ends, and is not received yet. */
void write_matched(struct writer *w, const struct record *r, OTF2_TimeStamp t);

/* What a record says of its call's beginning, and of its end. */
void write_post(struct writer *w, const struct record *r, OTF2_TimeStamp t);
void write_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t);

/* The requests that a call was given to wait for, if it never returned and they are known. */
void write_given(struct writer *w, const struct log_given *given, const struct record *r,
		 OTF2_TimeStamp t);

/* The same of files: archive_io.c. */
void write_io_post(struct writer *w, const struct record *r, OTF2_TimeStamp t);
void write_io_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t);

/* The same of one-sided calls: archive_rma.c. */
void write_rma_post(struct writer *w, const struct record *r, OTF2_TimeStamp t);
void write_rma_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t);

#endif
