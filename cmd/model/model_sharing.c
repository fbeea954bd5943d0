/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages that share: ports, links, buses, a node's rate; factors for all of it. */
#include "cmd/csv.h"
#include "cmd/model/model.h"
#include "models/bruck.h"
#include "models/buses.h"
#include "models/clement.h"
#include "models/max_rate.h"
#include "models/ports.h"
#include "models/two_state.h"

static const struct model_input two_state_inputs[] = {
	{"beta_F", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "gap per byte without contention"},
	{"beta_C", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "gap per byte with contention"},
	{"rho", MODEL_NUMBER, "", "0.5", "share of transfers that meet contention"},
	{0},
};

static const struct model_output two_state_outputs[] = {
	{"beta", "time/byte", "(1 - rho) beta_F + rho beta_C"},
	{0},
};

static int evaluate_two_state(const struct model_args *in, struct model_results *out,
			      struct err *err)
{
	struct two_state t = {model_number(in, "beta_F"), model_number(in, "beta_C"),
			      model_number(in, "rho")};
	double beta;

	if (two_state_gap(t, &beta, err))
		return -1;
	model_put(out, "beta", beta);
	return 0;
}

const struct model_adapter model_two_state = {two_state_inputs, two_state_outputs,
					      evaluate_two_state};

static const struct model_input clement_inputs[] = {
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of the message"},
	{"l", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency of the link"},
	{"W", MODEL_NUMBER, "bytes/time", MODEL_REQUIRED, "bandwidth of the link"},
	{"gamma", MODEL_NUMBER, "", MODEL_REQUIRED, "contention factor: the number of processes"},
	{0},
};

static const struct model_output clement_outputs[] = {
	{"T", "time", "l + m gamma / W"},
	{0},
};

static int evaluate_clement(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct clement c = {model_number(in, "l"), model_number(in, "W"),
			    model_number(in, "gamma")};
	double time;

	if (clement_time(c, model_number(in, "m"), &time, err))
		return -1;
	model_put(out, "T", time);
	return 0;
}

const struct model_adapter model_clement = {clement_inputs, clement_outputs, evaluate_clement};

static const struct model_input bruck_inputs[] = {
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of a message"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time"},
	{"beta", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "inverse bandwidth"},
	{"rounds", MODEL_NUMBER, "", "1", "messages of a process, one after another"},
	{"slowdown", MODEL_NUMBER, "", MODEL_REQUIRED, "measured factor, at least 1"},
	{0},
};

static const struct model_output bruck_outputs[] = {
	{"T", "time", "slowdown rounds (alpha + m beta)"},
	{0},
};

static int evaluate_bruck(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct bruck b = {{model_number(in, "alpha"), model_number(in, "beta")},
			  model_number(in, "rounds"),
			  model_number(in, "slowdown")};
	double time;

	if (bruck_time(b, model_number(in, "m"), &time, err))
		return -1;
	model_put(out, "T", time);
	return 0;
}

const struct model_adapter model_bruck = {bruck_inputs, bruck_outputs, evaluate_bruck};

static const struct model_input buses_inputs[] = {
	{"messages", MODEL_NUMBER, "", MODEL_REQUIRED, "messages that are ready"},
	{"buses", MODEL_NUMBER, "", MODEL_REQUIRED, "how many can travel at once"},
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of a message"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time"},
	{"beta", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "inverse bandwidth"},
	{0},
};

static const struct model_output buses_outputs[] = {
	{"waves", "", "ceil(messages / buses)"},
	{"T", "time", "waves (alpha + m beta)"},
	{0},
};

static int evaluate_buses(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct buses b = {{model_number(in, "alpha"), model_number(in, "beta")},
			  model_number(in, "messages"),
			  model_number(in, "buses")};
	struct buses_result r;

	if (buses_time(b, model_number(in, "m"), &r, err))
		return -1;
	model_put(out, "waves", r.waves);
	model_put(out, "T", r.time_s);
	return 0;
}

const struct model_adapter model_buses = {buses_inputs, buses_outputs, evaluate_buses};

static const struct model_input max_rate_inputs[] = {
	{"k", MODEL_NUMBER, "", MODEL_REQUIRED, "processes of the node that send at once"},
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of each one's message"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time"},
	{"R_N", MODEL_NUMBER, "bytes/time", MODEL_REQUIRED, "rate of the node"},
	{"R_C", MODEL_NUMBER, "bytes/time", MODEL_REQUIRED, "rate of one process"},
	{"R_i", MODEL_NUMBER, "bytes/time", MODEL_OPTIONAL,
	 "what each further one adds (default: R_C)"},
	{0},
};

static const struct model_output max_rate_outputs[] = {
	{"T", "time", "alpha + k m / rate"},
	{"rate", "bytes/time", "min(R_N, R_C + (k - 1) R_i)"},
	{"saturated", "", "processes from which on the node is the limit; 0: never"},
	{0},
};

static int evaluate_max_rate(const struct model_args *in, struct model_results *out,
			     struct err *err)
{
	struct max_rate m = {
		.alpha = model_number(in, "alpha"),
		.R_N = model_number(in, "R_N"),
		.R_C = model_number(in, "R_C"),
		.R_i = model_number(in, model_has(in, "R_i") ? "R_i" : "R_C"),
	};
	struct max_rate_result r;

	if (max_rate_time(m, model_number(in, "k"), model_number(in, "m"), &r, err))
		return -1;
	model_put(out, "T", r.time);
	model_put(out, "rate", r.rate);
	model_put(out, "saturated", r.saturated);
	return 0;
}

const struct model_adapter model_max_rate = {max_rate_inputs, max_rate_outputs, evaluate_max_rate};

static const struct model_input ports_inputs[] = {
	{"file", MODEL_FILE, "CSV: matrix", MODEL_REQUIRED,
	 "bytes from row to column; 0: none; the diagonal is left out"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time"},
	{"beta", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "inverse bandwidth"},
	{"node_rate", MODEL_NUMBER, "bytes/time", "0",
	 "bounded multi-port: of a process, in and out; 0: no bound"},
	{0},
};

static const struct model_output ports_outputs[] = {
	{"multi_port", "time", "anybody at once"},
	{"bounded", "time", "anybody at once within node_rate"},
	{"single_port", "time", "one other at a time"},
	{"full_duplex", "time", "one out and one in at a time"},
	{0},
};

static int evaluate_ports(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct ports p = {{model_number(in, "alpha"), model_number(in, "beta")},
			  model_number(in, "node_rate")};
	struct ports_bounds b;
	struct csv w;
	int ret;

	if (csv_load_square(model_word(in, "file"), &w, err))
		return -1;
	ret = ports_bound(p, w.rows, w.cells, &b, err);
	csv_release(&w);
	if (ret)
		return -1;
	model_put(out, "multi_port", b.multi_port);
	model_put(out, "bounded", b.bounded);
	model_put(out, "single_port", b.single_port);
	model_put(out, "full_duplex", b.full_duplex);
	return 0;
}

const struct model_adapter model_ports = {ports_inputs, ports_outputs, evaluate_ports};
