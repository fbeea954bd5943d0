/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"
#include "cmd/method.h"
#include "cmd/recovery.h"
#include "cmd/terminal.h"
#include "common/options.h"
#include "report/compare.h"

#include <stdio.h>

static int print(const json_t *comparison, const struct style *style, struct err *err)
{
	if (!option_is_on(OPTION_JSON))
		return compare_text(comparison, style, stdout, err);
	return terminal_json(comparison, "comparison", err);
}

static int judge(const json_t *comparison, struct err *err)
{
	if (compare_is_regression(comparison))
		return STATUS_FINDING;
	if (!compare_is_of_runs(comparison)) {
		err_set(err, "these two cannot be compared: one at least is no whole run, which "
			     "says nothing for or against the new one");
		return STATUS_FAILED;
	}
	if (!compare_may_be_slower(comparison))
		return STATUS_OK;
	err_set(err, "the new run took longer, but no longer beyond the noise than its ranks may "
		     "have waited for cores: compare runs of a machine that has cores for them");
	return STATUS_FAILED;
}

static int compare(char *const words[2], const struct style *style, double noise, struct err *err)
{
	json_t *base = NULL;
	json_t *new = NULL;
	json_t *comparison = NULL;
	int status = STATUS_FAILED;

	base = method_document(words[0], (struct method_extras){0}, err);
	if (base)
		new = method_document(words[1], (struct method_extras){0}, err);
	if (new)
		comparison = compare_documents(base, new, noise, err);
	if (comparison && !print(comparison, style, err))
		status = judge(comparison, err);
	json_decref(comparison);
	json_decref(new);
	json_decref(base);
	return status;
}

int cmd_diff(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	struct style style;
	double percent = 0.0;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (a.n != 2) {
		err_set(err, "diff takes two runs: %s", v->example);
		return STATUS_USAGE;
	}
	if (terminal_style(&style, err) || recovery_checked(err) ||
	    option_percent(OPTION_NOISE, &percent, err))
		return STATUS_USAGE;
	return compare(a.words, &style, percent / 100.0, err);
}
