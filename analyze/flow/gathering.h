/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the ranks decide together: who waits for whom in a collective, and since when
 * nobody has to. For attribution*.c; retime.c asks for whom only.
 */
#ifndef ANALYZE_GATHERING_H
#define ANALYZE_GATHERING_H

#include "analyze/flow/file_calls.h"
#include "analyze/machine/machine.h"
#include "analyze/matching/collectives.h"

struct gathering {
	const struct trace *t;
	const struct collectives *c;
	int64_t *root_ns;      /* per collective: its root's entry, or its last rank's: no root */
	uint8_t *root_came;    /* per collective: has it a root, and is that's entry known? */
	int64_t *alone_ns;     /* per collective: by the machine's signature without contention, */
	int64_t *contended_ns; /* and with it; NULL: the machine has none */
	uint8_t *is_partial;   /* per collective: nobody waits for all of the others */
	uint8_t *nonblocking;  /* per call: completes one; 2: a partial one; 3: that lacks ranks */
	int64_t *started_ns; /* per call: until then nobody's fault but who started late; or NULL */
	uint32_t *kept_by; /* per call: another rank's that it waited for: inner_nodes.h; or NULL */
	const uint32_t *back; /* per call: attention.h; or NULL */
	int64_t finalize_ns;  /* last entry into MPI_Finalize; INT64_MIN: nobody did */
	int unseen_end;       /* some rank's recording ends before */
	struct file_calls files;
};

/* Returns 0, or -1 with *err set (out of memory). The tables must outlive g; back may be NULL. */
int gathering_init(struct gathering *g, const struct trace *t, const struct collectives *c,
		   const uint32_t *back, const struct machine *machine, struct err *err);
void gathering_release(struct gathering *g);

/*
 * Of the ns that a call spends in its collective after all are there: what the contention that
 * the machine's signature knows of may have cost.
 */
int64_t gathering_contention_ns(const struct gathering *g, uint32_t call, int64_t ns);

/*
 * Is it in doubt for whom of its ranks this call waits? A neighbourhood's are those that its
 * topology names, which no trace has, and a scan's those before. Then it waits at most until the
 * last one came.
 */
int gathering_is_partial(const struct gathering *g, uint32_t call);

/*
 * May a rank whose recording lacks this collective, or MPI_Finalize, have come to it after all that
 * are known to have? Then how long this call waited is not known from its gathering_ready_ns() on.
 */
int gathering_lacks_ranks(const struct gathering *g, uint32_t call);

/* MPI_Neighbor_alltoall, MPI_Iscan, ...: some ranks need some others. OTF2 has but their names. */
int gathering_needs_some(const char *name);

/* For whom does a rank wait in a blocking or non-blocking collective? At most, if it is partial. */
enum gathering_whom { WAITS_FOR_NOBODY, WAITS_FOR_ROOT, WAITS_FOR_ALL };
enum gathering_whom gathering_whom(const struct trace *t, const struct collective *c,
				   uint32_t rank);

/*
 * Whom those that wait in a collective wait for: its root, or who came last. TRACE_NONE: not known,
 * it may be one that the trace lacks.
 */
uint32_t gathering_awaited(const struct trace *t, const struct collective *c);

/* Until when does this collective or Finalize call wait for other ranks? Within the call. */
int64_t gathering_ready_ns(const struct gathering *g, uint32_t call);

/*
 * And from then on until when most likely for a rank that takes part in handing on the data; and
 * until when at most for any of its ranks. Within the call, ready_ns at least.
 */
int64_t gathering_handed_ns(const struct gathering *g, uint32_t call, int64_t ready_ns);
int64_t gathering_last_ns(const struct gathering *g, uint32_t call, int64_t ready_ns);

/*
 * And from then on until when may it wait for ranks that are outside MPI, while a non-blocking
 * collective needs them? Within the call, ready_ns at least.
 */
int64_t gathering_attended_ns(const struct gathering *g, uint32_t call, int64_t ready_ns);

#endif
