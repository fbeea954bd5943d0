/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which message did the calls wait for that asked and found nothing (Test, Iprobe)? The one
 * that the rank's next call with a result had, if its request was there to be asked for.
 * For attribution*.c only.
 */
#ifndef ANALYZE_POLLERS_H
#define ANALYZE_POLLERS_H

#include "analyze/attribution/walk.h"

struct pollers {
	uint32_t *first; /* per message: its last poll in time, or TRACE_NONE; NULL: nobody polls */
	uint32_t *next;  /* per call: the poll before it for the same message, or TRACE_NONE */
};

/*
 * Find them, by the calls' releases; theirs are set. Returns 0, or -1 with *err set (out of
 * memory). Caller: pollers_release.
 */
int pollers_find(struct pollers *p, struct scene *s, struct err *err);
void pollers_release(struct pollers *p);

/*
 * Per call the message that it asked for in vain to receive it, or TRACE_NONE; NULL: nobody polls.
 * Empties p. Caller: table_free.
 */
uint32_t *pollers_take(struct pollers *p, const struct scene *s);

/* The last poll for message i, or TRACE_NONE. */
static inline uint32_t pollers_last(const struct pollers *p, uint32_t i)
{
	return p->first ? p->first[i] : TRACE_NONE;
}

/*
 * What a poll for message i spends: in MPI as its message has it, between a flood's polls the
 * program.
 */
void pollers_book(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		  struct tally *t);

#endif
