/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everybody to everybody: bounds, contention signature and its fit. */
#include "cmd/csv.h"
#include "cmd/model/model.h"
#include "models/signature_fit.h"
#include "models/total_exchange.h"

#include <math.h>
#include <stdlib.h>

static const struct model_input bounds_inputs[] = {
	{"file", MODEL_FILE, "CSV: matrix", MODEL_REQUIRED,
	 "bytes from row to column; 0: none; the diagonal is left out"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time"},
	{"beta", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "inverse bandwidth"},
	{0},
};

static const struct model_output bounds_outputs[] = {
	{"startups", "", "Claim 1: max(Delta_s, Delta_r)"},
	{"Delta_s", "", "the most messages that one process sends"},
	{"Delta_r", "", "the most messages that one process receives"},
	{"t_s", "time", "the longest that one process sends"},
	{"t_r", "time", "the longest that one process receives"},
	{"lower", "time", "Claim 3: startups alpha + max(t_s, t_r)"},
	{"port", "time", "the longest that one port is busy: a bound in any case"},
	{0},
};

static int evaluate_bounds(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct hockney link = {model_number(in, "alpha"), model_number(in, "beta")};
	const char *path = model_word(in, "file");
	struct total_exchange e;
	struct csv w;
	struct err why;
	int ret;

	if (csv_load_square(path, &w, err))
		return -1;
	ret = total_exchange_bounds(link, w.rows, w.cells, &e, &why);
	csv_release(&w);
	if (ret)
		return err_set(err, "%s: %.400s", path, why.text);
	model_step(out, "start-ups", e.startups, "Claim 1");
	model_step(out, "transfer, max(t_s, t_r)", e.transfer, "Claim 2");
	model_step(out, "both", e.lower, "Claim 3");
	model_put(out, "startups", e.startups);
	model_put(out, "Delta_s", (double)e.sends);
	model_put(out, "Delta_r", (double)e.receives);
	model_put(out, "t_s", e.t_s);
	model_put(out, "t_r", e.t_r);
	model_put(out, "lower", e.lower);
	model_put(out, "port", e.port);
	if (!e.one_port)
		model_note(out, "The most start-ups and the most bytes are not at one port: lower "
				"holds for a synchronous exchange, port for any.");
	return 0;
}

const struct model_adapter model_exchange_bounds = {bounds_inputs, bounds_outputs, evaluate_bounds};

static const struct model_input signature_inputs[] = {
	{"n", MODEL_NUMBER, "", MODEL_REQUIRED, "processes"},
	{"m", MODEL_NUMBER, "bytes", MODEL_REQUIRED, "size of each message"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time of one message alone"},
	{"beta", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "inverse bandwidth"},
	{"gamma", MODEL_NUMBER, "", MODEL_REQUIRED, "contention ratio"},
	{"delta", MODEL_NUMBER, "time", "0", "start-up cost of each communication"},
	{"M", MODEL_NUMBER, "bytes", "0", "size from which on delta is paid"},
	{0},
};

static const struct model_output signature_outputs[] = {
	{"T", "time", "of the all-to-all"},
	{"lower", "time", "without contention, Proposition 1"},
	{0},
};

static int evaluate_signature(const struct model_args *in, struct model_results *out,
			      struct err *err)
{
	struct signature s = {
		.link = {model_number(in, "alpha"), model_number(in, "beta")},
		.gamma = model_number(in, "gamma"),
		.delta = model_number(in, "delta"),
		.M = model_number(in, "M"),
	};
	double n = model_number(in, "n");
	double bytes = model_number(in, "m");
	double time, lower;

	if (total_exchange_equal(s.link, n, bytes, &lower, err) ||
	    signature_time(&s, n, bytes, &time, err))
		return -1;
	model_step(out, "without contention", lower, "Proposition 1");
	model_step(out, "with contention", time,
		   bytes < s.M ? "eq. (5), m < M" : "eq. (5), m >= M, delta in the product");
	model_put(out, "T", time);
	model_put(out, "lower", lower);
	model_note(out, "Holds where n processes saturate the network; says nothing below.");
	return 0;
}

const struct model_adapter model_signature = {signature_inputs, signature_outputs,
					      evaluate_signature};

static const struct model_input fit_inputs[] = {
	{"file", MODEL_FILE, "CSV: n,m,T", MODEL_REQUIRED,
	 "measured all-to-alls; a size may be there several times"},
	{"alpha", MODEL_NUMBER, "time", MODEL_REQUIRED, "start-up time of one message alone"},
	{"beta", MODEL_NUMBER, "time/byte", MODEL_REQUIRED, "inverse bandwidth"},
	{"n", MODEL_NUMBER, "", "0", "fit at this n; 0: the largest with four sizes"},
	{"weights", MODEL_WORD, "relative|replicates|equal", "relative",
	 "errors: a share of T, as replicates vary, all alike"},
	{0},
};

static const struct model_output fit_outputs[] = {
	{"gamma", "", "contention ratio"},
	{"delta", "time", "start-up cost of each communication"},
	{"M", "bytes", "smallest measured size that pays delta"},
	{"se_gamma", "", "standard error"},
	{"se_delta", "time", "standard error"},
	{"half_gamma", "", "half of the 95 % interval"},
	{"half_delta", "time", "half of the 95 % interval"},
	{"M_above", "bytes", "the size below M, which does not pay"},
	{"M_low", "bytes", "95 %: M is above this size; 0: none below"},
	{"M_high", "bytes", "and at most this one"},
	{"se_M", "bytes", "standard error"},
	{"sigma", "", "residual standard deviation, in units of the weights"},
	{"n", "", "processes of the samples used"},
	{"n_low", "", "holds within 10 % from this measured n"},
	{"n_high", "", "to this one"},
	{"samples", "", "used"},
	{"sizes", "", "used"},
	{"lack_of_fit_F", "", "scatter of the means against that of replicates"},
	{"lack_of_fit_p", "", "probability of more when the model is right"},
	{0},
};

/* Rows n,m,T. Caller frees *out. */
static int load_samples(const char *path, size_t *n, struct signature_sample **out, struct err *err)
{
	struct signature_sample *samples = NULL;
	struct csv csv;
	int at_n, at_m, at_T;
	int ret = -1;

	if (csv_load(path, &csv, err))
		return -1;
	at_n = csv_column(&csv, "n", 0);
	at_m = csv_column(&csv, "m", 1);
	at_T = csv_column(&csv, "T", 2);
	if (at_n < 0 || at_m < 0 || at_T < 0) {
		err_set(err, "%s: need columns n, m and T", path);
		goto out;
	}
	samples = calloc(csv.rows, sizeof(*samples));
	if (!samples) {
		err_set(err, "%s: out of memory for %zu rows", path, csv.rows);
		goto out;
	}
	for (size_t i = 0; i < csv.rows; i++)
		samples[i] = (struct signature_sample){csv_at(&csv, i, (size_t)at_n),
						       csv_at(&csv, i, (size_t)at_m),
						       csv_at(&csv, i, (size_t)at_T)};
	*n = csv.rows;
	*out = samples;
	ret = 0;
out:
	csv_release(&csv);
	return ret;
}

static void put_fit(const struct signature_fit *f, struct model_results *out)
{
	model_put(out, "gamma", f->signature.gamma);
	model_put(out, "delta", f->signature.delta);
	model_put(out, "M", f->signature.M);
	model_put(out, "se_gamma", f->se_gamma);
	model_put(out, "se_delta", f->se_delta);
	model_put(out, "half_gamma", f->half_gamma);
	model_put(out, "half_delta", f->half_delta);
	model_put(out, "M_above", f->M_above);
	model_put(out, "M_low", f->M_low);
	model_put(out, "M_high", f->M_high);
	if (isfinite(f->se_M))
		model_put(out, "se_M", f->se_M);
	model_put(out, "sigma", f->sigma);
	model_put(out, "n", f->n);
	model_put(out, "n_low", f->n_low);
	model_put(out, "n_high", f->n_high);
	model_put(out, "samples", (double)f->samples);
	model_put(out, "sizes", (double)f->sizes);
	if (f->tested) {
		model_put(out, "lack_of_fit_F", f->lack_of_fit_F);
		model_put(out, "lack_of_fit_p", f->lack_of_fit_p);
	}
}

static void note_fit(const struct signature_fit *f, struct model_results *out)
{
	if (f->n_low < f->n_high)
		model_note(out,
			   "Fitted at n = %g; holds within 10 %% at each size for the measured n "
			   "from %g to %g and says nothing of networks that are not saturated.",
			   f->n, f->n_low, f->n_high);
	else
		model_note(out,
			   "Fitted at n = %g, and says nothing of networks that are not "
			   "saturated: whether it holds for other n is not shown.",
			   f->n);
	if (f->signature.gamma < 1)
		model_note(out, "gamma is below 1: the all-to-all is faster than alpha and beta "
				"allow, so these do not describe this network.");
	if (f->delta_clamped)
		model_note(out, "The best delta was below 0; gamma is fitted alone, M means "
				"nothing.");
	else if (f->signature.delta < f->half_delta)
		model_note(out, "delta cannot be told from 0; M means little.");
	if (!f->tested)
		model_note(out, "No replicates: whether the model fits cannot be tested.");
	else if (f->lack_of_fit_p < 0.01)
		model_note(out, "The model does not fit: the sizes scatter about it more than "
				"their replicates do.");
}

static int evaluate_fit(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct signature_question q = {
		.link = {model_number(in, "alpha"), model_number(in, "beta")},
		.n = model_number(in, "n"),
		.weights = model_is(in, "weights", "replicates") ? SIGNATURE_REPLICATES
			   : model_is(in, "weights", "equal")    ? SIGNATURE_EQUAL
								 : SIGNATURE_RELATIVE,
	};
	const char *path = model_word(in, "file");
	struct signature_sample *samples = NULL;
	struct signature_fit f;
	struct err why;
	size_t n;
	int ret;

	if (load_samples(path, &n, &samples, err))
		return -1;
	ret = signature_fit(&q, n, samples, &f, &why);
	free(samples);
	if (ret)
		return err_set(err, "%s: %.400s", path, why.text);
	put_fit(&f, out);
	note_fit(&f, out);
	return 0;
}

const struct model_adapter model_signature_fit = {fit_inputs, fit_outputs, evaluate_fit};
