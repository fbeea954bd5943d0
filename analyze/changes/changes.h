/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if the program did something else that somebody asks for, wherever that
 * applies, a hotspot or not. One kind per file change_KIND.c, one row per kind in the table in
 * changes.c.
 */
#ifndef ANALYZE_CHANGES_H
#define ANALYZE_CHANGES_H

#include "analyze/gains/evidence_base.h"
#include "analyze/gains/order_saving.h"
#include "analyze/gains/what_if.h"

/* What is asked for; {0}: nothing. */
struct changes_asked {
	int has_order;
	enum order_wanted order;
	uint32_t servers;     /* 0: not asked for */
	uint32_t *map;        /* [i]: which rank runs where rank i does now; NULL: not asked for */
	uint32_t n_map;       /* so many ranks are in it, */
	const char *map_file; /* which it is from */
	int asynchronous;
	uint32_t ranks; /* 0: not asked for */
};

struct change {
	const char *kind; /* "order": a key of the document */
	uint32_t site;    /* index into trace.sites, or TRACE_NONE */
	uint32_t region;  /* MPI function there, or TRACE_NONE: of the whole program */
	struct what_if_saving saving;
	char title[120];   /* "destinations in staggered order" */
	char why_not[512]; /* what hinders, in a sentence; empty: it is known what it saves */
};

struct changes {
	struct change *row; /* of a kind the largest likely saving first */
	uint32_t n;
};

/* A row more. Returns 0, or -1 with *err set (out of memory). */
int changes_add(struct changes *x, const struct change *row, struct err *err);

/* The same for one that is known nowhere, of the whole program: why, in a sentence. */
int changes_refuse(struct changes *x, const char *kind, const char *title, const char *why_not,
		   struct err *err);

/*
 * Returns 0, or -1 with *err set: out of memory, or the map is none of the run's. Caller:
 * changes_release.
 */
int changes_find(const struct evidence_base *b, const struct changes_asked *asked,
		 struct changes *out, struct err *err);
void changes_release(struct changes *x);

/* The kinds: each adds its rows if it is asked for. As changes_find(). */
int change_order(const struct evidence_base *b, const struct changes_asked *asked,
		 struct changes *out, struct err *err);
int change_servers(const struct evidence_base *b, const struct changes_asked *asked,
		   struct changes *out, struct err *err);
int change_map(const struct evidence_base *b, const struct changes_asked *asked,
	       struct changes *out, struct err *err);
int change_asynchronous(const struct evidence_base *b, const struct changes_asked *asked,
			struct changes *out, struct err *err);
int change_ranks(const struct evidence_base *b, const struct changes_asked *asked,
		 struct changes *out, struct err *err);

#endif
