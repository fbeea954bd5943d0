/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_file.h"

#include "analyze/run/mistaken.h"
#include "common/machine_schema.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Of which MPI and hosts is it? Damaged, that must not pass for a file which leaves it out. */
static int check_origin(const json_t *machine, const char *path, struct err *err)
{
	const json_t *mpi = json_object_get(machine, "mpi"), *host, *name;
	const json_t *hosts = json_object_get(machine, "host_list");
	size_t i;

	if (mpi && !json_is_string(mpi))
		return err_set(err, "%s: \"mpi\" is not a text", path);
	if (hosts && !json_is_array(hosts))
		return err_set(err, "%s: \"host_list\" is not a list", path);
	json_array_foreach((json_t *)hosts, i, host) {
		name = json_object_get(host, "name");
		if (!json_string_length(name))
			return err_set(err, "%s: \"name\" of host %zu is %s", path, i,
				       name ? "not a name" : "missing");
	}
	return 0;
}

int machine_file_check(const json_t *machine, const char *path, struct err *err)
{
	const char *schema = json_string_value(json_object_get(machine, "schema"));

	if (!schema || strcmp(schema, MACHINE_SCHEMA_VERSION) != 0)
		return err_set(err, "%s: \"schema\" is %s, need \"" MACHINE_SCHEMA_VERSION "\"",
			       path, schema ? schema : "missing");
	return check_origin(machine, path, err);
}

json_t *machine_file_read(const char *path, struct err *err)
{
	FILE *f = fopen(path, "re");
	json_t *machine = NULL;
	json_error_t why;

	if (!f) {
		err_set(err, "cannot read %s: %s", path, strerror(errno));
		return NULL;
	}
	errno = 0;
	machine = json_loadf(f, 0, &why);
	if (!machine && ferror(f)) {
		err_set(err, "cannot read %s: %s", path, strerror(errno));
	} else if (!machine) {
		err_set(err, "%s: line %d: %s: not a whole machine file", path, why.line, why.text);
	} else if (machine_file_check(machine, path, err)) {
		json_decref(machine);
		machine = NULL;
	}
	fclose(f);
	if (!machine)
		mistaken_for(path, WANTED_MACHINE, err);
	return machine;
}

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

static int check_host(const json_t *measured, const json_t *host, const char *whose,
		      struct err *err)
{
	const char *name = text_of(host, "name"), *cpu = text_of(host, "cpu");
	const char *known = text_of(json_array_get(measured, 0), "cpu");

	if (!name)
		return 0;
	if (cpu && known)
		return lists(measured, "cpu", cpu)
			       ? 0
			       : err_set(err, "it measured %s, %s's host %s has %s", known, whose,
					 name, cpu);
	return lists(measured, "name", name)
		       ? 0
		       : err_set(err, "it measured %s, %s's host %s is not among its hosts",
				 text_of(json_array_get(measured, 0), "name"), whose, name);
}

int machine_file_fits(const json_t *machine, const struct machine_user *user, struct err *err)
{
	const json_t *measured = json_object_get(machine, "host_list"), *host;
	const char *mpi = text_of(machine, "mpi");
	size_t i;

	if (!json_array_size(measured)) /* made by hand, on purpose */
		return 0;
	if (mpi && user->mpi && *user->mpi && strcmp(mpi, user->mpi))
		return err_set(err, "it measured %s, %s used %s", mpi, user->whose, user->mpi);
	json_array_foreach((json_t *)user->hosts, i, host)
		if (check_host(measured, host, user->whose, err))
			return -1;
	return 0;
}

int machine_file_has_hosts(const json_t *machine, const struct machine_user *user, struct err *err)
{
	const json_t *measured = json_object_get(machine, "host_list"), *host;
	const char *first = text_of(json_array_get(measured, 0), "name"), *name, *one = NULL;
	size_t i, others = 0;
	char more[48] = "";

	if (!first)
		return 0;
	json_array_foreach((json_t *)user->hosts, i, host) {
		name = text_of(host, "name");
		if (!name || lists(measured, "name", name))
			continue;
		if (one)
			others++;
		else
			one = name;
	}
	if (!one)
		return 0;
	if (others)
		snprintf(more, sizeof(more), " and %zu more", others);
	return err_set(err, "it measured %s with the same processor, not %s's host %s%s", first,
		       user->whose, one, more);
}
