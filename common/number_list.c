/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/number_list.h"

#include <stdlib.h>

int number_list_next(const char **list, long *low, long *high)
{
	const char *at = *list;
	char *end;

	if (!*at)
		return 0;
	*low = *high = strtol(at, &end, 10);
	if (end == at || *low < 0)
		return -1;
	if (*end == '-') {
		at = end + 1;
		*high = strtol(at, &end, 10);
		if (end == at || *high < *low)
			return -1;
	}
	if (*end == ',' && end[1])
		end++;
	else if (*end)
		return -1;
	*list = end;
	return 1;
}

void number_list_put(FILE *f, size_t n, const uint32_t numbers[])
{
	size_t first, last;

	for (first = 0; first < n; first = last + 1) {
		for (last = first; last + 1 < n && numbers[last + 1] == numbers[last] + 1; last++)
			;
		fprintf(f, "%s%u", first ? "," : "", numbers[first]);
		if (last > first)
			fprintf(f, "-%u", numbers[last]);
	}
}

char *number_list_text(size_t n, const uint32_t numbers[])
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	number_list_put(f, n, numbers);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
