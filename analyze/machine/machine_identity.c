/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_identity.h"

#include "analyze/machine/machine_file.h"

typedef int ask_fn(const json_t *machine, const struct machine_user *user, struct err *err);

static int ask(ask_fn *question, const char *path, const struct run *r, struct err *err)
{
	const struct machine_user run = {"the run", run_text(r, "mpi", NULL),
					 json_object_get(r->meta, "hosts")};
	struct err unused;
	json_t *machine = machine_file_read(path, &unused);
	int ret = machine ? question(machine, &run, err)
			  : 0; /* what is wrong with it says machine_load() */

	json_decref(machine);
	return ret;
}

int machine_identity_check(const char *path, const struct run *r, struct err *err)
{
	return ask(machine_file_fits, path, r, err);
}

int machine_identity_hosts(const char *path, const struct run *r, struct err *err)
{
	return ask(machine_file_has_hosts, path, r, err);
}
