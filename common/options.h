/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options of options.def and the only place where the environment is read.
 * libc only and without allocation, because the recorder inside other people's
 * programs uses it; call it outside the hot path (getenv walks the environment).
 *
 * Life of a value: `contend VERB --flag=value` sets the row's variable and adds the
 * row to CONTEND_ORIGINS; whoever needs it, in this process or in the recorded one,
 * asks option_text(). Strings are borrowed from the environment: copy to keep.
 * Threads: reading is as safe as getenv(); option_set() only before threads start.
 */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

enum option_id {
#define OPTION(id, flag, key, arg, variable, otherwise, verbs, help) OPTION_##id,
#include "common/options.def"
#undef OPTION
	OPTION_COUNT
};

/* Which verbs take an option. */
enum option_verbs {
	IN_RECORD = 1 << 0,
	IN_REPORT = 1 << 1,
	IN_DIFF = 1 << 2,
	IN_INFO = 1 << 3,
	IN_RECOVER = 1 << 4,
	IN_PRELOAD = 1 << 5,
	IN_MODEL = 1 << 6,
	IN_CALIBRATE = 1 << 7,
	IN_PREDICT = 1 << 8,
};

struct option_row {
	const char *flag;      /* "output" for --output */
	int key;               /* 'o' for -o, or 0 */
	const char *arg;       /* "DIR"; NULL = a switch */
	const char *variable;  /* "CONTEND_OUTPUT" */
	const char *otherwise; /* the default; NULL = none */
	unsigned verbs;        /* of enum option_verbs */
	const char *help;
};
extern const struct option_row option_rows[OPTION_COUNT];

enum option_origin { ORIGIN_DEFAULT, ORIGIN_ENVIRONMENT, ORIGIN_FLAG };

/* Names the rows that were given as flags, "output,depth", for option_origin(). */
#define OPTION_ORIGINS_VARIABLE "CONTEND_ORIGINS"

/* Set by `contend record` to the process that becomes the program. */
#define OPTION_PID_VARIABLE "CONTEND_PID"

/* The value: of the variable unless unset or empty, else the default, else NULL. */
const char *option_text(enum option_id o);

/* A switch: on unless unset, empty, 0, no, off, never or false. */
int option_is_on(enum option_id o);

/* Does the value of such an option turn it on? */
int option_word_is_on(const char *text);

enum option_origin option_origin(enum option_id o);
const char *option_origin_name(enum option_origin origin); /* "default", "environment", "flag" */

/*
 * The value as a whole number from low to high. *out is *out's old value when the
 * option has none. Returns 0, or -1 with *err set, naming flag and variable.
 */
int option_number(enum option_id o, long low, long high, long *out, struct err *err);

/* Is number in the value, a list such as "0-7,16"? Without a value it is. As option_number(). */
int option_lists(enum option_id o, int number, int *listed, struct err *err);

/* The largest number in the value, a list as option_lists() takes; -1 without a value. */
long option_lists_most(enum option_id o);

/* The value as bytes: "65536", "64k", "1.5M", "2G" (powers of 1024). As option_number(). */
int option_bytes(enum option_id o, uint64_t *out, struct err *err);

/* The value as a percentage from 0 to 1000, "5" or "5%". As option_number(). */
int option_percent(enum option_id o, double *out, struct err *err);

/* The value as a factor, 0 or more: "2", "0.5". As option_number(). */
int option_factor(enum option_id o, double *out, struct err *err);

/*
 * The value as the index of one of n words. As option_number(); the error lists
 * the words.
 */
int option_word(enum option_id o, size_t n, const char *const words[n], size_t *out,
		struct err *err);

/* Set the row's variable as a flag does. Returns 0, or -1 with *err set (no memory). */
int option_set(enum option_id o, const char *value, struct err *err);

/* This process's rank as the launcher says in the environment, or -1 when none does. */
int option_job_rank(void);

/* Is this entry of an environment, NAME=VALUE, one of those that a launcher says the rank by? */
int option_is_job_rank(const char *entry);

/*
 * How many copies of this program the launcher started on this node; 0: there is none, or it does
 * not say.
 */
int option_job_copies(void);

/*
 * The next variable of the environment from entry *at on that begins as ours do and is none: its
 * name into name, cut to fit, and *at is beyond it. Returns 0 when there is no more.
 */
int option_next_unknown(size_t *at, size_t size, char name[size]);

/* What all our variables begin with. */
#define OPTION_VARIABLE_PREFIX "CONTEND_"

/* Variables that are not ours (NO_COLOR, HOME, LD_PRELOAD ...): NULL when unset or empty. */
const char *option_outside(const char *name);

#endif
