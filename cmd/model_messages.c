/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One message on an idle network: Hockney. */
#include "cmd/model.h"
#include "models/hockney.h"

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
	model_put(out, "T", time);
	if (h.beta_s_per_byte > 0 && form == HOCKNEY_AFFINE) {
		if (hockney_half_size(h, &half, err))
			return -1;
		model_put(out, "half_size", half);
	}
	return 0;
}

const struct model_adapter model_hockney = {hockney_inputs, hockney_outputs, evaluate_hockney};
