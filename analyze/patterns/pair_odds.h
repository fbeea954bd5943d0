/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How likely two ranks have so many messages if a shape makes them a pair, some of whose messages
 * are missing (binomial), and if they are none and there are only strays (Poisson). Pure.
 */
#ifndef ANALYZE_PAIR_ODDS_H
#define ANALYZE_PAIR_ODDS_H

#include <stdint.h>

struct pair_odds {
	uint32_t typical; /* messages of a pair that lacks none, at least 1 */
	uint32_t half;    /* a pair is strong with so many, */
	uint32_t odd;     /* and two that are none are odd with so many */
	double messages;  /* of all */
	double all;       /* two ranks, whether or not a pair */
	/* With the noise looked for: */
	double likeliest;     /* number of messages of a pair, */
	double likeliest_log; /* and how likely: logarithm */
	double weak;          /* how likely a pair is not strong */
};

/* messages: of all; typical: of a pair that lacks none. */
struct pair_odds pair_odds_of(uint32_t ranks, double messages, double typical);

/*
 * How likely count messages, up to the typical number, are: of a pair, logarithm of its ratio to
 * the likeliest number; of two that are none, logarithm, 0 for no messages. 0 at most, and bounded.
 */
double pair_odds_if_pair(const struct pair_odds *x, uint32_t count);
double pair_odds_if_not(const struct pair_odds *x, uint32_t count);

/* May a shape with so many pairs have made so many strong ones, but for the noise looked for? */
int pair_odds_may_make(const struct pair_odds *x, double pairs, double strong);

/*
 * Of so many pairs, or edges, of as many messages if all are there: may chance have left so few of
 * them any, and so few half of theirs, if those strong ones lack so much (shares, summed up)?
 */
int pair_odds_may_leave(double whole, double pairs, double there, double strong, double lacking);

/* May so many of the messages be strays, with the noise looked for? */
int pair_odds_may_stray(double messages, double others);

/* What does not fit a shape: of its pairs, and of two that are none. */
struct pair_misfits {
	double strong;  /* pairs that are, and */
	double lacking; /* share of their messages that is missing, summed up */
	double odd;     /* two that are none and odd, */
	double strays;  /* and the messages of these, but for those that make them odd */
};

/* Note one, of so many messages; to starts as zeros. */
void pair_odds_note_pair(const struct pair_odds *x, uint32_t count, struct pair_misfits *to);
void pair_odds_note_other(const struct pair_odds *x, uint32_t count, struct pair_misfits *to);

/*
 * Are the pairs, of so many, that are not strong, and the odd ones no more than messages that are
 * missing, and strays, one by one make? A shape of another kind differs in whole pairs.
 */
int pair_odds_are_chance(const struct pair_odds *x, double pairs, const struct pair_misfits *of);

#endif
