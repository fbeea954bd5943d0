/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of a traffic's pattern, by a table of recognisers (pattern.c, a row each). What
 * a recogniser proposes is scored: explained volume * presence of what is expected *
 * uniformity. Ties go to the shorter description, then to the order in time. What no
 * recogniser explains well is irregular: a wrong name is worse than none. A name that another one
 * is near to, or that too few messages bear, is said without confidence.
 */
#ifndef ANALYZE_PATTERN_H
#define ANALYZE_PATTERN_H

#include "analyze/patterns/traffic.h"

#define PATTERN_NAME       96
#define PATTERN_EQUIVALENT 4

/* Fewer say nothing about a pattern. */
#define PATTERN_RANKS_MIN    4
#define PATTERN_MESSAGES_MIN 10

/*
 * A regular pattern's name is said if it scores so much and is so much of the volume and of the
 * messages, and there, but for what may be missing by chance.
 */
#define PATTERN_SCORE_MIN      0.65
#define PATTERN_EXPLAINED_MIN  0.75
#define PATTERN_MESSAGES_SHARE 0.6
#define PATTERN_PRESENCE_MIN   0.875

/*
 * A regular name is said with confidence if no other one that is as short is so near, and if chance
 * makes it of another no more often than this.
 */
#define PATTERN_MARGIN_MIN 0.05
#define PATTERN_DOUBT_MAX  0.001

/* More words than any shape needs. */
#define PATTERN_LENGTH_PERMUTATION 16

/* A proposal of a recogniser. */
struct candidate {
	char name[PATTERN_NAME];
	char equivalent[PATTERN_NAME]; /* the same up to the numbers of ranks, or "" */
	double explained;              /* share of the volume that it accounts for */
	double of_messages;            /* and of the messages */
	double expected;               /* how many edges or pairs it has, */
	double hinge; /* and how many, if all is there of them, make another form of it; 0 is 1 */
	double presence;   /* of what it expects, how much is there */
	double lacking;    /* of its messages, how many are not, by chance or not */
	int by_chance;     /* 1: pairs that are not there may be missing by chance */
	double uniformity; /* 1: all its parts carry the same */
	double time;       /* how well the order in time fits it, 0 to 1; decides ties */
	unsigned length;   /* of its description, for ties */
	int regular;       /* 1: a pattern; 0: an irregular one, only if no regular one fits */
	int permuted;      /* ranks are not numbered along it */
	int of_any_order;  /* how ranks are numbered is no matter to it */
};

struct candidates {
	const struct traffic *t;
	struct candidate *c;
	uint32_t n;
	uint32_t room;
};

struct pattern {
	struct candidate best;
	double score;
	double margin; /* by which a regular one's score is ahead of the next that is no longer */
	double doubt;  /* how likely, at most, chance has made the regular one of another */
	char why_none[PATTERN_NAME];  /* what there is too little of; "" = enough */
	char runner_up[PATTERN_NAME]; /* "" = none */
	uint32_t n_equivalent;
	char equivalent[PATTERN_EQUIVALENT][PATTERN_NAME];
};

/* Returns 0, or -1 with *err set (out of memory). */
int pattern_find(const struct traffic *t, struct pattern *out, struct err *err);

/* Is it a regular one, and said with confidence? */
int pattern_is_confident(const struct pattern *p);

/* Is it a regular one, whose name may be said? */
int candidate_is_sure(const struct candidate *c);

/* A copy joins the list. Returns 0, or -1 with *err set (out of memory). */
int candidates_add(struct candidates *all, const struct candidate *c, struct err *err);

/* The recognisers; each returns 0, or -1 with *err set (out of memory). */
int pattern_shapes(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_permuted(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_shift(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_permutation(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_turns(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_transpose(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_broadcast(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_reduce(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_two_way_tree(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_scatter(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_gather(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_server(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_total_exchange(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_groups(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_any(const struct traffic *t, struct candidates *out, struct err *err);
int pattern_sparse(const struct traffic *t, struct candidates *out, struct err *err);

#endif
