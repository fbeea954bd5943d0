/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What somebody gave is not what is wanted there: what it is then, and what to do with it. Runs,
 * machine files and documents are all files and folders of any name, and easily mistaken.
 */
#ifndef ANALYZE_MISTAKEN_H
#define ANALYZE_MISTAKEN_H

#include "common/err.h"

enum wanted {
	WANTED_RUN,       /* a recording, or the document that was made of one */
	WANTED_RECORDING, /* a run directory or an archive */
	WANTED_MACHINE,   /* a machine file */
};

/*
 * Returns 0 when path is what is wanted or nothing known, -1 with *err set to a sentence when it is
 * something else of ours. Reads a file of JSON as a whole.
 */
int mistaken_for(const char *path, enum wanted wanted, struct err *err);

#endif
