/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/settings.h"

#include <stdio.h>
#include <string.h>

/* Each is its origin's digit, flag, "=", value, \0; an empty one is the end. */
void settings_write(size_t n, char text[n])
{
	size_t used = 0;
	int i;

	memset(text, 0, n);
	for (i = 0; i < OPTION_COUNT; i++) {
		const char *value = option_text((enum option_id)i);
		int wanted;

		if (!(option_rows[i].verbs & IN_RECORD) || !value)
			continue;
		wanted =
			snprintf(text + used, n - used, "%d%s=%s",
				 (int)option_origin((enum option_id)i), option_rows[i].flag, value);
		if (wanted > 0 && (size_t)wanted + 2 <= n - used)
			used += (size_t)wanted + 1;
		else
			memset(text + used, 0, n - used);
	}
}

/* The option of `contend record` with this flag; OPTION_COUNT when there is none. */
static int find(const char *flag, size_t length)
{
	int i;

	for (i = 0; i < OPTION_COUNT; i++)
		if ((option_rows[i].verbs & IN_RECORD) && strlen(option_rows[i].flag) == length &&
		    !memcmp(option_rows[i].flag, flag, length))
			break;
	return i;
}

int settings_next(size_t n, const char text[n], size_t *at, struct setting *out)
{
	const char *one, *equals, *end;
	int option;

	while (*at < n && text[*at]) {
		one = text + *at;
		end = memchr(one, '\0', n - *at);
		if (!end)
			return 0;
		*at += (size_t)(end - one) + 1;
		equals = strchr(one, '=');
		if (!equals || *one < '0' + ORIGIN_DEFAULT || *one > '0' + ORIGIN_FLAG)
			continue;
		option = find(one + 1, (size_t)(equals - one - 1));
		if (option == OPTION_COUNT)
			continue; /* of another version */
		*out = (struct setting){(enum option_id)option, (enum option_origin)(*one - '0'),
					equals + 1};
		return 1;
	}
	return 0;
}
