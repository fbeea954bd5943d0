/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contend predict: a report's way, and replays of the run on machines that are better. */
#include "cmd/arguments.h"
#include "cmd/method.h"
#include "cmd/rank_map.h"
#include "cmd/recovery.h"
#include "cmd/terminal.h"
#include "common/options.h"
#include "report/page.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>

static int print(const json_t *document, const struct style *style, struct err *err)
{
	if (option_is_on(OPTION_HTML))
		return page_report(document, stdout, err);
	if (!option_is_on(OPTION_JSON))
		return text_predict(document, style, stdout, err);
	return terminal_json(document, "document", err);
}

static int predict(const char *run, struct method_extras what, const struct style *style,
		   struct err *err)
{
	json_t *document = method_document(run, what, err);
	int status;

	if (!document)
		return STATUS_FAILED;
	status = print(document, style, err) ? STATUS_FAILED : STATUS_OK;
	json_decref(document);
	return status;
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

/* Where nothing is asked for all is predicted; not if somebody said so: the machine as it is. */
static int refuse_nothing(struct err *err)
{
	static const enum option_id factors[] = {OPTION_BANDWIDTH, OPTION_LATENCY, OPTION_OVERHEAD,
						 OPTION_PROCESSORS};

	for (size_t k = 0; k < sizeof(factors) / sizeof(*factors); k++)
		if (option_text(factors[k]))
			return err_set(err,
				       "--bandwidth, --latency, --overhead and --processors: 1 is "
				       "the machine as it is, which is nothing to predict");
	return 0;
}

/* The same for the program; the map is not read yet. */
static int asked_changes(struct changes_asked *out, struct err *err)
{
	static const char *const words[] = {"staggered", "random"};
	static const enum order_wanted orders[] = {ORDER_STAGGER_ONLY, ORDER_SHUFFLE_ONLY};
	const char *map = option_text(OPTION_MAP);
	size_t order = 0;
	long servers = 0, ranks = 0;

	*out = (struct changes_asked){.asynchronous = option_is_on(OPTION_ASYNC), .map_file = map};
	if (option_word(OPTION_ORDER, 2, words, &order, err) ||
	    option_number(OPTION_SERVERS, 1, INT32_MAX, &servers, err) ||
	    option_number(OPTION_PREDICT_RANKS, 1, INT32_MAX, &ranks, err))
		return -1;
	out->has_order = option_text(OPTION_ORDER) != NULL;
	out->order = orders[order];
	out->servers = (uint32_t)servers;
	out->ranks = (uint32_t)ranks;
	return out->has_order || servers || ranks || map || out->asynchronous;
}

/* Returns 0, or -1 with *err set. Caller: free(x->map). */
static int read_map(struct changes_asked *x, struct err *err)
{
	struct err why;

	return rank_map_read(x->map_file, &x->map, &x->n_map, &why)
		       ? err_set(err, "--map: %s", why.text)
		       : 0;
}

int cmd_predict(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct what_if_saving savings[WHAT_IFS];
	struct predictions predictions = {WHAT_IFS, what_ifs, savings};
	struct changes_asked changes = {0};
	struct what_if one;
	struct arguments a;
	struct style style;
	int status, changed;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (arguments_are_one(v, &a, WANTED_RUN, err))
		return STATUS_USAGE;
	status = asked(&one, err);
	if (status < 0 || terminal_page_check("predict", err) || terminal_style(&style, err) ||
	    recovery_checked(err))
		return STATUS_USAGE;
	changed = asked_changes(&changes, err);
	if (changed < 0 || (!status && !changed && refuse_nothing(err)))
		return STATUS_USAGE;
	if (changes.map_file && read_map(&changes, err))
		return STATUS_FAILED;
	if (status || changed)
		predictions = (struct predictions){status ? 1 : 0, &one, savings};
	status = predict(a.n ? a.words[0] : NULL,
			 (struct method_extras){.predictions = &predictions,
						.changes = changed ? &changes : NULL},
			 &style, err);
	free(changes.map);
	return status;
}
