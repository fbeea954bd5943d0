/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well a pattern's expected pairs fit: they are added in groups that should each be
 * uniform (one direction of a grid, say), then the result is read off.
 */
#ifndef ANALYZE_PATTERN_FIT_H
#define ANALYZE_PATTERN_FIT_H

#include "analyze/patterns/pattern.h"

/* Of a tree's ranks so many have no child: in a path with strays few have none. */
#define TREE_LEAVES_MIN 0.3

/* Of the messages so many are the tree's: else they are of something else. */
#define TREE_MESSAGES_MIN 0.85

struct fit {
	const struct traffic *t;
	double typical; /* messages of what is added, mean over the messages: an edge's */
	double scatter; /* of a message's value: its squared coefficient of variation */
	double *count;  /* of the group so far */
	double *value;
	size_t n;
	size_t room;
	int is_strict;   /* a pair that lacks messages is not whole, though they may by chance */
	double squares;  /* of the group's values, each over its messages */
	double volume;   /* explained, */
	double messages; /* and of the messages */
	double present;
	double strict; /* the same without what may be missing by chance */
	double there;  /* pairs with a message at all, */
	double strong; /* and with half of theirs, */
	double lacks;  /* and what they lack: shares of theirs, summed up */
	double expected;
	double whole;    /* messages of a pair of the last group that is all there */
	double thinnest; /* presence of the group that is there least */
	double uniform;  /* of the groups, weighted by their values, */
	double weight;   /* and those */
};

/* room: pairs in a group at most. Returns 0, or -1 with *err set. Then fit_release. */
int fit_init(struct fit *f, const struct traffic *t, size_t room, struct err *err);
void fit_release(struct fit *f);
void fit_clear(struct fit *f);

/* A pair that is expected and there; value: what is to be uniform. */
void fit_add(struct fit *f, double count, double volume, double value);

/* End the group, in which this many were expected. */
void fit_group(struct fit *f, double expected);

/* The same of one whose pairs have as many messages as those of the group before. */
void fit_rest(struct fit *f, double expected);

/* May the pairs that are not there be missing by chance, as single messages of the others are? */
int fit_lacks_by_chance(const struct fit *f);

/* Set explained, presence and uniformity. */
void fit_result(const struct fit *f, struct candidate *c);

/* 1 / (1 + squared coefficient of variation). */
double fit_uniformity(size_t n, const double *x);

#endif
