/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/machine_choice.h"

#include "analyze/machine/machine_identity.h"
#include "common/options.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MACHINE_FILE_NAME "machine.json"

/* Where the user's own file would be; "" when no home is known. */
static void user_file(size_t size, char path[size])
{
	const char *config = option_outside("XDG_CONFIG_HOME");
	const char *home = option_outside("HOME");

	path[0] = '\0';
	if (config)
		snprintf(path, size, "%s/contend/" MACHINE_FILE_NAME, config);
	else if (home)
		snprintf(path, size, "%s/.config/contend/" MACHINE_FILE_NAME, home);
}

/* Load another machine's file all the same. */
static int load_forced(const char *path, const struct err *alien, struct machine *out,
		       struct err *err)
{
	if (machine_load(path, out, err))
		return -1;
	if (asprintf(&out->misfit, "%s is another machine's, used because of --machine-force: %s",
		     path, alien->text) < 0)
		out->misfit = NULL;
	return 0;
}

/* Load a file that fits; that it measured other hosts of the same kind is said. */
static int load_fitting(const char *path, const struct run *r, struct machine *out, struct err *err)
{
	struct err why;

	if (machine_load(path, out, err))
		return -1;
	if (machine_identity_hosts(path, r, &why) &&
	    asprintf(&out->likeness, "%s is of another host: %s", path, why.text) < 0)
		out->likeness = NULL;
	return 0;
}

/* Load a file that somebody chose for this run. */
static int load_chosen(const char *path, const struct run *r, struct machine *out, struct err *err)
{
	struct err why;

	if (!machine_identity_check(path, r, &why))
		return load_fitting(path, r, out, err);
	if (option_is_on(OPTION_MACHINE_FORCE))
		return load_forced(path, &why, out, err);
	return err_set(err,
		       "%s is another machine's: %s; calibrate this one, or use it all the same "
		       "with --machine-force",
		       path, why.text);
}

/* Load the user's own, unless it is another machine's. Returns 1 when there is none to use. */
static int load_own(const char *path, const struct run *r, struct machine *out, struct err *why,
		    struct err *err)
{
	if (!*path || access(path, F_OK))
		return 1;
	if (!machine_identity_check(path, r, why))
		return load_fitting(path, r, out, err);
	return option_is_on(OPTION_MACHINE_FORCE) ? load_forced(path, why, out, err) : 1;
}

/* Somebody who calibrated here may think that the file in this directory is used. */
static void note_unnamed(const struct run *r, struct err *why)
{
	struct err alien;

	if (access(MACHINE_FILE_NAME, F_OK))
		return;
	if (machine_identity_check(MACHINE_FILE_NAME, r, &alien))
		err_set(why, MACHINE_FILE_NAME " in this directory is another machine's: %s",
			alien.text);
	else
		err_set(why, MACHINE_FILE_NAME " in this directory is used only when it is named: "
					       "--machine=" MACHINE_FILE_NAME);
}

int machine_choose(const struct run *r, struct machine *out, struct err *err)
{
	const char *given = option_text(OPTION_MACHINE);
	struct err why = {""}, passed = {""};
	char path[PATH_MAX];
	int ret;

	if (given)
		return load_chosen(given, r, out, err);
	snprintf(path, sizeof(path), "%s/" MACHINE_FILE_NAME, r->dir);
	if (!access(path, F_OK))
		return load_chosen(path, r, out, err);
	user_file(sizeof(path), path);
	ret = load_own(path, r, out, &why, err);
	if (ret <= 0)
		return ret;
	*out = (struct machine){.source = MACHINE_SELF_CALIBRATED};
	if (*why.text)
		err_set(&passed, "%s is another machine's: %s", path, why.text);
	else
		note_unnamed(r, &passed);
	if (*passed.text)
		out->misfit = strdup(passed.text);
	return 1;
}

int machine_estimate(const struct trace *t, const struct messages *m, struct machine *out,
		     struct err *err)
{
	char *misfit = out->misfit;

	if (machine_from_trace(t, m, out, err))
		return -1;
	out->misfit = misfit;
	return 0;
}
