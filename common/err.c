/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}
