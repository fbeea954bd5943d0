/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine_identity.h"

#include <string.h>

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text && *text ? text : NULL;
}

/* Has one of the hosts this value under the key? */
static int lists(const json_t *hosts, const char *key, const char *value)
{
	const json_t *host;
	const char *text;
	size_t i;

	json_array_foreach((json_t *)hosts, i, host) {
		text = text_of(host, key);
		if (text && !strcmp(text, value))
			return 1;
	}
	return 0;
}

static int check_host(const json_t *measured, const json_t *host, struct err *err)
{
	const char *name = text_of(host, "name"), *cpu = text_of(host, "cpu");
	const char *known = text_of(json_array_get(measured, 0), "cpu");

	if (!name)
		return 0;
	if (cpu && known)
		return lists(measured, "cpu", cpu)
			       ? 0
			       : err_set(err, "it measured %s, the run's host %s has %s", known,
					 name, cpu);
	return lists(measured, "name", name)
		       ? 0
		       : err_set(err, "it measured %s, the run's host %s is not among its hosts",
				 text_of(json_array_get(measured, 0), "name"), name);
}

static int check(const json_t *machine, const struct run *r, struct err *err)
{
	const json_t *measured = json_object_get(machine, "host_list"), *host;
	const char *mpi = text_of(machine, "mpi"), *runs = run_text(r, "mpi", NULL);
	size_t i;

	if (!json_array_size(measured)) /* made by hand, on purpose */
		return 0;
	if (mpi && runs && *runs && strcmp(mpi, runs))
		return err_set(err, "it measured %s, the run used %s", mpi, runs);
	json_array_foreach(json_object_get(r->meta, "hosts"), i, host)
		if (check_host(measured, host, err))
			return -1;
	return 0;
}

int machine_identity_check(const char *path, const struct run *r, struct err *err)
{
	json_t *machine = json_load_file(path, 0, NULL);
	int ret = machine ? check(machine, r, err)
			  : 0; /* what is wrong with it says machine_load() */

	json_decref(machine);
	return ret;
}
