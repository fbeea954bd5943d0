/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"

#include "cmd/nearest.h"
#include "common/options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define KEY_HELP  '?'
#define KEY_FIRST 1000 /* of options without a letter */

struct parse {
	const struct verb *verb;
	struct arguments *out;
	struct err *err;
	const struct argp *argp;
	char help[OPTION_COUNT][400];
	struct argp_option options[OPTION_COUNT + 2];
};

/* The verb's option of a key; OPTION_COUNT when there is none. */
static int option_of(const struct verb *v, int key)
{
	int o;

	for (o = 0; o < OPTION_COUNT; o++)
		if ((option_rows[o].verbs & v->options) &&
		    (key == KEY_FIRST + o || (option_rows[o].key && option_rows[o].key == key)))
			break;
	return o;
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	char name[64];
	int o;

	if (key == KEY_HELP) {
		snprintf(name, sizeof(name), "contend %s", p->verb->name);
		argp_help(p->argp, stdout,
			  ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG |
				  ARGP_HELP_POST_DOC,
			  name);
		return ECANCELED;
	}
	if (key == ARGP_KEY_ARGS) {
		p->out->n = state->argc - state->next;
		p->out->words = state->argv + state->next;
		return 0;
	}
	o = option_of(p->verb, key);
	if (o == OPTION_COUNT)
		return ARGP_ERR_UNKNOWN;
	if (arg && !*arg)
		return EINVAL; /* in the environment it would be as if not set */
	return option_set(o, arg ? arg : "1", p->err) ? ENOMEM : 0;
}

/* The rows of the verb as argp wants them. */
static void fill_options(struct parse *p)
{
	struct argp_option *next = p->options;
	int o;

	for (o = 0; o < OPTION_COUNT; o++) {
		const struct option_row *row = &option_rows[o];

		if (!(row->verbs & p->verb->options))
			continue;
		snprintf(p->help[o], sizeof(p->help[o]), "%s [%s%s%s]", row->help, row->variable,
			 row->otherwise ? "=" : "", row->otherwise ? row->otherwise : "");
		*next++ = (struct argp_option){.name = row->flag,
					       .key = row->key ? row->key : KEY_FIRST + o,
					       .arg = row->arg,
					       .doc = p->help[o]};
	}
	*next++ = (struct argp_option){.name = "help", .key = KEY_HELP, .doc = "print this"};
	*next = (struct argp_option){0};
}

/* Words a verb understands after "--"; returns how many. */
static size_t valid_flags(const struct parse *p, const char *names[OPTION_COUNT + 1])
{
	const struct argp_option *o;
	size_t n = 0;

	for (o = p->options; o->name; o++)
		names[n++] = o->name;
	return n;
}

/* The verb's row for a letter; NULL when there is none. */
static const struct argp_option *find_letter(const struct parse *p, int letter)
{
	const struct argp_option *o;

	for (o = p->options; o->name; o++)
		if (o->key == letter)
			return o;
	return NULL;
}

/* The verb's row for a long name or the beginning of only one. */
static const struct argp_option *find_name(const struct parse *p, const char *name, size_t n)
{
	const struct argp_option *found = NULL;
	const struct argp_option *o;

	for (o = p->options; o->name; o++) {
		if (strncmp(o->name, name, n))
			continue;
		if (!o->name[n])
			return o;
		if (found)
			return NULL;
		found = o;
	}
	return found;
}

/*
 * What is wrong with a flag when nothing or next follows it? Returns -1 with *err
 * set, else how many words the flag takes.
 */
static int check_flag(const struct parse *p, const char *word, const char *next)
{
	const char *names[OPTION_COUNT + 1];
	size_t n = valid_flags(p, names);
	const struct argp_option *o = NULL;
	char help[64], advice[128];
	size_t length;

	snprintf(help, sizeof(help), "contend %s --help", p->verb->name);
	if (word[1] != '-') {
		while (*++word && (o = find_letter(p, *word)) && !o->arg)
			;
		if (*word && !o)
			return err_set(p->err, "%s has no option -%c; %s lists them", p->verb->name,
				       *word, help);
		if (*word && !word[1] && (!next || !*next))
			return err_set(p->err, "-%c needs a value: -%c %s", *word, *word, o->arg);
		return *word && !word[1] ? 2 : 1;
	}
	word += 2;
	length = strcspn(word, "=");
	o = find_name(p, word, length);
	if (!o) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)length, word);
		return err_set(p->err, "%s has no option --%s; %s", p->verb->name, name,
			       nearest_advice(nearest(name, n, names), "--", help, sizeof(advice),
					      advice));
	}
	if (o->arg && !*(word[length] ? word + length + 1 : next ? next : ""))
		return err_set(p->err, "--%s needs a value: --%s=%s", o->name, o->name, o->arg);
	if (!o->arg && word[length])
		return err_set(p->err, "--%s takes no value", o->name);
	return o->arg && !word[length] ? 2 : 1;
}

/* argp does not tell where it stopped: find the flag it could not take. */
static void refuse(const struct parse *p, enum flags_where where, int argc, char **argv)
{
	int i = 1;
	int words;

	while (i < argc && strcmp(argv[i], "--")) {
		if (argv[i][0] != '-' || !argv[i][1]) {
			if (where == FLAGS_BEFORE_WORDS)
				break;
			i++;
			continue;
		}
		words = check_flag(p, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
		if (words < 0)
			return;
		i += words;
	}
	err_set(p->err, "%s cannot take these arguments: see contend %s --help", p->verb->name,
		p->verb->name);
}

int arguments_parse(const struct verb *v, enum flags_where where, int argc, char **argv,
		    struct arguments *out, struct err *err)
{
	unsigned flags = ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP;
	struct parse p = {.verb = v, .out = out, .err = err};
	struct argp argp = {p.options, parse_one, v->arguments, v->text, NULL, NULL, NULL};
	error_t failed;

	p.argp = &argp;
	fill_options(&p);
	*out = (struct arguments){0, argv + argc, 0, argv + 1};
	failed = argp_parse(&argp, argc, argv,
			    flags | (where == FLAGS_BEFORE_WORDS ? ARGP_IN_ORDER : 0), NULL, &p);
	if (failed == ECANCELED)
		return STATUS_OK;
	if (failed == ENOMEM)
		return STATUS_FAILED;
	if (failed) {
		refuse(&p, where, argc, argv);
		return STATUS_USAGE;
	}
	out->n_flags = argc - 1 - out->n;
	return -1;
}

int arguments_are_one(const struct verb *v, const struct arguments *a, enum wanted wanted,
		      struct err *err)
{
	if (a->n <= 1)
		return 0;
	for (int i = 0; i < a->n; i++)
		if (mistaken_for(a->words[i], wanted, err))
			return -1;
	return err_set(err, "%s takes one run, not also \"%s\"", v->name, a->words[1]);
}
