/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"
#include "cmd/model/model_machine.h"
#include "cmd/model/model_print.h"
#include "cmd/model/model_sweep.h"
#include "cmd/nearest.h"
#include "cmd/terminal.h"
#include "common/options.h"

#include <stdlib.h>
#include <string.h>

static const struct model *find(const char *name, struct err *err)
{
	const struct model *m = model_find(name);
	const char **names;
	size_t n = model_count();
	char advice[128];

	if (m)
		return m;
	names = calloc(n, sizeof(*names));
	if (!names) {
		err_set(err, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		names[i] = model_at(i)->name;
	err_set(err, "no model %s; %s", name,
		nearest_advice(nearest(name, n, names), "contend model ", "contend model --list",
			       sizeof(advice), advice));
	free(names);
	return NULL;
}

/* contend model NAME ... --help is about the model, not the verb. Takes that away when it is so. */
static int help_wanted(int *argc, char **argv)
{
	if (*argc < 2 || argv[1][0] == '-')
		return 0;
	for (int i = 2; i < *argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-?")) {
			memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof(*argv));
			--*argc;
			return 1;
		}
	return 0;
}

static int print_help(const char *name, const struct style *style, struct err *err)
{
	const struct model *m = find(name, err);

	if (!m)
		return STATUS_USAGE;
	return model_print_help(m, style, err) ? STATUS_FAILED : STATUS_OK;
}

static int answer(const struct model_args *in, const struct style *style, struct err *err)
{
	enum model_detail detail = option_is_on(OPTION_EXPLAIN) ? DETAIL_STEPS : DETAIL_RESULTS;
	struct model_results results;
	int ret;

	if (model_evaluate(in, &results, err))
		return STATUS_FAILED;
	if (option_is_on(OPTION_JSON))
		ret = model_print_json(in, &results, detail, err);
	else
		ret = model_print_answer(in, &results, detail, style, err);
	model_results_release(&results);
	return ret ? STATUS_FAILED : STATUS_OK;
}

/* With the values in place: one answer or a table of them. */
static int run(struct model_args *in, const struct style *style, struct err *err)
{
	struct model_sweep sweep;
	const char *machine = option_text(OPTION_MACHINE);

	if (option_text(OPTION_CSV) && !option_text(OPTION_SWEEP)) {
		err_set(err, "--csv is the table of --sweep=KEY=FROM:TO:STEP: give that too");
		return STATUS_USAGE;
	}
	if (model_sweep_parse(in->model, option_text(OPTION_SWEEP), &sweep, err))
		return STATUS_USAGE;
	if (machine && model_machine_defaults(machine, in, err))
		return STATUS_FAILED;
	if (model_args_finish(in, sweep.key, err))
		return STATUS_USAGE;
	if (!sweep.key)
		return answer(in, style, err);
	return model_sweep_run(in, &sweep, style, err) ? STATUS_FAILED : STATUS_OK;
}

int cmd_model(const struct verb *v, int argc, char **argv, struct err *err)
{
	const struct model *model;
	struct model_args in;
	struct arguments a;
	struct style style;
	int help = help_wanted(&argc, argv);
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (terminal_style(&style, err))
		return STATUS_USAGE;
	if (help && a.n)
		return print_help(a.words[0], &style, err);
	if (option_is_on(OPTION_LIST) && !a.n)
		return model_print_list(&style, err) ? STATUS_FAILED : STATUS_OK;
	if (!a.n) {
		err_set(err, "model needs the name of one: contend model --list");
		return STATUS_USAGE;
	}
	model = find(a.words[0], err);
	if (!model)
		return STATUS_USAGE;
	model_args_init(&in, model);
	status = -1;
	for (int i = 1; i < a.n && status < 0; i++)
		if (model_args_give(&in, a.words[i], err))
			status = STATUS_USAGE;
	if (status < 0)
		status = run(&in, &style, err);
	model_args_release(&in);
	return status;
}
