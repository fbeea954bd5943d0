/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine_identity.h"

#include "analyze/machine_file.h"

int machine_identity_check(const char *path, const struct run *r, struct err *err)
{
	const struct machine_user run = {"the run", run_text(r, "mpi", NULL),
					 json_object_get(r->meta, "hosts")};
	json_t *machine = json_load_file(path, 0, NULL);
	int ret = machine ? machine_file_fits(machine, &run, err)
			  : 0; /* what is wrong with it says machine_load() */

	json_decref(machine);
	return ret;
}
