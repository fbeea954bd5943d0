/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files an archive has. For reader.c only. */
#ifndef ANALYZE_READER_FILES_H
#define ANALYZE_READER_FILES_H

#include <limits.h>

#include "analyze/reader/reader_state.h"

/* Path of the anchor file that path means, for the caller to free; or NULL with *err set. */
char *load_anchor(const char *path, struct err *err);

/* Path of a file of the archive: the anchor's without .otf2, and the rest. Returns 0, or -1. */
int load_file(const struct load *l, char path[PATH_MAX], const char *format, uint64_t id);

/* Is at most one of its event files missing, which who opens it will find? Returns 0, or -1. */
int load_find_files(const struct load *l);

#endif
