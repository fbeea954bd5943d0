/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contention in the network: LoGPC, its bound, message styles and the Diamond DAG. */
#include "cmd/model/model.h"
#include "models/diamond_dag.h"
#include "models/logpc.h"

#define K_D_HELP     "mean hops in each dimension, messages to oneself left out; see mesh"
#define CHANNEL_HELP "time that a byte holds a channel"

static const struct model_input logpc_inputs[] = {
	{"o_s", MODEL_NUMBER, "time", MODEL_REQUIRED, "send overhead; kind=long: o_sl"},
	{"o_r", MODEL_NUMBER, "time", "0", "receive overhead; kind=long: o_rl"},
	{"L", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency"},
	{"G", MODEL_NUMBER, "time/byte", "0", "gap per byte"},
	{"B", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of a message"},
	{"n", MODEL_NUMBER, "", "2", "dimensions of the network"},
	{"k_d", MODEL_NUMBER, "", MODEL_REQUIRED, K_D_HELP},
	{"T", MODEL_NUMBER, "time", MODEL_OPTIONAL,
	 "between messages without contention, kind=sync: of a request and its reply; default: "
	 "sends all the time"},
	{"channel", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, CHANNEL_HELP},
	{"kind", MODEL_WORD, "short|long|sync|async|remap", "short",
	 "a message, a long one, request and reply, sends without waiting, long remap"},
	{"C_r", MODEL_NUMBER, "time", "0", "contention for processors, about o_s + o_r"},
	{"m", MODEL_NUMBER, "1/time", MODEL_OPTIONAL, "a given rate: the open model"},
	{"a", MODEL_NUMBER, "bytes", MODEL_OPTIONAL, "bytes before the interrupt, for pipeline"},
	{"G_m", MODEL_NUMBER, "time/byte", MODEL_OPTIONAL, "time per byte to memory, for pipeline"},
	{"hot", MODEL_NUMBER, "", "1", "messages at the busiest node over their mean"},
	{0},
};

static const struct model_output logpc_outputs[] = {
	{"C_n", "time", "network contention of a message"},
	{"m_c", "1/time", "messages of a node, with contention"},
	{"rho", "", "share of time that a channel is held"},
	{"time", "time", "of the message or cycle"},
	{"pipeline", "time", "a long message through the DMA engines, idle network"},
	{"sync", "time", "a request and its reply"},
	{"async", "time", "one way without waiting"},
	{"hot_break", "", "the skew from which the hot node limits requests and replies"},
	{0},
};

static const struct {
	const char *word;
	enum logpc_kind kind;
	const char *equation;
} kinds[] = {
	{"short", LOGPC_SHORT, "(8), (9)"},      {"long", LOGPC_LONG, "(10)"},
	{"sync", LOGPC_SYNC, "section 5.1.1"},   {"async", LOGPC_ASYNC, "section 5.1.2"},
	{"remap", LOGPC_REMAP, "section 5.1.3"},
};

static struct logpc_network network(const struct model_args *in, const char *dimensions)
{
	return (struct logpc_network){model_number(in, dimensions), model_number(in, "k_d"),
				      model_number(in, "channel")};
}

static int contention(const struct model_args *in, const struct logpc *p, size_t kind,
		      struct logpc_contention *x, double *time, struct err *err)
{
	double T = model_has(in, "T") ? model_number(in, "T") : logpc_cycle(p, kinds[kind].kind).T;

	if (!model_has(in, "m"))
		return logpc_time(p, kinds[kind].kind, T, x, time, err);
	if (logpc_open(&p->net, p->B, model_number(in, "m"), x, err))
		return -1;
	*time = logpc_time_at(p, kinds[kind].kind, x->C_n);
	return 0;
}

/* What goes beside the message itself, where the inputs allow it. */
static int put_extras(const struct model_args *in, const struct logpc *p, struct model_results *out,
		      struct err *err)
{
	struct logpc_styles styles;
	struct err ignored;
	double time;

	if (model_has(in, "a") && model_has(in, "G_m")) {
		if (logpc_pipeline(p, model_number(in, "a"), model_number(in, "G_m"), &time, err))
			return -1;
		model_step(out, "pipeline of DMA engines", time, "(2)");
		model_put(out, "pipeline", time);
	}
	if (logpc_compare_styles(p, model_number(in, "hot"), &styles, &ignored))
		return 0; /* no overheads: nothing to compare */
	model_put(out, "sync", styles.sync);
	model_put(out, "async", styles.async);
	model_put(out, "hot_break", styles.hot_break);
	return 0;
}

static int evaluate_logpc(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct logpc p = {
		.o_s = model_number(in, "o_s"),
		.o_r = model_number(in, "o_r"),
		.L = model_number(in, "L"),
		.G = model_number(in, "G"),
		.B = model_number(in, "B"),
		.C_r = model_number(in, "C_r"),
		.net = network(in, "n"),
	};
	struct logpc_contention x;
	double time;
	size_t k = 0;

	while (!model_is(in, "kind", kinds[k].word))
		k++;
	if (contention(in, &p, k, &x, &time, err) || put_extras(in, &p, out, err))
		return -1;
	model_step(out, "rate of messages", x.m, model_has(in, "m") ? "given" : "(7)");
	model_step(out, "share of channels' time", x.rho, "(4)");
	model_step(out, "contention C_n", x.C_n, "(5), (6)");
	model_step(out, "time", time, kinds[k].equation);
	model_put(out, "C_n", x.C_n);
	model_put(out, "m_c", x.m);
	model_put(out, "rho", x.rho);
	model_put(out, "time", time);
	return 0;
}

const struct model_adapter model_logpc = {logpc_inputs, logpc_outputs, evaluate_logpc};

static const struct model_input bound_inputs[] = {
	{"G", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "gap per byte"},
	{"n", MODEL_NUMBER, "", "2", "dimensions of the network"},
	{"k_d", MODEL_NUMBER, "", MODEL_REQUIRED, K_D_HELP},
	{"channel", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, CHANNEL_HELP},
	{0},
};

static const struct model_output bound_outputs[] = {
	{"F", "time/byte", "between messages, per byte, when nodes only send"},
	{"slowdown", "", "F / (2 G)"},
	{0},
};

static int evaluate_bound(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct logpc_network net = network(in, "n");
	struct logpc_bound b;

	if (logpc_bound(&net, model_number(in, "G"), &b, err))
		return -1;
	model_step(out, "1/(m_c B), the root with rho < 1", b.F, "(13)");
	model_step(out, "slowdown", b.slowdown, "(14)");
	model_put(out, "F", b.F);
	model_put(out, "slowdown", b.slowdown);
	model_note(out, "On the 4x8 mesh with 1 cycle/byte LoGPC's 2.22 compares with 2.6 to 3.1 "
			"in simulations of such networks: it is no upper bound of those.");
	return 0;
}

const struct model_adapter model_logpc_bound = {bound_inputs, bound_outputs, evaluate_bound};

static const struct model_input diamond_inputs[] = {
	{"n", MODEL_NUMBER, "", MODEL_REQUIRED, "tasks in each direction"},
	{"P", MODEL_NUMBER, "", MODEL_REQUIRED, "stripes, one a node"},
	{"b", MODEL_NUMBER, "", MODEL_REQUIRED, "blocks of a stripe"},
	{"t_task", MODEL_NUMBER, "time", "1", "time of a task"},
	{"alpha_agg", MODEL_NUMBER, "time", "0", "to pack and unpack a value"},
	{"o_s", MODEL_NUMBER, "time", MODEL_REQUIRED, "send overhead"},
	{"L", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency"},
	{"G", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "gap per byte"},
	{"a", MODEL_NUMBER, "bytes", "0", "bytes before the receiver is interrupted"},
	{"bytes", MODEL_NUMBER, "bytes", "0", "of a block, whatever b; 0: bytes_per_value n/b"},
	{"bytes_per_value", MODEL_NUMBER, "bytes", "1", "of a value on a block's edge"},
	{"dimensions", MODEL_NUMBER, "", "2", "of the network"},
	{"k_d", MODEL_NUMBER, "", "0", "mean hops in each dimension from stripe to stripe"},
	{"channel", MODEL_NUMBER, "time/byte", "0", CHANNEL_HELP},
	{0},
};

static const struct model_output diamond_outputs[] = {
	{"M", "time", "makespan without contention"},
	{"M_contention", "time", "makespan when every message of the critical path waits"},
	{"b_opt", "", "blocks where dM/db = 0"},
	{"b_best", "", "best whole number of blocks"},
	{"b_best_contention", "", "best whole number of blocks, with contention"},
	{"C_n", "time", "contention of a message"},
	{"W", "time", "work of a block"},
	{"O_s", "time", "send of a block"},
	{"O_r", "time", "receipt of a block"},
	{"communication", "", "2 G bytes / W"},
	{0},
};

static int evaluate_diamond(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct diamond m = {
		.n = model_number(in, "n"),
		.P = model_number(in, "P"),
		.b = model_number(in, "b"),
		.t_task = model_number(in, "t_task"),
		.alpha_agg = model_number(in, "alpha_agg"),
		.o_s = model_number(in, "o_s"),
		.L = model_number(in, "L"),
		.G = model_number(in, "G"),
		.a = model_number(in, "a"),
		.bytes = model_number(in, "bytes"),
		.bytes_per_value = model_number(in, "bytes_per_value"),
		.net = network(in, "dimensions"),
	};
	struct diamond_result r;

	if (diamond_solve(&m, &r, err))
		return -1;
	model_step(out, "work of a block W", r.W, "section 5.2.1");
	model_step(out, "makespan M", r.M, "(15)");
	model_step(out, "contention C_n at m_c = 1/(v + 2 C_n)", r.C_n, "(6)");
	model_step(out, "blocks where dM/db = 0", r.b_opt, "section 5.2.1");
	model_put(out, "M", r.M);
	model_put(out, "M_contention", r.M_contention);
	model_put(out, "b_opt", r.b_opt);
	model_put(out, "b_best", r.b_best);
	model_put(out, "b_best_contention", r.b_best_contention);
	model_put(out, "C_n", r.C_n);
	model_put(out, "W", r.W);
	model_put(out, "O_s", r.O_s);
	model_put(out, "O_r", r.O_r);
	model_put(out, "communication", r.communication);
	return 0;
}

const struct model_adapter model_diamond = {diamond_inputs, diamond_outputs, evaluate_diamond};
