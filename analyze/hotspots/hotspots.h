/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places in the program where a change would save time, ranked by how much is likely; savings
 * within a quarter of each other are alike, and the more severe, which is surer, goes first.
 * One rule per file rule_KIND.c, one row per rule in the table in hotspots.c.
 */
#ifndef ANALYZE_HOTSPOTS_H
#define ANALYZE_HOTSPOTS_H

#include "analyze/gains/evidence_base.h"

enum severity { SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH };

#define HOTSPOT_EVIDENCE_MAX 14

struct evidence {
	const char *key; /* "temporal_concentration" */
	double value;
};

struct hotspot {
	const char *kind; /* "order", "incast": a literal */
	enum severity severity;
	int is_contention;  /* messages in each other's way; else a habit that costs time */
	int spares_sends;   /* what it saves is what ranks wait in the sends at its place */
	uint32_t site;      /* index into trace.sites, or TRACE_NONE */
	uint32_t region;    /* MPI function at the site */
	uint32_t rank;      /* destination or culprit rank, or TRACE_NONE */
	double saves_low_s; /* of the run's wall time */
	double saves_mid_s;
	double saves_high_s;
	uint32_t
		*order; /* NULL, or which rank should run where rank i runs now; hotspots_release */
	uint32_t n_order;
	uint8_t *about; /* NULL, or per rank 1: of the several ranks that it is about; likewise */
	/* An earlier one in the list, from 0, that spares the same sends' waits; or TRACE_NONE. */
	uint32_t same_sends_as;
	uint32_t n_evidence;
	struct evidence evidence[HOTSPOT_EVIDENCE_MAX];
	char title[120];  /* one line: what */
	char why[512];    /* the evidence in words */
	char advice[240]; /* what to change, and the command that tries it */
};

/*
 * What a rule had to leave open, as the machine is only estimated and of it something that a
 * calibration measures cannot be told from the recording.
 */
struct unjudged {
	const char *kind;    /* of hotspot; NULL: nothing was left open */
	const char *unknown; /* of the machine, in words: a literal */
	double at_stake_s;   /* at most, of all ranks' time */
	int is_apart;        /* of some places, of which other hotspots of the kind say nothing */
};

#define UNJUDGED_MAX 5

struct hotspots {
	struct hotspot *h; /* largest likely saving first; of those alike the surer one */
	uint32_t n;
	uint32_t n_unjudged;
	/* Of kinds that are not in h, or apart; worth a line. */
	struct unjudged unjudged[UNJUDGED_MAX];
};

/* Returns 0, or -1 with *err set (out of memory). Caller: hotspots_release. */
int hotspots_find(const struct evidence_base *base, struct hotspots *out, struct err *err);
void hotspots_release(struct hotspots *h);

#endif
