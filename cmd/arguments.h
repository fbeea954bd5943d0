/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A verb's command line: flags of options.def go into the environment (see
 * common/options.h), what is left are words.
 */
#ifndef CMD_ARGUMENTS_H
#define CMD_ARGUMENTS_H

#include "analyze/run/mistaken.h"
#include "cmd/verbs.h"

enum flags_where {
	FLAGS_ANYWHERE,    /* flags and words in any order */
	FLAGS_BEFORE_WORDS /* all after the first word belongs to it */
};

struct arguments {
	int n;
	char **words; /* the last n of argv; argv is permuted for FLAGS_ANYWHERE */
	int n_flags;
	char **flags; /* argv between the verb and the words, for FLAGS_BEFORE_WORDS */
};

/*
 * Parse argv (argv[0] is the verb). Returns -1 to go on, or the exit status when
 * there is nothing more to do: help was printed, or usage was wrong and *err says it.
 */
int arguments_parse(const struct verb *v, enum flags_where where, int argc, char **argv,
		    struct arguments *out, struct err *err) __attribute__((warn_unused_result));

/* Is there one word at most, the run? Returns 0, or -1 with *err set, to what else is not one. */
int arguments_are_one(const struct verb *v, const struct arguments *a, enum wanted wanted,
		      struct err *err);

#endif
