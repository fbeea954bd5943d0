/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/coll_costs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "models/algorithms.h"
#include "models/total_exchange.h"

/* Where the bytes of a member are, as the recorders count them: what it hands in, or gets out. */
enum measure {
	NOTHING,
	SENT,     /* of any member */
	RECEIVED, /* likewise */
	BLOCK,    /* the larger of both, of one of the members' blocks */
};

struct row {
	const char *name; /* behind "MPI_" */
	enum algorithm_goal goal;
	enum measure measure;
};

static const struct row rows[] = {
	{"Barrier", ALGORITHM_BARRIER, NOTHING},
	{"Bcast", ALGORITHM_BROADCAST, RECEIVED},
	{"Reduce", ALGORITHM_REDUCE, SENT},
	{"Allreduce", ALGORITHM_ALLREDUCE, SENT},
	{"Scan", ALGORITHM_SCAN, SENT},
	{"Exscan", ALGORITHM_SCAN, SENT},
	{"Gather", ALGORITHM_GATHER, SENT},
	{"Gatherv", ALGORITHM_GATHER, SENT},
	{"Scatter", ALGORITHM_GATHER, RECEIVED},
	{"Scatterv", ALGORITHM_GATHER, RECEIVED},
	{"Allgather", ALGORITHM_ALLGATHER, SENT},
	{"Allgatherv", ALGORITHM_ALLGATHER, SENT},
	{"Alltoall", ALGORITHM_ALLTOALL, BLOCK},
	{"Alltoallv", ALGORITHM_ALLTOALL, BLOCK},
	{"Alltoallw", ALGORITHM_ALLTOALL, BLOCK},
	{"Reduce_scatter", ALGORITHM_REDUCE_SCATTER, SENT},
	{"Reduce_scatter_block", ALGORITHM_REDUCE_SCATTER, SENT},
};

const char *coll_refusal_text(enum coll_refusal why)
{
	static const char *const texts[COLL_REFUSALS] = {
		[COLL_PREDICTED] = "",
		[COLL_NO_FORMULA] = "there is no formula for this operation",
		[COLL_ALONE] = "one rank has nobody to wait for",
		[COLL_SHORT] = "not all of its ranks entered it",
		[COLL_INCOMPLETE] = "not all of its ranks are in the trace",
		[COLL_NO_MACHINE] = "the machine's parameters are not known between these ranks: "
				    "contend calibrate measures them",
		[COLL_NO_SIGNATURE] = "the machine's contention signature is not known: contend "
				      "calibrate measures it",
		[COLL_NOT_EXCHANGE] = "a contention signature is of all-to-alls",
		[COLL_OUTSIDE] = "the machine's signature was not seen among so many ranks",
		[COLL_CONTRADICTED] =
			"they take less than the estimate of an idle machine: it is too "
			"slow, or their algorithm is another",
	};

	return texts[why];
}

/* A non-blocking one has the same cost: MPI_Iallreduce. */
static const struct row *row_of(const char *name, int is_nonblocking)
{
	const char *plain = name + 4 + (is_nonblocking != 0);

	if (strncmp(name, is_nonblocking ? "MPI_I" : "MPI_", (size_t)(plain - name)) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcasecmp(plain, rows[i].name))
			return &rows[i];
	return NULL;
}

static double bytes_of(const struct collective *c, enum measure measure, double ranks)
{
	switch (measure) {
	case SENT:
		return (double)c->sent;
	case RECEIVED:
		return (double)c->received;
	case BLOCK:
		return (double)(c->sent > c->received ? c->sent : c->received) / ranks;
	default:
		return 0;
	}
}

/* Are two members on different hosts, or is one not known? */
static int is_far(const struct trace *t, const struct comm *comm)
{
	for (uint32_t i = 0; i < comm->size; i++)
		if (comm->members[i] == TRACE_NONE ||
		    machine_locality(t, comm->members[0], comm->members[i]) == LOCALITY_NETWORK)
			return 1;
	return 0;
}

int coll_costs_init(struct coll_costs *x, const struct trace *t, const struct collectives *c,
		    const struct machine *machine, struct err *err)
{
	*x = (struct coll_costs){.t = t, .c = c, .machine = machine};
	x->far = calloc((size_t)t->n_comms + 1, 1);
	if (!x->far)
		return err_set(err, "out of memory for %u communicators", t->n_comms);
	for (uint32_t i = 0; i < t->n_comms; i++)
		x->far[i] = (uint8_t)is_far(t, &t->comms[i]);
	return 0;
}

void coll_costs_release(struct coll_costs *x)
{
	free(x->far);
	*x = (struct coll_costs){0};
}

/* A signature is that of one size and of ranks that were seen to saturate the network. */
static enum coll_refusal predict_contention(const struct coll_costs *all, struct coll_cost *x,
					    const struct row *row)
{
	const struct machine_signature *s = machine_signature(all->machine, x->bytes);
	struct err err;

	if (row->goal != ALGORITHM_ALLTOALL)
		return COLL_NOT_EXCHANGE;
	if (!s)
		return COLL_NO_SIGNATURE;
	if (x->ranks < s->n_low || x->ranks > s->n_high ||
	    signature_time(&s->signature, x->ranks, x->bytes, &x->signature_s, &err) ||
	    total_exchange_equal(s->signature.link, x->ranks, x->bytes, &x->alone_s, &err))
		return COLL_OUTSIDE;
	return COLL_PREDICTED;
}

static enum coll_refusal predict(const struct coll_costs *all, struct coll_cost *x,
				 const struct row *row, int far)
{
	const struct machine_class *c =
		&all->machine->classes[far ? LOCALITY_NETWORK : LOCALITY_NODE];
	struct algorithm_time best;
	struct err err;

	if (!c->n || algorithm_best(row->goal, (struct plogp){c->L_s, c->n, c->points}, x->ranks,
				    x->bytes, &best, &err))
		return COLL_NO_MACHINE;
	x->idle_s = best.time_s;
	x->algorithm = best.name;
	return COLL_PREDICTED;
}

struct coll_cost coll_costs_at(const struct coll_costs *all, uint32_t k)
{
	return coll_costs_among(all, k, all->t->comms[all->c->c[k].comm].size);
}

struct coll_cost coll_costs_among(const struct coll_costs *all, uint32_t k, double ranks)
{
	const struct collective *c = &all->c->c[k];
	const struct comm *comm = &all->t->comms[c->comm];
	const struct row *row = row_of(all->t->regions[c->region].name, c->is_nonblocking);
	struct coll_cost x = {.ranks = ranks};
	enum coll_refusal why = COLL_PREDICTED;

	if (!row)
		why = COLL_NO_FORMULA;
	else if (comm->size < 2 && !comm->outside)
		why = COLL_ALONE;
	else if (c->is_short)
		why = COLL_SHORT;
	else if (!collective_is_whole(all->t, c))
		why = COLL_INCOMPLETE;
	x.refused = x.no_signature = (uint8_t)why;
	if (why != COLL_PREDICTED)
		return x;
	x.bytes = bytes_of(c, row->measure, comm->size);
	x.refused = (uint8_t)predict(all, &x, row, all->far[c->comm]);
	x.no_signature = (uint8_t)predict_contention(all, &x, row);
	return x;
}
