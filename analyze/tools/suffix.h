/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file's name ends in says what it is. */
#ifndef ANALYZE_SUFFIX_H
#define ANALYZE_SUFFIX_H

#include <string.h>

/* Does the name end so, and have something before it? */
static inline int has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), k = strlen(suffix);

	return n > k && !strcmp(name + n - k, suffix);
}

#endif
