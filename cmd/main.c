/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contend: finds the verb, runs it, and is the only place that prints errors.
 */
#include "cmd/job.h"
#include "cmd/nearest.h"
#include "cmd/terminal.h"
#include "cmd/verbs.h"
#include "common/options.h"
#include "common/spill.h"
#include "report/glossary.h"

#include "config.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct verb verbs[] = {
#define VERB(name, example, arguments, options, brief, text) \
	{#name, example, arguments, options, brief, text, cmd_##name},
#include "cmd/verbs.def"
#undef VERB
};

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void print_help(FILE *out)
{
	size_t i;

	fprintf(out, "Usage: contend VERB [OPTION...] [ARGUMENT...]\n"
		     "Find where the messages of an MPI job wait, and why.\n\n");
	for (i = 0; i < VERBS; i++)
		fprintf(out, "  %-36s %s\n", verbs[i].example, verbs[i].brief);
	fprintf(out,
		"\n"
		"  contend VERB --help                  options of a verb\n"
		"  contend --help, contend --version\n\n"
		"Reports go to standard output, all else to standard error. Exit status: record:\n"
		"the program's own; others: 0 done, 1 failed, 2 wrong usage, 3 a finding at or\n"
		"over report --fail-on, or a regression in diff. What the words of a report mean:\n"
		"contend help words; the columns of report --messages: contend help columns.\n");
}

static int print(void (*put)(struct layout *l), struct err *err)
{
	struct style style;
	struct layout l = {.out = stdout, .style = &style};

	if (terminal_style(&style, err))
		return STATUS_USAGE;
	put(&l);
	return STATUS_OK;
}

static const struct verb *find(const char *name)
{
	size_t i;

	for (i = 0; i < VERBS; i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

static int refuse(const char *word, struct err *err)
{
	const char *names[VERBS + 2];
	char advice[128];
	size_t n = 0;
	size_t i;

	if (word[0] == '-') {
		names[n++] = "--help";
		names[n++] = "--version";
	} else {
		for (i = 0; i < VERBS; i++)
			names[n++] = verbs[i].name;
	}
	err_set(err, "no %s %s; %s", word[0] == '-' ? "option" : "verb", word,
		nearest_advice(nearest(word, n, names), "contend ", "contend --help",
			       sizeof(advice), advice));
	return STATUS_USAGE;
}

/*
 * A variable that nothing reads, but whose name is nearly that of one: a mistake. Others may be a
 * site's own.
 */
static void warn_of_variables(void)
{
	const size_t prefix = strlen(OPTION_VARIABLE_PREFIX);
	const char *names[OPTION_COUNT], *near;
	char name[64];
	size_t at = 0;
	int o;

	for (o = 0; o < OPTION_COUNT; o++)
		names[o] = option_rows[o].variable + prefix;
	while (option_next_unknown(&at, sizeof(name), name)) {
		near = nearest(name + prefix, OPTION_COUNT, names);
		if (near)
			fprintf(stderr,
				"contend: warning: %s is not a variable that contend knows and has "
				"no effect; the nearest is " OPTION_VARIABLE_PREFIX "%s\n",
				name, near);
	}
}

static int is_one_of(const char *word, const char *a, const char *b, const char *c)
{
	return !strcmp(word, a) || !strcmp(word, b) || !strcmp(word, c);
}

/* contend help TOPIC: what is explained, or a verb's options. */
static int help_on(char *topic, struct err *err)
{
	char *with_help[] = {topic, (char[]){"--help"}, NULL};
	const struct verb *verb = find(topic);

	if (!strcmp(topic, "words"))
		return print(glossary_put_all, err);
	if (!strcmp(topic, "columns"))
		return print(glossary_put_columns, err);
	return verb ? verb->run(verb, 2, with_help, err) : refuse(topic, err);
}

static int run(int argc, char **argv, struct err *err)
{
	const struct verb *verb;

	if (argc < 2) {
		print_help(stderr);
		return STATUS_USAGE;
	}
	if (argc > 2 && !strcmp(argv[1], "help"))
		return help_on(argv[2], err);
	if (is_one_of(argv[1], "--help", "-h", "-?") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return STATUS_OK;
	}
	if (is_one_of(argv[1], "--version", "-V", "version")) {
		printf("%s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
		return STATUS_OK;
	}
	verb = find(argv[1]);
	if (!verb)
		return refuse(argv[1], err);
	if (!(verb->options & (IN_RECORD | IN_CALIBRATE)) && option_job_rank() > 0)
		return STATUS_OK; /* a launcher's first copy speaks for all, of mistakes too */
	if (option_job_rank() <= 0)
		warn_of_variables();
	return verb->run(verb, argc - 1, argv + 1, err);
}

int main(int argc, char **argv)
{
	struct err err = {""}, all;
	int status;

	setlocale(LC_CTYPE, "");
	status = run(argc, argv, &err);
	errno = 0;
	if (fflush(stdout) || ferror(stdout)) {
		if (!*err.text)
			err_set(&err, "cannot write the output%s%s", errno ? ": " : "",
				errno ? strerror(errno) : "");
		if (status == STATUS_OK || status == STATUS_FINDING) /* which nobody can read */
			status = STATUS_FAILED;
	}
	all = err;
	if (status == STATUS_FAILED && spill_trouble())
		err_set(&all, "%s: %s", err.text, spill_trouble());
	/* What is wrong with the command line is the same on all ranks of a program. */
	if (*err.text && (status != STATUS_USAGE || job_speaks_last()))
		terminal_error(all.text);
	return status;
}
