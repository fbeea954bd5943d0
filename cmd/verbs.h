/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verbs of the command line. A verb's function gets its own arguments (argv[0]
 * is the verb) and returns the exit status; when it failed it leaves the reason in
 * *err, which main() prints.
 */
#ifndef CMD_VERBS_H
#define CMD_VERBS_H

#include "common/err.h"

enum exit_status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_FINDING = 3,
	STATUS_NOT_EXECUTABLE = 126, /* as shells say it */
	STATUS_NOT_FOUND = 127,
};

/* calibrate --contention's most: refused before MPI is begun, read after. */
enum { CALIBRATE_CONTENTION_S_MOST = 3600 };

struct verb {
	const char *name;
	const char *example;
	const char *arguments;
	unsigned options; /* of enum option_verbs */
	const char *brief;
	const char *text;
	int (*run)(const struct verb *v, int argc, char **argv, struct err *err);
};

#define VERB(name, example, arguments, options, brief, text) \
	int cmd_##name(const struct verb *v, int argc, char **argv, struct err *err);
#include "cmd/verbs.def"
#undef VERB

#endif
