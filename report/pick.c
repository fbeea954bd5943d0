/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pick.h"

#include <string.h>

const json_t *pick(const json_t *document, const char *path)
{
	char key[64];
	size_t n;

	while (document && *path) {
		n = strcspn(path, ".");
		if (n >= sizeof(key))
			return NULL;
		memcpy(key, path, n);
		key[n] = '\0';
		document = json_object_get(document, key);
		path += n + (path[n] == '.');
	}
	return document;
}

double pick_number(const json_t *document, const char *path, double otherwise)
{
	const json_t *value = pick(document, path);

	return json_is_number(value) ? json_number_value(value) : otherwise;
}

double pick_item(const json_t *document, const char *path, size_t k)
{
	return json_number_value(json_array_get(pick(document, path), k));
}

const char *pick_text(const json_t *document, const char *path, const char *otherwise)
{
	const json_t *value = pick(document, path);

	return json_is_string(value) ? json_string_value(value) : otherwise;
}

size_t pick_severity(const json_t *hotspot, const char *key)
{
	static const char *const names[PICK_SEVERITIES] = {"low", "medium", "high"};
	const char *name = pick_text(hotspot, key, names[0]);
	size_t i;

	for (i = PICK_SEVERITIES - 1; i > 0; i--)
		if (!strcmp(name, names[i]))
			break;
	return i;
}

int pick_check(const json_t *document, struct err *err)
{
	const char *schema = pick_text(document, "schema", NULL);

	if (!schema)
		return err_set(err, "not a document of contend: it has no \"schema\"");
	if (strcmp(schema, "contend/1"))
		return err_set(err, "document of schema \"%s\", this version reads \"contend/1\"",
			       schema);
	return 0;
}
