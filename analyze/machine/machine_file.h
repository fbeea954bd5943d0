/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine file as it is read, and whether it is about the machine of a run or a job. What both
 * say is compared: the MPI, and of each host the processor or, where that is not told, the name. A
 * cluster is calibrated on a few of its nodes, so names alone do not have to agree.
 */
#ifndef ANALYZE_MACHINE_FILE_H
#define ANALYZE_MACHINE_FILE_H

#include <jansson.h>

#include "common/err.h"

/*
 * Is what was read from path of the version that is understood, and are its MPI and hosts told as
 * that has them, or left out? Returns 0, or -1 with *err set.
 */
int machine_file_check(const json_t *machine, const char *path, struct err *err);

/* An object that passes this, or NULL with *err set. Caller: json_decref. */
json_t *machine_file_read(const char *path, struct err *err);

/* Who would use the file. */
struct machine_user {
	const char *whose;   /* "the run" */
	const char *mpi;     /* NULL: not known */
	const json_t *hosts; /* objects with name and cpu, as the file's host_list */
};

/*
 * Returns 0 when nothing speaks against it, also when one of them does not say what it is of; -1
 * with *err set to the difference, as a clause.
 */
int machine_file_fits(const json_t *machine, const struct machine_user *user, struct err *err);

/*
 * Of one that fits: returns 0 when all of the user's hosts were measured themselves, or it is not
 * known; -1 with *err set to which was not, as a clause.
 */
int machine_file_has_hosts(const json_t *machine, const struct machine_user *user, struct err *err);

#endif
