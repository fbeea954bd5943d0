/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * K(m): how many messages of m bytes complete while their receiver is outside MPI, from several
 * looks. There need be no such number. UCX within a node has a queue of 64 cells at each receiver,
 * whose receiver tells of every 32nd that it has emptied: by where in the queue a look begins,
 * between 33 and 64 messages complete. So what looks say that could see the end of it is kept, the
 * least and the most, and only what they agree about is a depth. Pure.
 */
#ifndef CALIBRATE_CREDIT_H
#define CALIBRATE_CREDIT_H

#include "calibrate/look.h"

#include <stddef.h>

struct credit {
	size_t bytes;
	int least;  /* of the looks in which not all completed; -1: there is none */
	int most;   /* of all looks; -1: none told anything */
	int looks;  /* in which not all completed although both sides looked all the time */
	int capped; /* 1: no look was at more than `most` */
	int none;   /* 1: not even one message of that size completes, by T1 */
};

/* So many looks of one number of messages; so many that agree are a depth. */
enum { CREDIT_LOOKS = 12, CREDIT_LOOKS_LEAST = 5 };

enum credit_says {
	CREDIT_UNKNOWN,
	CREDIT_AT_LEAST, /* most, which is not 0, and perhaps more */
	CREDIT_FIXED,    /* most */
	CREDIT_VARIES,   /* from least to most, or, if capped, more */
};

/* A size of which nothing is known. */
struct credit credit_of(size_t bytes);

/* Count a look at n messages. */
void credit_add(struct credit *c, int n, struct look look);

/* busy: ranks were off their cores, and who is completes less. */
enum credit_says credit_says(const struct credit *c, int busy);

/*
 * Is there a depth of larger messages above all that was seen of smaller ones? Nothing that has
 * room for messages has more for larger ones. Returns the smaller's place, n for none.
 */
size_t credit_disorder(const struct credit credit[], size_t n);

#endif
