/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For adapters with file=PATH: reading JSON, with messages that say where. */
#ifndef CMD_MODEL_JSON_H
#define CMD_MODEL_JSON_H

#include <stddef.h>

#include <jansson.h>

#include "common/err.h"

/* Does the file begin as an object of JSON does? What is no plain file is not looked into. */
int model_json_is(const char *path);

/* The file's object. NULL with *err set (path and line). Caller: json_decref. */
json_t *model_json_load(const char *path, struct err *err);

/* The number at o's key; a missing one leaves *x when there is a default in it (not NaN). */
int model_json_number(const json_t *o, const char *key, double *x, struct err *err);

#endif
