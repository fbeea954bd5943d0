/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two exact views of where time goes.
 *
 * budget: every rank's recorded time, which is its wall time less the pauses of its
 *         recording, = computation + MPI's start and end + the parts of its MPI calls;
 *         summed over ranks it is ranks * wall time less all pauses, to the nanosecond.
 * blame:  every message's time from its send call's entry to its receiver's
 *         completion, split into what an idle machine needs and what delayed it.
 *
 * Milestones y_1..y_k estimated inside a measured interval [x_0, x_n] are clipped,
 * z_i = min(x_n, max(z_(i-1), y_i)); the parts z_i - z_(i-1) are never negative and
 * add up to the interval whatever the estimates are.
 *
 * PMPI time stamps bound most parts rather than fix them, so the whole attribution is
 * evaluated under several scenarios (machine parameters low / mid / high; ambiguous
 * busy time of a receiver to its handler or to the network) and a part's interval is
 * the envelope over them, and no more than what the least of the other parts leaves of the
 * total.
 *
 * MPI_Init and the end of MPI_Finalize are a part of their own, which is not communication.
 * Only the wait for the last rank to enter MPI_Finalize is collective_wait.
 */
#ifndef ANALYZE_ATTRIBUTION_H
#define ANALYZE_ATTRIBUTION_H

#include "analyze/attribution/count_loads.h"
#include "analyze/attribution/onesided.h"
#include "analyze/attribution/target_load.h"
#include "analyze/clock/clock.h"
#include "analyze/flow/census.h"
#include "analyze/machine/machine.h"
#include "analyze/machine/message_sizes.h"
#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/matching/presence.h"
#include "analyze/tools/slices.h"

enum cost {
#define COST(name, label, colour, meaning) COST_##name,
#include "analyze/costs.def"
#undef COST
	COST_COUNT
};

struct cost_row {
	const char *name;  /* the key in the document */
	const char *label; /* as reports print it */
	const char *colour;
	const char *meaning;
};
extern const struct cost_row cost_rows[COST_COUNT];

struct part {
	int64_t ns; /* under the default scenario; sums exactly */
	int64_t low_ns;
	int64_t high_ns;
};

struct view {
	int64_t total_ns; /* = sum of parts[].ns */
	struct part parts[COST_COUNT];
	struct part contention; /* of the parts that are: surer than each, as they compete */
};

/* What readings of TCP's counters say of the messages' network contention: resent.h. */
struct resent {
	int64_t seen_ns;   /* of it, of messages from hosts whose counters were read meanwhile: */
	int64_t beside_ns; /* between readings in which the host sent segments again; */
	double chance_ns;  /* it would be as much if that had nothing to do with it */
	uint32_t messages; /* so many waited for what was lost, if it was theirs, */
	int64_t lost_ns;   /* so long at least */
};

struct attribution {
	struct view budget;
	struct view blame;
	struct view *rank_budget; /* one per rank; totals are wall_ns less its pauses */
	struct slices call;       /* per call of the trace: its parts, sum = leave - enter */
	struct slices message;   /* per message: by the default scenario, sum = done - send entry */
	int64_t *wait_caused_ns; /* per rank: contention of messages TO it, of all kinds */
	int64_t *held_ns;    /* per message: its contention that held up ranks, as in the budget */
	int64_t *arrival_ns; /* per message: estimated, after all that delays it on the way */
	uint32_t *back;      /* per call: attention.h; or NULL */
	uint32_t *kept_by;   /* per call: gathering.h; or NULL */
	uint32_t *polled;    /* per call: of pollers.h, pollers_take(); or NULL */
	uint32_t *by_send;   /* the messages in order of their send calls */
	int64_t awaited_ns;  /* of the budget's contention: so much may be waiting for cores */
	int64_t searched_ns; /* of its network contention: so much may be MPI's searching */
	const struct collectives *collectives; /* it was made with these, which must outlive it */
	struct resent resent;
	struct sizes sizes; /* of the messages */
	struct census census[LOCALITY_COUNT];
	struct presence presence;   /* who was inside MPI when; the trace must outlive it */
	struct onesided onesided;   /* who waited for whom in the calls for it */
	struct target_load targets; /* and whose memory its operations go to */
	struct count_loads counts;  /* who has how much of collectives' bytes */
};

/* Whom it waited for along the tree of its collective: a rank's call, or TRACE_NONE. */
static inline uint32_t attribution_kept_by(const struct attribution *a, uint32_t call)
{
	return a->kept_by ? a->kept_by[call] : TRACE_NONE;
}

/* What counts as contention, a bit each: the machine was busy with other messages. */
#define COSTS_OF_CONTENTION                                         \
	(1u << COST_network_contention | 1u << COST_receiver_port | \
	 1u << COST_handler_contention | 1u << COST_back_pressure)

static inline int cost_is_contention(enum cost c)
{
	return (COSTS_OF_CONTENTION >> c & 1) != 0;
}

/* Neither the program's own time nor that of starting and ending MPI, nor for files. */
static inline int cost_is_communication(enum cost c)
{
	return c != COST_compute && c != COST_start_end && c != COST_file_access;
}

/*
 * Do a part's bounds say nothing of it: next to none by one reading, half the whole or more by
 * another? What is given for it is one reading then, and not identifiable.
 */
int view_is_untold(const struct view *v, enum cost c);

/* All of a budget that is communication, ns. */
static inline int64_t view_communication_ns(const struct view *v)
{
	return v->total_ns - v->parts[COST_compute].ns - v->parts[COST_start_end].ns -
	       v->parts[COST_file_access].ns;
}

/* Do ranks compute for longer than that? */
static inline int view_is_of_own(const struct view *v)
{
	return v->parts[COST_compute].ns > view_communication_ns(v);
}

/* The share of the budget's contention that may be waiting for cores: 0 to 1. */
double attribution_core_doubt(const struct attribution *a);

/* Its part of a message's time that is contention, ns. */
int64_t attribution_contention_ns(const struct attribution *a, uint32_t message);

int attribution_run(const struct trace *t, const struct messages *m, const struct collectives *c,
		    const struct machine *machine, const struct clock_quality *clock,
		    struct attribution *out, struct err *err);
void attribution_release(struct attribution *a);

#endif
