/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/occupied.h"

#include "analyze/flow/price.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#define FINEST_NS 10000000
#define BINS_MOST (1u << 20) /* of all ports together */

static size_t row_of(const struct occupied *o, uint32_t home, enum occupied_side side)
{
	return ((size_t)home * OCCUPIED_SIDES + side) * o->bins;
}

static uint32_t bin_of(const struct occupied *o, int64_t ns)
{
	int64_t bin = later(0, ns) / o->bin_ns;

	return bin < o->bins ? (uint32_t)bin : o->bins - 1;
}

static void add(struct occupied *o, size_t row, int64_t from_ns, int64_t to_ns, double work_ns)
{
	o->begun_ns[row + bin_of(o, from_ns)] += work_ns;
	o->over_ns[row + bin_of(o, to_ns)] += work_ns;
}

/* The longest that so many bytes can keep a port to the network. */
static int64_t most_ns(const struct machine *machine, uint64_t bytes)
{
	const struct machine_class *c = &machine->classes[LOCALITY_NETWORK];

	return later(price_at(c, SCENARIO_MID, bytes).g_ns,
		     later(price_at(c, SCENARIO_LOW, bytes).g_ns,
			   price_at(c, SCENARIO_HIGH, bytes).g_ns));
}

static int add_messages(struct occupied *o, const struct trace *t, const struct messages *m,
			const struct sizes *sizes, const struct machine *machine)
{
	double *work_ns = table_calloc((size_t)sizes->n + 1, sizeof(*work_ns));

	if (!work_ns)
		return -1;
	for (uint32_t k = 0; k < sizes->n; k++)
		if (sizes->size[k].class == LOCALITY_NETWORK)
			work_ns[k] = (double)most_ns(machine, sizes->size[k].bytes);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];
		double ns = work_ns[sizes->of[i]];

		if (ns <= 0)
			continue;
		add(o, row_of(o, t->ranks[x->src].home, OCCUPIED_OUT), x->sent_ns, x->done_ns, ns);
		add(o, row_of(o, t->ranks[x->dst].home, OCCUPIED_IN), x->sent_ns, x->done_ns, ns);
	}
	table_free(work_ns);
	return 0;
}

/* Both ways of a rank's host. */
static void add_both(struct occupied *o, const struct trace *t, uint32_t rank, int64_t from_ns,
		     int64_t to_ns, double work_ns)
{
	for (int side = 0; side < OCCUPIED_SIDES; side++)
		add(o, row_of(o, t->ranks[rank].home, side), from_ns, to_ns, work_ns);
}

/* Twice in each of its rounds all that a rank has to give or gets, each way: nothing moves more. */
static double collective_ns(const struct trace *t, const struct machine *machine,
			    const struct op *op)
{
	uint32_t ranks = op->comm < t->n_comms ? t->comms[op->comm].size : t->n_ranks;
	int rounds = 1;

	while (rounds < 32 && (uint32_t)1 << rounds < ranks)
		rounds++;
	return 2 * rounds * most_ns(machine, op_bytes(op));
}

/* Collectives, from when they can have begun; and one-sided operations, until whenever. */
static void add_records(struct occupied *o, const struct trace *t, const struct machine *machine,
			uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];

	for (uint32_t i = r->first_op; i < r->first_op + r->ops; i++) {
		const struct op *op = &t->ops[i];
		int64_t from_ns = r->begin_ns;
		double ns;
		uint32_t target;

		switch (op->kind) {
		case OP_COLL:
			from_ns = op->call != TRACE_NONE ? t->calls[op->call].enter_ns : from_ns;
			/* fall through */
		case OP_NBC_DONE:
			ns = collective_ns(t, machine, op);
			add_both(o, t, rank, from_ns, op->time_ns, ns);
			break;
		case OP_PUT:
		case OP_GET:
		case OP_ATOMIC:
			ns = most_ns(machine, op_bytes(op));
			target = trace_world_rank(t, op->comm, op->peer);
			add_both(o, t, rank, op->time_ns, t->wall_ns, ns);
			if (target != TRACE_NONE)
				add_both(o, t, target, op->time_ns, t->wall_ns, ns);
			break;
		default:
			break;
		}
	}
}

static void sum_up(struct occupied *o, size_t rows)
{
	for (size_t row = 0; row < rows; row++)
		for (size_t k = row * o->bins + 1; k < (row + 1) * o->bins; k++) {
			o->begun_ns[k] += o->begun_ns[k - 1];
			o->over_ns[k] += o->over_ns[k - 1];
		}
}

int occupied_find(struct occupied *o, const struct trace *t, const struct messages *m,
		  const struct sizes *sizes, const struct machine *machine, struct err *err)
{
	size_t rows = (size_t)t->homes * OCCUPIED_SIDES;
	int64_t most = later(1, BINS_MOST / later(1, (int64_t)rows));

	*o = (struct occupied){.bin_ns = later(FINEST_NS, t->wall_ns / most + 1)};
	o->bins = (uint32_t)(t->wall_ns / o->bin_ns + 1);
	o->begun_ns = table_calloc(rows * o->bins + 1, sizeof(*o->begun_ns));
	o->over_ns = table_calloc(rows * o->bins + 1, sizeof(*o->over_ns));
	if (!o->begun_ns || !o->over_ns || add_messages(o, t, m, sizes, machine)) {
		occupied_release(o);
		return err_set(err, "out of memory for the ports of %u hosts", t->homes);
	}
	for (uint32_t r = 0; r < t->n_ranks; r++)
		add_records(o, t, machine, r);
	sum_up(o, rows);
	return 0;
}

void occupied_release(struct occupied *o)
{
	table_free(o->begun_ns);
	table_free(o->over_ns);
	*o = (struct occupied){0};
}

double occupied_ns(const struct occupied *o, uint32_t home, enum occupied_side side,
		   int64_t from_ns, int64_t to_ns)
{
	size_t row = row_of(o, home, side);
	uint32_t from = bin_of(o, from_ns);

	return o->begun_ns[row + bin_of(o, to_ns)] - (from ? o->over_ns[row + from - 1] : 0);
}
