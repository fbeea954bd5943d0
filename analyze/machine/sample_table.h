/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The samples of machine_samples.h: noted piece by piece by whoever is free, then joined into one
 * table in which each class, kind and bin has its own, ascending. Which of equally long ones
 * comes first is decided by the pieces' numbers, not by who did what.
 */
#ifndef ANALYZE_SAMPLE_TABLE_H
#define ANALYZE_SAMPLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/machine/machine.h"
#include "analyze/tools/share.h"

enum sample_kind {
	SAMPLE_ALONE, /* as TRANSIT, and no other message went the same way at either end */
	SAMPLE_ALONE_RENDEZVOUS,
	SAMPLE_TRANSIT,    /* L + g(m): data sent at once, receiver waiting in a blocking call */
	SAMPLE_RETURN,     /* 2 L + g(m): eager synchronous send, receive posted, receiver in MPI */
	SAMPLE_RENDEZVOUS, /* 3 L + g(m): as TRANSIT with a handshake before the data */
	SAMPLE_ANY,        /* send entry to completion of any message sent at once */
	SAMPLE_ANY_RENDEZVOUS,
	SAMPLE_SEND,         /* o_s(m): a send call that does not wait */
	SAMPLE_SEND_PERHAPS, /* o_s(m): one that may have waited for its receiver */
	SAMPLE_RECEIVE,      /* o_r(m): a receive call whose message had long been there */
	SAMPLE_RECEIVE_LATE, /* o_r(m): one that came so late that its message could be there */
	SAMPLE_RECEIVE_MOST, /* >= o_r(m): its share of a call that may have waited for another */
	SAMPLE_SPACING,      /* g(m): mean spacing of a burst of messages into one receiver */
	SAMPLE_TAKEN_ALONE,  /* TRANSIT beside one that goes out, */
	SAMPLE_TAKEN_SECOND, /* and beside one that comes in: o_r(m) more, when ports are alike */
	SAMPLE_SHARE, /* >= g(m): time of overlapping messages through one port, by their number */
	SAMPLE_KINDS
};

#define SAMPLE_ALONE_MOST 0.05 /* others on average: as good as none */

#define SAMPLE_BINS   65 /* bin b > 0 holds 2^(b-1) <= bytes < 2^b; bin 0 holds empty messages */
#define SAMPLE_PLACES (LOCALITY_COUNT * SAMPLE_KINDS * SAMPLE_BINS)

struct sample {
	int64_t ns;
	uint64_t bytes;
	float crowd;      /* others under way at its busier end, on average; INFINITY: not known */
	float abroad;     /* and between any nodes; likewise */
	uint32_t message; /* TRACE_NONE: of several */
};

struct samples {
	const struct trace *t;
	const struct messages *m;
	struct sample *s;
	size_t first[SAMPLE_PLACES + 1]; /* of each place's in s */
	/* 1: most messages of the class have an end that was without a core at times */
	int without_core[LOCALITY_COUNT];
};

/* Others beside a message, on average; see samples_find_crowds(). INFINITY: not known. */
struct beside {
	float out, in, abroad;
};

struct noted;

/* What one hand noted. */
struct sample_notes {
	struct noted *v;
	size_t n, cap;
};

/* Where a piece's are: in that hand's, from .. to - 1. */
struct sample_piece {
	unsigned hand;
	size_t from, to;
};

struct sample_pieces {
	struct sample_notes hand[SHARE_MOST];
	struct sample_piece *piece;
	uint32_t n;
};

int samples_bin(uint64_t bytes);

/* The kind that holds all messages of a kind, whoever waited for what. */
enum sample_kind samples_any_of(enum sample_kind kind);

/* For n pieces, from which nothing is noted yet. Returns 0, or -1: out of memory. */
int sample_pieces_init(struct sample_pieces *p, uint32_t n);
void sample_pieces_release(struct sample_pieces *p);

/* Append one to a hand's notes. Returns 0, or -1: out of memory. */
int samples_note(struct sample_notes *notes, enum sample_kind kind, enum locality class,
		 struct sample one);

/* All pieces into s; their notes are gone then. Returns 0, or -1 with *err set (out of memory). */
int samples_join(struct samples *out, struct sample_pieces *p, struct err *err);
void samples_release(struct samples *s);

/* The samples of one class, kind and bin, ascending; *n = how many. */
const struct sample *samples_of(const struct samples *s, enum locality class, enum sample_kind kind,
				int bin, size_t *n);

#endif
