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

/* The option of a key; OPTION_COUNT when there is none. */
static int option_of(int key)
{
	int o;

	for (o = 0; o < OPTION_COUNT; o++)
		if (key == KEY_FIRST + o || (option_rows[o].key && option_rows[o].key == key))
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
	o = option_of(key);
	if (o == OPTION_COUNT)
		return ARGP_ERR_UNKNOWN;
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

/* argp stopped at word: say why. */
static int refuse(const struct parse *p, const char *word)
{
	const char *names[OPTION_COUNT + 1];
	size_t n = valid_flags(p, names);
	size_t length = strcspn(word, "=");
	char flag[64];
	size_t i;

	if (word[0] == '-' && word[1] && word[1] != '-') {
		for (i = 0; i < OPTION_COUNT; i++)
			if (option_rows[i].key == word[1] && option_rows[i].arg)
				return err_set(p->err, "-%c needs a value: -%c %s", word[1],
					       word[1], option_rows[i].arg);
		return err_set(p->err, "%s has no option %s; the nearest is --%s", p->verb->name,
			       word, nearest(word + 1, n, names));
	}
	snprintf(flag, sizeof(flag), "%.*s", (int)(length > 2 ? length - 2 : 0), word + 2);
	for (i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];

		if (strcmp(row->flag, flag) || !(row->verbs & p->verb->options))
			continue;
		if (row->arg)
			return err_set(p->err, "--%s needs a value: --%s=%s", flag, flag, row->arg);
		return err_set(p->err, "--%s takes no value", flag);
	}
	return err_set(p->err, "%s has no option --%s; the nearest is --%s", p->verb->name, flag,
		       nearest(flag, n, names));
}

int arguments_parse(const struct verb *v, enum flags_where where, int argc, char **argv,
		    struct arguments *out, struct err *err)
{
	unsigned flags = ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP;
	struct parse p = {.verb = v, .out = out, .err = err};
	struct argp argp = {p.options, parse_one, v->arguments, v->text, NULL, NULL, NULL};
	int end = argc;
	error_t failed;

	p.argp = &argp;
	fill_options(&p);
	*out = (struct arguments){0, argv + argc, 0, argv + 1};
	failed = argp_parse(&argp, argc, argv,
			    flags | (where == FLAGS_BEFORE_WORDS ? ARGP_IN_ORDER : 0), &end, &p);
	if (failed == ECANCELED)
		return STATUS_OK;
	if (failed == ENOMEM)
		return STATUS_FAILED;
	if (failed) {
		/* The word is before end, or at end when it is a bundle of letters. */
		if (end > 1 && (end >= argc || argv[end - 1][0] == '-'))
			end--;
		refuse(&p, argv[end]);
		return STATUS_USAGE;
	}
	out->n_flags = argc - 1 - out->n;
	return -1;
}
