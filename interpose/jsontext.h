/* SPDX-License-Identifier: BSD-3-Clause */
/* A text as a JSON string, whatever bytes it is made of. */
#ifndef INTERPOSE_JSONTEXT_H
#define INTERPOSE_JSONTEXT_H

#include <stdio.h>

/* Controls are escaped, what is not UTF-8 is replaced by '?'. */
void json_put_text(FILE *f, const char *text);

#endif
