/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/machine_choice.h"

#include "common/options.h"

#include <limits.h>
#include <stdio.h>
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

int machine_choose(const struct run *r, const struct trace *t, const struct messages *m,
		   struct machine *out, struct err *err)
{
	const char *given = option_text(OPTION_MACHINE);
	char path[PATH_MAX];

	if (given)
		return machine_load(given, out, err);
	snprintf(path, sizeof(path), "%s/" MACHINE_FILE_NAME, r->dir);
	if (!access(path, F_OK))
		return machine_load(path, out, err);
	user_file(sizeof(path), path);
	if (*path && !access(path, F_OK))
		return machine_load(path, out, err);
	return machine_from_trace(t, m, out, err);
}
