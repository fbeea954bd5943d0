/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model_json.h"

#include "cmd/json_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

int model_json_is(const char *path)
{
	struct stat st;
	FILE *f = stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : fopen(path, "r");
	int c = EOF;

	while (f && isspace(c = fgetc(f)))
		;
	if (f)
		fclose(f);
	return c == '{';
}

json_t *model_json_load(const char *path, struct err *err)
{
	json_t *root = json_file_load(path, JSON_REJECT_DUPLICATES, err);

	if (!root || json_is_object(root))
		return root;
	err_set(err, "%s: not an object of JSON", path);
	json_decref(root);
	return NULL;
}

int model_json_number(const json_t *o, const char *key, double *x, struct err *err)
{
	const json_t *number = json_object_get(o, key);

	if (!number && !isnan(*x))
		return 0;
	if (!json_is_number(number))
		return err_set(err, "\"%s\" is %s", key, number ? "not a number" : "missing");
	*x = json_number_value(number);
	return 0;
}
