/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the machine does when nobody is in the way: pLogP parameters per locality
 * class, from a machine file or, without one, from the trace's own lower envelope
 * (then confidence is low and the conditions say so).
 */
#ifndef ANALYZE_MACHINE_H
#define ANALYZE_MACHINE_H

#include "analyze/machine/machine_credit.h"
#include "analyze/machine/machine_progress.h"
#include "analyze/machine/machine_topology.h"
#include "analyze/matching/messages.h"
#include "models/max_rate.h"
#include "models/plogp.h"
#include "models/signature.h"

enum locality { LOCALITY_NODE, LOCALITY_NETWORK, LOCALITY_COUNT };

/* Rows of the tables are pLogP's: bytes, o_s_s, o_r_s, g_s. */

/* What the data could not tell apart; the parameters named are good as a sum only. */
#define MACHINE_JOINT_L_G 1u /* L and g: no port was seen busy; g is the most that it can be */
#define MACHINE_JOINT_O_S 2u /* o_s: no eager send; it is in L and g, o_s is 0 */
#define MACHINE_JOINT_O_R 4u /* o_r: no receive found its message there; likewise */
#define MACHINE_JOINT_SUM 8u /* L and g: round trips tell the sum, all of it in g and L 0 */

/* Of so many values a machine file says that they could not be told from 0; they count as 0. */
struct machine_zeros {
	uint32_t L, o_s, o_r, g;
};

struct machine_class {
	double L_s;          /* end-to-end latency: a message arrives L + g(m) after its send */
	double L_s_per_byte; /* what a byte adds to L, where ways are slower than ports; pLogP: 0 */
	int has_handshake;   /* 1: one way of a rendezvous's handshake takes handshake_s, 0: L_s */
	double handshake_s;
	struct machine_progress progress;
	/* 1: messages of one rank to another share their way, 0: one by one, -1: not known */
	int side_by_side;
	uint32_t n; /* points, ascending bytes; 0 = class not known */
	struct plogp_point *points;
	struct plogp_point *ends; /* of the points' intervals, see machine_ranges.h; or NULL */
	double uncertainty;       /* relative half-width of the widest interval, 0.1 = 10 % */
	/*
	 * As points, how much more it may be. g: of L + g, as none was seen alone; o_s: as sends
	 * that took so long may have waited for their receivers.
	 */
	struct plogp_point *more;
	double crowding; /* at most so many times more */
	double beyond; /* sizes never seen alone took so many times more than others say, and one */
	double company; /* L + g may be so many times less, and one: always others on the network */
	double vague;   /* L + g may be so many times less, and one: clocks, or a way back in it */
	double way_back_s;    /* so much of it may be an acknowledgement's, and a handshake's way */
	int slow;             /* 1: any less: no machine takes so long */
	int late_handling;    /* 1: o_r may be any less: as seen, receives may have waited */
	int without_core;     /* 1: L + g may be any less: its ranks lacked cores at times */
	uint64_t eager_bytes; /* largest size that is sent without waiting for the receiver (T2) */
	int eager_assumed;    /* 1: eager_bytes is a default, the trace does not show it */
	/* What is larger than this, but not than that, may wait for the receiver or not. */
	uint64_t open_above, open_upto;
	uint32_t n_credits;
	struct machine_credit *credits; /* ascending bytes, of both ways; a machine file's */
	unsigned joint;                 /* MACHINE_JOINT_ bits */
	struct machine_zeros zeros;
	uint32_t samples; /* messages or measurements behind it */
};

/* May a message of so many bytes wait for its receiver or not, for all that is known? */
static inline int machine_is_open(const struct machine_class *c, uint64_t bytes)
{
	return bytes > c->open_above && bytes <= c->open_upto;
}

/* The contention signature of MPI_Alltoall for a range of sizes; a machine file's. */
struct machine_signature {
	double from_bytes, to_bytes;
	double n_low, n_high; /* ranks among which it was seen to hold */
	struct signature signature;
};

/* Less than this share of what an idle machine takes contradicts that it does. */
#define MACHINE_FASTEST 0.9

enum machine_source { MACHINE_FILE, MACHINE_SELF_CALIBRATED };

struct machine {
	enum machine_source source;
	char *name;     /* of the file, or NULL */
	char *path;     /* the file, or NULL */
	char *caveats;  /* what the file says about how it was measured, or NULL */
	int busy;       /* 1: who measured it had much less than a core */
	char *misfit;   /* why a file there was not used, or of what machine it is; or NULL */
	char *likeness; /* whose machine it is instead, of the same kind; or NULL */
	struct machine_class classes[LOCALITY_COUNT];
	uint32_t n_signatures; /* the first is of all sizes; 0: none is known */
	struct machine_signature *signatures;
	int has_rate; /* of a node's network interface; -1: those who measured it lacked cores */
	struct max_rate rate;
	struct machine_topology topology; /* of the network; a machine file's */
};

/* Load and check a machine file ("contend-machine/1"). Caller frees with machine_release. */
int machine_load(const char *path, struct machine *out, struct err *err);

/* Estimate from the trace's own fastest messages. Caller frees with machine_release. */
int machine_from_trace(const struct trace *t, const struct messages *m, struct machine *out,
		       struct err *err);

void machine_release(struct machine *m);

/* The signature for all-to-alls of so many bytes to each: the narrowest range; NULL: none. */
const struct machine_signature *machine_signature(const struct machine *m, double bytes);

/* Of a message of so many bytes, s. */
double machine_latency_s(const struct machine_class *c, uint64_t bytes);

/* How much more L + g may be, where no message of about that size was seen alone, s. */
double machine_more_s(const struct machine_class *c, uint64_t bytes);

/*
 * Is the machine only estimated, and of this class from messages that always had others beside
 * them? What one of them seems to need for itself may be that.
 */
static inline int machine_is_of_crowds(const struct machine *m, const struct machine_class *c)
{
	return m->source != MACHINE_FILE && (c->crowding > 0 || c->company > 0);
}

/*
 * What a processor and its memory may take at most to handle a message of so many bytes, s. No
 * machine is slower; what seems so is waiting, or a network.
 */
double machine_slowest_handling_s(double bytes);

/* What the slowest network takes for so many bytes, s. */
double machine_slowest_port_s(double bytes);

/*
 * The share of the messages that took less than half of what the idle machine needs for them: by a
 * machine file that is right, none do but for the clocks' error.
 */
double machine_faster_share(const struct machine *machine, const struct trace *t,
			    const struct messages *m);

/* On one node (same host name), or through the network? */
static inline enum locality machine_locality(const struct trace *t, uint32_t a, uint32_t b)
{
	return t->ranks[a].home == t->ranks[b].home ? LOCALITY_NODE : LOCALITY_NETWORK;
}

/* Does this function send in synchronous mode whatever the size (Ssend, Issend)? */
static inline int machine_is_synchronous(const struct region *r)
{
	return r->kind == REGION_SSEND || r->mode == REGION_SYNCHRONOUS;
}

#endif
