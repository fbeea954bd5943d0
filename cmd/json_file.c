/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/json_file.h"

#include <sys/stat.h>

json_t *json_file_load(const char *path, size_t flags, struct err *err)
{
	json_error_t why;
	json_t *value = json_load_file(path, flags, &why);
	struct stat is;

	if (value)
		return value;
	if (why.line < 0)
		err_set(err, "%s", why.text); /* has the path */
	else if (stat(path, &is) == 0 && S_ISDIR(is.st_mode))
		err_set(err, "%s is a folder, not a file of JSON", path);
	else
		err_set(err, "%s: line %d: %s", path, why.line, why.text);
	return NULL;
}
