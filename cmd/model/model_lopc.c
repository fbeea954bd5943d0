/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contention for message handlers: LoPC, everybody to anybody and clients with servers. */
#include "cmd/model/model.h"
#include "models/lopc.h"
#include "models/lopc_server.h"

static const struct model_input lopc_inputs[] = {
	{"P", MODEL_NUMBER, "", MODEL_OPTIONAL, "nodes; the equations do not depend on it"},
	{"W", MODEL_NUMBER, "time", MODEL_REQUIRED, "mean work between requests"},
	{"S_o", MODEL_NUMBER, "time", MODEL_REQUIRED, "mean time of a handler"},
	{"S_l", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency of a message, each way"},
	{"C2", MODEL_NUMBER, "", "0",
	 "squared coefficient of variation of handlers; 1: exponential"},
	{"protocol_processor", MODEL_NUMBER, "", "0",
	 "1: handlers do not interrupt the work (shared memory)"},
	{"n", MODEL_NUMBER, "", MODEL_OPTIONAL, "requests of each node, for the run time"},
	{0},
};

static const struct model_output lopc_outputs[] = {
	{"R", "time", "a cycle: work, request, reply"},
	{"R_w", "time", "of it the work with its interruptions"},
	{"R_q", "time", "of it the request handler and its queue"},
	{"R_y", "time", "of it the reply handler and its queue"},
	{"U", "", "share of a node's time in request handlers; as much in replies"},
	{"lower", "time", "without contention (LogP)"},
	{"upper", "time", "with the most contention"},
	{"contention", "time", "R less lower"},
	{"share", "", "contention / R"},
	{"rule", "time", "rule of thumb: one more handler"},
	{"contention_work", "time", "part of contention: interruptions of work"},
	{"contention_request", "time", "part of contention: requests in queues"},
	{"contention_reply", "time", "part of contention: replies in queues"},
	{"Q_q", "", "mean requests at a node"},
	{"Q_y", "", "mean replies at a node"},
	{"run_time", "time", "n R"},
	{0},
};

static void explain_lopc(const struct lopc *m, const struct lopc_result *r,
			 struct model_results *out)
{
	model_step(out, "bounds: without contention", r->lower, "(9)");
	model_step(out, "bounds: most contention", r->upper, "(9)");
	model_step(out, "utilisation U_q = U_y = S_o/R", r->U, "(4)");
	model_step(out, "requests at a node Q_q = R_q/R", r->Q_q, "(3)");
	model_step(out, "replies at a node Q_y = R_y/R", r->Q_y, "(3)");
	model_step(out, "request R_q", r->R_q, "(5')");
	model_step(out, "reply R_y", r->R_y, "(6')");
	model_step(out, "work R_w", r->R_w,
		   m->handlers == LOPC_PROTOCOL_PROCESSOR ? "section 4.2" : "(7)");
	model_step(out, "cycle R = R_w + 2 S_l + R_q + R_y", r->R, "(1)");
	model_step(out, "right side of (1) at this R", r->R > 0 ? lopc_cycle(m, r->R) : 0,
		   m->C2 == 0 ? "(8)" : "(1)");
}

static int evaluate_lopc(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct lopc m = {
		.P = model_has(in, "P") ? model_number(in, "P") : 2,
		.W = model_number(in, "W"),
		.S_o = model_number(in, "S_o"),
		.S_l = model_number(in, "S_l"),
		.C2 = model_number(in, "C2"),
		.handlers = model_number(in, "protocol_processor") != 0 ? LOPC_PROTOCOL_PROCESSOR
									: LOPC_INTERRUPT_WORK,
	};
	struct lopc_result r;

	if (lopc_solve(&m, &r, err))
		return -1;
	explain_lopc(&m, &r, out);
	model_put(out, "R", r.R);
	model_put(out, "R_w", r.R_w);
	model_put(out, "R_q", r.R_q);
	model_put(out, "R_y", r.R_y);
	model_put(out, "U", r.U);
	model_put(out, "lower", r.lower);
	model_put(out, "upper", r.upper);
	model_put(out, "contention", r.contention);
	model_put(out, "share", r.share);
	model_put(out, "rule", r.rule);
	model_put(out, "contention_work", r.contention_work);
	model_put(out, "contention_request", r.contention_request);
	model_put(out, "contention_reply", r.contention_reply);
	model_put(out, "Q_q", r.Q_q);
	model_put(out, "Q_y", r.Q_y);
	if (model_has(in, "n")) {
		double run_time;

		if (lopc_run_time(&r, model_number(in, "n"), &run_time, err))
			return -1;
		model_put(out, "run_time", run_time);
	}
	return 0;
}

const struct model_adapter model_lopc = {lopc_inputs, lopc_outputs, evaluate_lopc};

static const struct model_input server_inputs[] = {
	{"P", MODEL_NUMBER, "", MODEL_REQUIRED, "nodes, clients and servers"},
	{"W", MODEL_NUMBER, "time", MODEL_REQUIRED, "mean work of a client between requests"},
	{"S_o", MODEL_NUMBER, "time", MODEL_REQUIRED, "mean time of a handler"},
	{"S_l", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency of a message, each way"},
	{"C2", MODEL_NUMBER, "", "0", "squared coefficient of variation of handlers"},
	{"S_y", MODEL_NUMBER, "time", MODEL_OPTIONAL, "the reply's handler; without it S_o"},
	{"P_s", MODEL_NUMBER, "", MODEL_OPTIONAL, "servers; without it the best number"},
	{0},
};

static const struct model_output server_outputs[] = {
	{"P_s_opt", "", "best number of servers, closed form"},
	{"P_s_best", "", "best whole number of servers, by throughput"},
	{"P_s", "", "servers of what follows"},
	{"X", "1/time", "requests served"},
	{"R", "time", "a client's cycle"},
	{"R_s", "time", "of it at the server"},
	{"U_s", "", "share of a server's time in handlers"},
	{"Q_s", "", "mean requests at a server"},
	{"X_opt", "1/time", "at P_s_opt"},
	{"R_s_opt", "time", "at P_s_opt"},
	{"bound_server", "1/time", "LogP: servers never idle"},
	{"bound_client", "1/time", "LogP: clients never wait"},
	{0},
};

static int evaluate_server(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct lopc_server m = {
		model_number(in, "P"),   model_number(in, "W"),
		model_number(in, "S_o"), model_number(in, "S_l"),
		model_number(in, "C2"),  model_number(in, model_has(in, "S_y") ? "S_y" : "S_o")};
	struct lopc_server_best best;
	struct lopc_server_at x;

	if (lopc_server_best(&m, &best, err))
		return -1;
	if (lopc_server_solve(&m, model_has(in, "P_s") ? model_number(in, "P_s") : best.P_s_best,
			      &x, err))
		return -1;
	model_step(out, "R_s where a server has one request", best.R_s_opt, "(16)");
	model_step(out, "servers for that", best.P_s_opt, "(12), (18) corrected");
	model_step(out, "throughput there", best.X_opt, "(10)");
	model_step(out, "utilisation of P_s servers", x.U_s, "(13)");
	model_step(out, "response of P_s servers", x.R_s, "(14)");
	model_step(out, "a client's cycle", x.R, "(17)");
	model_step(out, "throughput of P_s servers", x.X, "(11)");
	model_put(out, "P_s_opt", best.P_s_opt);
	model_put(out, "P_s_best", best.P_s_best);
	model_put(out, "P_s", x.P_s);
	model_put(out, "X", x.X);
	model_put(out, "R", x.R);
	model_put(out, "R_s", x.R_s);
	model_put(out, "U_s", x.U_s);
	model_put(out, "Q_s", x.Q_s);
	model_put(out, "X_opt", best.X_opt);
	model_put(out, "R_s_opt", best.R_s_opt);
	if (m.S_o > 0)
		model_put(out, "bound_server", x.bound_server);
	model_put(out, "bound_client", x.bound_client);
	return 0;
}

const struct model_adapter model_lopc_server = {server_inputs, server_outputs, evaluate_server};
