/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of JSON that somebody named. */
#ifndef CMD_JSON_FILE_H
#define CMD_JSON_FILE_H

#include <jansson.h>

#include "common/err.h"

/*
 * Its value; flags: jansson's, for decoding. Caller: json_decref. NULL with *err set: which file,
 * where in it and what is wrong.
 */
json_t *json_file_load(const char *path, size_t flags, struct err *err);

#endif
