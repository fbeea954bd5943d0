/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One message on an idle network: Hockney, LogP, LogGP, pLogP. */
#include "cmd/csv.h"
#include "cmd/model/model.h"
#include "cmd/model/model_json.h"
#include "cmd/model/model_machine.h"
#include "models/hockney.h"
#include "models/logp.h"
#include "models/plogp.h"

#include <stdlib.h>

static const struct model_input hockney_inputs[] = {
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of the message"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time; with form=fixed all of it"},
	{"beta", MODEL_NUMBER, "time/byte", "0", "inverse bandwidth"},
	{"form", MODEL_WORD, "affine|linear|fixed", "affine",
	 "alpha + m beta, m beta or alpha alone"},
	{0},
};

static const struct model_output hockney_outputs[] = {
	{"T", "time", "time of the message"},
	{"half_size", "bytes", "size that reaches half of the bandwidth"},
	{0},
};

static int evaluate_hockney(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct hockney h = {model_number(in, "alpha"), model_number(in, "beta")};
	enum hockney_form form = model_is(in, "form", "fixed")    ? HOCKNEY_FIXED
				 : model_is(in, "form", "linear") ? HOCKNEY_LINEAR
								  : HOCKNEY_AFFINE;
	double time, half;

	if (hockney_time(h, form, model_number(in, "m"), &time, err))
		return -1;
	model_step(out, "T", time,
		   form == HOCKNEY_FIXED    ? "alpha"
		   : form == HOCKNEY_LINEAR ? "m beta"
					    : "alpha + m beta");
	model_put(out, "T", time);
	if (h.beta_s_per_byte > 0 && form == HOCKNEY_AFFINE) {
		if (hockney_half_size(h, &half, err))
			return -1;
		model_step(out, "size with half of the bandwidth", half, "alpha / beta");
		model_put(out, "half_size", half);
	}
	return 0;
}

const struct model_adapter model_hockney = {hockney_inputs, hockney_outputs, evaluate_hockney};

static const struct model_input logp_inputs[] = {
	{"o", MODEL_NUMBER, "time", MODEL_REQUIRED, "processor's overhead at either end"},
	{"L", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency"},
	{"g", MODEL_NUMBER, "time", MODEL_REQUIRED, "gap between packets"},
	{"P", MODEL_NUMBER, "", "2", "processors"},
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of the message"},
	{"w", MODEL_NUMBER, "bytes", "1", "size of a packet; 1: m counts packets"},
	{"G", MODEL_NUMBER, "time/byte", MODEL_OPTIONAL, "taken and ignored: LogP has no such gap"},
	{0},
};

static const struct model_output logp_outputs[] = {
	{"T", "time", "2 o + L + packets max(o, g)"},
	{"occupied", "time", "a processor is busy: o + (packets - 1) max(o, g)"},
	{"packets", "", "ceil(m / w)"},
	{0},
};

static int evaluate_logp(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct logp p = {
		.L_s = model_number(in, "L"),
		.o_s = model_number(in, "o"),
		.g_s = model_number(in, "g"),
		.P = model_number(in, "P"),
		.w = model_number(in, "w"),
	};
	struct logp_message m;

	if (logp_message(p, model_number(in, "m"), &m, err))
		return -1;
	model_step(out, "packets", m.packets, "ceil(m / w)");
	model_put(out, "T", m.time_s);
	model_put(out, "occupied", m.occupied_s);
	model_put(out, "packets", m.packets);
	return 0;
}

const struct model_adapter model_logp = {logp_inputs, logp_outputs, evaluate_logp};

static const struct model_input loggp_inputs[] = {
	{"o", MODEL_NUMBER, "time", MODEL_REQUIRED, "processor's overhead at either end"},
	{"L", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency"},
	{"g", MODEL_NUMBER, "time", "0", "gap between short messages"},
	{"G", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "gap per byte of a long message"},
	{"P", MODEL_NUMBER, "", "2", "processors"},
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of the message"},
	{"w", MODEL_NUMBER, "bytes", MODEL_OPTIONAL,
	 "size of a packet; up to it a message is short"},
	{"kind", MODEL_WORD, "auto|short|long", "auto",
	 "short: as LogP; long: with G; auto: short up to w"},
	{0},
};

static const struct model_output loggp_outputs[] = {
	{"T", "time", "2 o + L + (m - 1) G; short: 2 o + L + packets max(o, g)"},
	{0},
};

static int evaluate_loggp(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct loggp p = {
		.o_s = model_number(in, "o"),
		.L_s = model_number(in, "L"),
		.g_s = model_number(in, "g"),
		.G_s_per_byte = model_number(in, "G"),
	};
	struct logp packets = {p.L_s, p.o_s, p.g_s, model_number(in, "P"),
			       model_has(in, "w") ? model_number(in, "w") : 1};
	double bytes = model_number(in, "m");
	struct logp_message m;
	double time;

	if (loggp_message(p, bytes, &time, err) || logp_message(packets, bytes, &m, err))
		return -1;
	if (model_is(in, "kind", "short") ||
	    (model_is(in, "kind", "auto") && model_has(in, "w") && m.packets == 1)) {
		model_step(out, "T of a short message", m.time_s, "LogP");
		model_put(out, "T", m.time_s);
	} else {
		model_step(out, "T of a long message", time, "2 o + L + (m - 1) G");
		model_put(out, "T", time);
	}
	return 0;
}

const struct model_adapter model_loggp = {loggp_inputs, loggp_outputs, evaluate_loggp};

static const struct model_input plogp_inputs[] = {
	{"file", MODEL_FILE, "CSV: m,o_s,o_r,g", MODEL_REQUIRED,
	 "a row for each measured size; or a machine file"},
	{"L", MODEL_NUMBER, "time", MODEL_REQUIRED, "latency, end to end"},
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of the message"},
	{"burst", MODEL_LIST, "bytes", MODEL_OPTIONAL, "sizes of messages sent back to back"},
	{0},
};

static const struct model_output plogp_outputs[] = {
	{"T", "time", "until received, L + g(m)"},
	{"send", "time", "until the next may be sent, g(m)"},
	{"o_s", "time", "sender's overhead at m"},
	{"o_r", "time", "receiver's overhead at m"},
	{"burst", "time", "until the last of the burst is received, L + sum g"},
	{"logp_L", "time", "as LogP and LogGP: L + g(1) - o_s(1) - o_r(1)"},
	{"logp_o", "time", "(o_s(1) + o_r(1)) / 2"},
	{"logp_g", "time", "g(1)"},
	{"loggp_G", "time/byte", "g(m) / m of the largest size"},
	{0},
};

/* The file's points. Caller frees *out. */
static int load_points(const char *path, size_t *n, struct plogp_point **out, struct err *err)
{
	struct csv csv;
	struct plogp_point *points;

	if (model_json_is(path))
		return model_machine_points(path, n, out, err);
	if (csv_load(path, &csv, err))
		return -1;
	if (csv.columns != 4) {
		err_set(err, "%s: %zu columns, need m, o_s, o_r and g", path, csv.columns);
		csv_release(&csv);
		return -1;
	}
	points = calloc(csv.rows, sizeof(*points));
	for (size_t i = 0; points && i < csv.rows; i++)
		points[i] = (struct plogp_point){csv_at(&csv, i, 0), csv_at(&csv, i, 1),
						 csv_at(&csv, i, 2), csv_at(&csv, i, 3)};
	*n = csv.rows;
	*out = points;
	csv_release(&csv);
	return points ? 0 : err_set(err, "%s: out of memory", path);
}

static void put_plogp(const struct model_args *in, struct plogp p, struct model_results *out)
{
	double bytes = model_number(in, "m");
	struct plogp_point at = plogp_at(p, bytes);
	struct loggp logp = plogp_to_loggp(p);
	const double *sizes;
	size_t n = model_list(in, "burst", &sizes);

	model_put(out, "T", plogp_time(p, bytes));
	model_put(out, "send", at.g_s);
	model_put(out, "o_s", at.o_s_s);
	model_put(out, "o_r", at.o_r_s);
	if (n)
		model_put(out, "burst", plogp_burst_time(p, n, sizes));
	model_put(out, "logp_L", logp.L_s);
	model_put(out, "logp_o", logp.o_s);
	model_put(out, "logp_g", logp.g_s);
	model_put(out, "loggp_G", logp.G_s_per_byte);
}

static int evaluate_plogp(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct plogp_point *points = NULL;
	struct plogp p = {.L_s = model_number(in, "L")};
	const double *sizes;
	size_t n = model_list(in, "burst", &sizes);
	int ret;

	if (load_points(model_word(in, "file"), &p.n, &points, err))
		return -1;
	p.points = points;
	ret = plogp_check(p, err) || plogp_check_size(model_number(in, "m"), err);
	for (size_t i = 0; i < n && !ret; i++)
		ret = plogp_check_size(sizes[i], err);
	if (!ret)
		put_plogp(in, p, out);
	free(points);
	return ret ? -1 : 0;
}

const struct model_adapter model_plogp = {plogp_inputs, plogp_outputs, evaluate_plogp};
