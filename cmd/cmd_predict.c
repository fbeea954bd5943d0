/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contend predict: a report's way, and replays of the run on machines that are better. */
#include "cmd/arguments.h"
#include "cmd/method.h"
#include "cmd/recovery.h"
#include "cmd/terminal.h"
#include "common/options.h"
#include "report/text.h"

#include <stdio.h>

static int print(const json_t *document, const struct style *style, struct err *err)
{
	if (!option_is_on(OPTION_JSON))
		return text_predict(document, style, stdout, err);
	return terminal_json(document, "document", err);
}

/* Returns 1 if something is asked for, 0: nothing is, or -1 with *err set. */
static int asked(struct what_if *out, struct err *err)
{
	struct factors *x = &out->machine;
	const char *why;

	*out = (struct what_if){"asked", {1, 1, 1, 1}};
	if (option_factor(OPTION_BANDWIDTH, &x->bandwidth, err) ||
	    option_factor(OPTION_LATENCY, &x->latency, err) ||
	    option_factor(OPTION_OVERHEAD, &x->overhead, err) ||
	    option_factor(OPTION_PROCESSORS, &x->processors, err))
		return -1;
	why = what_if_refusal(x);
	if (why)
		return err_set(err,
			       "%s: --bandwidth and --processors are 1 or more, --latency and "
			       "--overhead 1 or less",
			       why);
	return x->bandwidth != 1 || x->latency != 1 || x->overhead != 1 || x->processors != 1;
}

int cmd_predict(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct what_if_saving savings[WHAT_IFS];
	struct predictions predictions = {WHAT_IFS, what_ifs, savings};
	struct what_if one;
	struct arguments a;
	struct style style;
	json_t *document;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (arguments_are_one(v, &a, WANTED_RUN, err))
		return STATUS_USAGE;
	status = asked(&one, err);
	if (status < 0 || terminal_style(&style, err) || recovery_checked(err))
		return STATUS_USAGE;
	if (status)
		predictions = (struct predictions){1, &one, savings};
	document = method_document(a.n ? a.words[0] : NULL,
				   (struct method_extras){.predictions = &predictions}, err);
	if (!document)
		return STATUS_FAILED;
	status = print(document, &style, err) ? STATUS_FAILED : STATUS_OK;
	json_decref(document);
	return status;
}
