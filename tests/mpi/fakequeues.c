/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An MPI whose MPI_T has the variables of message queues that the installed ones were built
 * without. Preloaded, and linked with the real MPI, it is what the recorder takes for the
 * program's. FAKE_QUEUES=openmpi: Open MPI with its counters; off: the same, not switched on, which
 * leaves the first; mpich: MPICH with those of its receive queues. Every look at a time finds that
 * MPI has searched for 2 ms more, or for 1 ms and 3 ms in its two queues; there are always 7
 * unexpected messages and 2 posted receives. As in MPICH 4.0.2 times do not begin at 0, and another
 * variable of the same name says how often the timer was started.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variable {
	const char *of, *name;
	int class;
	long long at, step; /* of a real one: thousandths */
	int real, narrow;
};

static struct variable variables[] = {
	{"openmpi off", "runtime_spc_OMPI_SPC_SEND", MPI_T_PVAR_CLASS_SIZE, 5, 0, 0, 0},
	{"openmpi", "runtime_spc_OMPI_SPC_MATCH_TIME", MPI_T_PVAR_CLASS_SIZE, 0, 2000, 0, 0},
	{"mpich", "posted_recvq_length", MPI_T_PVAR_CLASS_LEVEL, 2, 0, 0, 1},
	{"mpich", "unexpected_recvq_length", MPI_T_PVAR_CLASS_LEVEL, 7, 0, 0, 1},
	{"mpich", "time_failed_matching_postedq", MPI_T_PVAR_CLASS_COUNTER, 5000, 9, 0, 0},
	{"mpich", "time_failed_matching_postedq", MPI_T_PVAR_CLASS_TIMER, -1000000, 1, 1, 0},
	{"mpich", "time_matching_unexpectedq", MPI_T_PVAR_CLASS_TIMER, -1000000, 3, 1, 0},
};
enum { VARIABLES = sizeof(variables) / sizeof(variables[0]) };

static const struct variable *shown(int index)
{
	const char *of = getenv("FAKE_QUEUES");

	return of && index >= 0 && index < VARIABLES && strstr(variables[index].of, of)
		       ? &variables[index]
		       : NULL;
}

int PMPI_Get_library_version(char *text, int *length)
{
	__typeof__(PMPI_Get_library_version) *next = dlsym(RTLD_NEXT, "PMPI_Get_library_version");

	return next(text, length);
}

int PMPI_T_init_thread(int required, int *provided)
{
	*provided = required;
	return MPI_SUCCESS;
}

int PMPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
	(void)session;
	return MPI_SUCCESS;
}

int PMPI_T_pvar_get_num(int *n)
{
	*n = VARIABLES;
	return MPI_SUCCESS;
}

int PMPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity, int *class,
			 MPI_Datatype *type, MPI_T_enum *values, char *description,
			 int *description_length, int *bind, int *readonly, int *continuous,
			 int *atomic)
{
	const struct variable *v = shown(index);

	(void)values;
	(void)description;
	if (!v)
		return MPI_T_ERR_INVALID_INDEX;
	snprintf(name, (size_t)*name_length, "%s", v->name);
	*description_length = *atomic = 0;
	*verbosity = MPI_T_VERBOSITY_USER_DETAIL;
	*class = v->class;
	*type = v->real ? MPI_DOUBLE : v->narrow ? MPI_UNSIGNED : MPI_UNSIGNED_LONG_LONG;
	*bind = MPI_T_BIND_NO_OBJECT;
	*readonly = *continuous = 1;
	return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
			     MPI_T_pvar_handle *handle, int *count)
{
	struct variable *v = &variables[index];

	(void)session;
	if (object)
		return MPI_T_ERR_INVALID_HANDLE;
	memcpy(handle, &v, sizeof(v));
	*count = 1;
	return MPI_SUCCESS;
}

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *value)
{
	struct variable *v;

	(void)session;
	memcpy(&v, &handle, sizeof(v));
	v->at += v->step;
	if (v->real)
		*(double *)value = (double)v->at * 1e-3;
	else if (v->narrow)
		*(unsigned *)value = (unsigned)v->at;
	else
		*(unsigned long long *)value = (unsigned long long)v->at;
	return MPI_SUCCESS;
}
