/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/options.h"

#include "common/number_list.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const struct option_row option_rows[OPTION_COUNT] = {
#define OPTION(id, flag, key, arg, variable, otherwise, verbs, help) \
	[OPTION_##id] = {flag, key, arg, variable, otherwise, verbs, help},
#include "common/options.def"
#undef OPTION
};

const char *option_outside(const char *name)
{
	const char *text = getenv(name);

	return text && *text ? text : NULL;
}

const char *option_text(enum option_id o)
{
	const char *text;

	assert(o < OPTION_COUNT);
	text = option_outside(option_rows[o].variable);
	return text ? text : option_rows[o].otherwise;
}

int option_word_is_on(const char *text)
{
	static const char *const off[] = {"0", "no", "off", "never", "false"};
	size_t i;

	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		if (!strcasecmp(text, off[i]))
			return 0;
	return 1;
}

int option_is_on(enum option_id o)
{
	const char *text = option_text(o);

	return text && option_word_is_on(text);
}

/* Is word one of list's items, separated by commas? */
static int is_listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	while (list) {
		if (!strncmp(list, word, n) && (!list[n] || list[n] == ','))
			return 1;
		list = strchr(list, ',');
		if (list)
			list++;
	}
	return 0;
}

enum option_origin option_origin(enum option_id o)
{
	assert(o < OPTION_COUNT);
	if (!option_outside(option_rows[o].variable))
		return ORIGIN_DEFAULT;
	if (is_listed(option_outside(OPTION_ORIGINS_VARIABLE), option_rows[o].flag))
		return ORIGIN_FLAG;
	return ORIGIN_ENVIRONMENT;
}

const char *option_origin_name(enum option_origin origin)
{
	static const char *const names[] = {
		[ORIGIN_DEFAULT] = "default",
		[ORIGIN_ENVIRONMENT] = "environment",
		[ORIGIN_FLAG] = "flag",
	};

	return names[origin];
}

/* "--depth=x" or "CONTEND_DEPTH=x": the spelling the user chose. */
static int refuse(enum option_id o, const char *wanted, struct err *err)
{
	const struct option_row *row = &option_rows[o];

	if (option_origin(o) == ORIGIN_FLAG)
		return err_set(err, "--%s=%s: expected %s", row->flag, option_text(o), wanted);
	return err_set(err, "%s=%s: expected %s", row->variable, option_text(o), wanted);
}

int option_number(enum option_id o, long low, long high, long *out, struct err *err)
{
	const char *text = option_text(o);
	char wanted[80];
	char *end;
	long value;

	if (!text)
		return 0;
	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end || errno || value < low || value > high) {
		snprintf(wanted, sizeof(wanted), "a whole number from %ld to %ld", low, high);
		return refuse(o, wanted, err);
	}
	*out = value;
	return 0;
}

int option_bytes(enum option_id o, uint64_t *out, struct err *err)
{
	static const char wanted[] = "a size such as 4096, 64k, 1.5M or 2G";
	static const char units[] = "kmgt";
	const char *text = option_text(o);
	const char *unit = NULL;
	double value;
	char *end;

	if (!text)
		return 0;
	value = strtod(text, &end);
	if (end == text || !(value >= 0.0))
		return refuse(o, wanted, err);
	if (*end)
		unit = strchr(units, tolower((unsigned char)*end));
	if (unit) {
		value *= (double)(UINT64_C(1) << 10 * (unit - units + 1));
		end++;
	}
	if (*end || value >= 9.0e18)
		return refuse(o, wanted, err);
	*out = (uint64_t)value;
	return 0;
}

/* A number from 0 to most, with the unit or without. */
static int real_up_to(enum option_id o, double most, const char *unit, const char *wanted,
		      double *out, struct err *err)
{
	const char *text = option_text(o);
	double value;
	char *end;

	if (!text)
		return 0;
	value = strtod(text, &end);
	if (end == text || (*end && strcmp(end, unit)) || !(value >= 0.0 && value <= most))
		return refuse(o, wanted, err);
	*out = value;
	return 0;
}

int option_percent(enum option_id o, double *out, struct err *err)
{
	return real_up_to(o, 1000.0, "%", "a percentage from 0 to 1000", out, err);
}

int option_factor(enum option_id o, double *out, struct err *err)
{
	return real_up_to(o, 1e6, "", "a factor, such as 2 or 0.5", out, err);
}

int option_word(enum option_id o, size_t n, const char *const words[n], size_t *out,
		struct err *err)
{
	const char *text = option_text(o);
	char wanted[160] = "";
	size_t used = 0;
	size_t i;

	if (!text)
		return 0;
	for (i = 0; i < n; i++) {
		if (!strcasecmp(text, words[i])) {
			*out = i;
			return 0;
		}
		if (used < sizeof(wanted))
			used += (size_t)snprintf(wanted + used, sizeof(wanted) - used, "%s%s",
						 !i          ? ""
						 : i + 1 < n ? ", "
							     : " or ",
						 words[i]);
	}
	return refuse(o, wanted, err);
}

/* Is rank on the list "0-7,16"? -1: that is not a list. */
static int is_in_list(const char *list, int rank)
{
	int found = *list ? 0 : -1, more;
	long low, high;

	while ((more = number_list_next(&list, &low, &high)) > 0)
		found |= rank >= low && rank <= high;
	return more < 0 ? -1 : found;
}

int option_lists(enum option_id o, int number, int *listed, struct err *err)
{
	const char *list = option_text(o);
	int is = list ? is_in_list(list, number) : 1;

	if (is < 0)
		return refuse(o, "a list of ranks such as 0-7,16", err);
	*listed = is;
	return 0;
}

long option_lists_most(enum option_id o)
{
	const char *list = option_text(o);
	long most = -1, low, high;

	while (list && number_list_next(&list, &low, &high) > 0)
		most = high > most ? high : most;
	return most;
}

int option_set(enum option_id o, const char *value, struct err *err)
{
	const struct option_row *row = &option_rows[o];
	const char *list = option_outside(OPTION_ORIGINS_VARIABLE);
	char longer[512];

	if (setenv(row->variable, value, 1))
		return err_set(err, "cannot set %s: %s", row->variable, strerror(errno));
	if (is_listed(list, row->flag))
		return 0;
	snprintf(longer, sizeof(longer), "%s%s%s", list ? list : "", list ? "," : "", row->flag);
	if (setenv(OPTION_ORIGINS_VARIABLE, longer, 1))
		return err_set(err, "cannot set %s: %s", OPTION_ORIGINS_VARIABLE, strerror(errno));
	return 0;
}

/* Is it a variable of ours, be it one that is set by us only? */
static int is_known(const char *name)
{
	int o;

	for (o = 0; o < OPTION_COUNT; o++)
		if (!strcmp(name, option_rows[o].variable))
			return 1;
	return !strcmp(name, OPTION_ORIGINS_VARIABLE) || !strcmp(name, OPTION_PID_VARIABLE);
}

int option_next_unknown(size_t *at, size_t size, char name[size])
{
	const size_t prefix = strlen(OPTION_VARIABLE_PREFIX);
	const char *entry;

	while (environ && (entry = environ[*at])) {
		++*at;
		if (strncmp(entry, OPTION_VARIABLE_PREFIX, prefix) != 0)
			continue;
		snprintf(name, size, "%.*s", (int)strcspn(entry, "="), entry);
		if (!is_known(name))
			return 1;
	}
	return 0;
}

/*
 * The first of n variables that is a number, alone or, Slurm's, of the first node of several; -1:
 * none is.
 */
static int first_number(size_t n, const char *const names[n])
{
	for (size_t i = 0; i < n; i++) {
		const char *text = option_outside(names[i]);
		char *end;
		long number;

		if (!text)
			continue;
		number = strtol(text, &end, 10);
		if (end > text && (!*end || *end == '(' || *end == ',') && number >= 0 &&
		    number <= INT32_MAX)
			return (int)number;
	}
	return -1;
}

static const char *const rank_names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
					 "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "PALS_RANKID"};

#define N_RANK_NAMES (sizeof(rank_names) / sizeof(rank_names[0]))

int option_job_rank(void)
{
	return first_number(N_RANK_NAMES, rank_names);
}

int option_is_job_rank(const char *entry)
{
	size_t n = strcspn(entry, "="), i;

	for (i = 0; i < N_RANK_NAMES; i++)
		if (n == strlen(rank_names[i]) && !strncmp(entry, rank_names[i], n))
			return 1;
	return 0;
}

int option_job_copies(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
					    "MV2_COMM_WORLD_LOCAL_SIZE",
					    "SLURM_STEP_TASKS_PER_NODE", "PALS_LOCAL_SIZE"};
	int copies = first_number(sizeof(names) / sizeof(names[0]), names);

	return copies > 0 ? copies : 0;
}
