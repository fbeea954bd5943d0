/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces of small programs on a machine that is simulated exactly: LogGP-like costs, one
 * receiving port per rank that takes messages in order of arrival. So what each message
 * waited for is known to the ns.
 */
#ifndef TESTS_TRACES_MKSCENARIO_H
#define TESTS_TRACES_MKSCENARIO_H

#include "analyze/attribution/attribution.h"
#include "tests/traces/mktrace.h"

/* One message as it was; its parts add up to completed_ns - sent_ns. */
struct mkfate {
	uint32_t src, dst;
	int32_t tag;
	uint64_t bytes;
	int64_t sent_ns;      /* entry of the call that sends */
	int64_t completed_ns; /* leave of the call in which it was received */
	int64_t awaited_ns;   /* before it was sent, its receiver waited for its late sender */
	int64_t ns[COST_COUNT];
};

struct mksim; /* tests/traces/mksim.h */

struct mkscenario {
	const char *name;
	const char *what; /* one line, for the help */
	void (*round)(struct mksim *s);
	uint64_t eager_bytes;                        /* larger messages wait for their receive */
	int64_t (*clock)(uint32_t rank, int64_t ns); /* what it shows; NULL: the time */
	int one_node;                                /* 0: each rank has a node of its own */
};

/* The machine of a scenario, in the analyzer's terms. */
struct mkmachine {
	int64_t L_ns, handshake_ns, o_s_ns, o_r_ns, g_ns;
	uint64_t eager_bytes;
};

/* All scenarios, up to one without a name. */
extern const struct mkscenario mkscenarios[];

struct mkoutcome {
	struct mkfate *fates; /* caller frees */
	size_t n;
	int64_t wall_ns;
	struct mkmachine machine;
};

/*
 * Write scenario name for this many ranks (2 or more) to a new archive in dir, with a
 * run.json. Returns 0, or -1 with *err set (no such scenario, cannot write).
 */
int mkscenario_write(const char *name, const char *dir, uint32_t ranks, struct mkoutcome *out,
		     struct err *err);

#endif
