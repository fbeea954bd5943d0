/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/library.h"

#include "common/options.h"

#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libcontend.so"

/* dir/sub/name into path if that is a readable file. */
static int try(const char *dir, const char *name, size_t size, char path[size])
{
	char candidate[PATH_MAX];
	char *absolute;
	int n;

	n = snprintf(candidate, sizeof(candidate), "%s/%s", dir, name);
	if (n < 0 || (size_t)n >= sizeof(candidate) || access(candidate, R_OK))
		return -1;
	absolute = realpath(candidate, NULL);
	if (!absolute)
		return -1;
	n = snprintf(path, size, "%s", absolute);
	free(absolute);
	return n < 0 || (size_t)n >= size ? -1 : 0;
}

/* The folder this program was started from; "" when not known. */
static void own_folder(char dir[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", dir, PATH_MAX - 1);
	char *slash;

	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
}

/* Where it was configured to be, or beside bin/ where the whole tree was moved to. */
static int try_installed(const char *here, const char *name, size_t size, char path[size])
{
	char moved[PATH_MAX + sizeof("/../lib/" PACKAGE)];

	snprintf(moved, sizeof(moved), "%s/../lib/" PACKAGE, here);
	return *here && !try(moved, name, size, path) ? 0
						      : try(CONTEND_PKGLIBDIR, name, size, path);
}

int library_find(size_t size, char path[size], struct err *err)
{
	const char *given = option_text(OPTION_LIBDIR);
	char here[PATH_MAX];

	if (given) {
		if (!try(given, LIBRARY, size, path))
			return 0;
		return err_set(err, "no %s in %s", LIBRARY, given);
	}
	own_folder(here);
	if (*here && (!try(here, ".libs/" LIBRARY, size, path) || !try(here, LIBRARY, size, path)))
		return 0;
	if (!try_installed(here, LIBRARY, size, path))
		return 0;
	return err_set(err, "no %s beside the program or in %s: say where with --libdir", LIBRARY,
		       CONTEND_PKGLIBDIR);
}

int library_records(const char *library, const char *mpi, struct err *err)
{
	char backend[PATH_MAX];
	const char *slash = strrchr(library, '/');

	snprintf(backend, sizeof(backend), "%.*s/libcontend-%s.so",
		 slash ? (int)(slash - library) : 0, library, mpi);
	return access(backend, R_OK)
		       ? err_set(err, "no recorder for the MPI \"%s\": no %s", mpi, backend)
		       : 0;
}

int library_program(const char *name, size_t size, char path[size], struct err *err)
{
	const char *given = option_text(OPTION_LIBDIR);
	char here[PATH_MAX];

	own_folder(here);
	if (given ? !try(given, name, size, path)
		  : (*here && !try(here, name, size, path)) ||
			    !try_installed(here, name, size, path))
		return 0;
	return err_set(err, "no %s beside the program or in %s: was contend built for this MPI?",
		       name, given ? given : CONTEND_PKGLIBDIR);
}
