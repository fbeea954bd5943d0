/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of the report as a string. */
#ifndef TESTS_UNIT_RENDERED_H
#define TESTS_UNIT_RENDERED_H

#include "report/text.h"

#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

/* What put() writes of this, so many columns wide; releases it. Caller frees. */
static inline char *rendered(unsigned width, void (*put)(struct layout *, const json_t *),
			     json_t *of)
{
	struct style style = {.width = width, .top = 5};
	struct layout l = {.style = &style};
	char *text = NULL;
	size_t size;

	CU_ASSERT_PTR_NOT_NULL_FATAL(of);
	l.out = open_memstream(&text, &size);
	put(&l, of);
	fclose(l.out);
	json_decref(of);
	return text;
}

#endif
