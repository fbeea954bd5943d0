/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Durations in a trace that say something about the idle machine, by locality class and
 * size (one bin per power of two). Each is an upper bound of what it stands for, so the
 * low end of a bin estimates it. For machine_fit.c only.
 */
#ifndef ANALYZE_MACHINE_SAMPLES_H
#define ANALYZE_MACHINE_SAMPLES_H

#include "analyze/machine.h"

enum sample_kind {
	SAMPLE_ALONE, /* as TRANSIT, and no other message went the same way at either end */
	SAMPLE_ALONE_RENDEZVOUS,
	SAMPLE_TRANSIT,    /* L + g(m): data sent at once, receiver waiting in a blocking call */
	SAMPLE_RETURN,     /* 2 L + g(m): eager synchronous send, receive posted, receiver in MPI */
	SAMPLE_RENDEZVOUS, /* 3 L + g(m): as TRANSIT with a handshake before the data */
	SAMPLE_ANY,        /* send entry to completion of any message sent at once */
	SAMPLE_ANY_RENDEZVOUS,
	SAMPLE_SEND,         /* o_s(m): a send call that does not wait */
	SAMPLE_RECEIVE,      /* o_r(m): a receive call whose message had long been there */
	SAMPLE_RECEIVE_LATE, /* o_r(m): one that came so late that its message could be there */
	SAMPLE_SPACING,      /* g(m): mean spacing of a burst of messages into one receiver */
	SAMPLE_TAKEN_ALONE,  /* TRANSIT beside one that goes out, */
	SAMPLE_TAKEN_SECOND, /* and beside one that comes in: o_r(m) more, when ports are alike */
	SAMPLE_SHARE, /* >= g(m): time of overlapping messages through one port, by their number */
	SAMPLE_KINDS
};

#define SAMPLE_BINS 65 /* bin b > 0 holds 2^(b-1) <= bytes < 2^b; bin 0 holds empty messages */

struct sample {
	int64_t ns;
	uint64_t bytes;
	float crowd;  /* others under way at its busier end, on average; INFINITY: not known */
	float abroad; /* and between any nodes; likewise */
	uint8_t kind;
	uint8_t class;
	uint8_t bin;
};

struct samples {
	struct sample *s; /* sorted by class, kind, bin, ns */
	size_t n;
	size_t room;
	/* 1: most messages of the class have an end that was without a core at times */
	int without_core[LOCALITY_COUNT];
};

/*
 * Others under way beside a message, on average: what its sender sends, what its receiver receives,
 * what goes between any two nodes. INFINITY: not known.
 */
struct beside {
	float out, in, abroad;
};

int samples_bin(uint64_t bytes);

/*
 * Collect from all messages. eager_bytes: per class, what is sent without a handshake.
 * Returns 0, or -1 with *err set (out of memory). Caller: samples_release.
 */
int samples_take(struct samples *out, const struct trace *t, const struct messages *m,
		 const uint64_t eager_bytes[LOCALITY_COUNT], struct err *err);
void samples_release(struct samples *s);

/* The samples of one class, kind and bin, ascending; *n = how many. */
const struct sample *samples_of(const struct samples *s, enum locality class, enum sample_kind kind,
				int bin, size_t *n);

/* Append one. Returns 0, or -1: out of memory. */
int samples_note(struct samples *s, enum sample_kind kind, enum locality class, uint64_t bytes,
		 int64_t ns, struct beside beside);

/*
 * What was under way beside each message from its send to its completion: into beside[], one zero
 * per message. Appends the SAMPLE_SHAREs; sets without_core. Returns 0, or -1 with *err set (out of memory).
 */
int samples_find_crowds(struct beside *beside, struct samples *out, const struct trace *t,
			const struct messages *m, struct err *err);

#endif
