/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/wording.h"

#include <stdarg.h>
#include <stdio.h>

void wording_add(struct wording *w, const char *format, ...)
{
	va_list args;

	if (w->used >= w->room)
		return;
	va_start(args, format);
	w->used += (size_t)vsnprintf(w->text + w->used, w->room - w->used, format, args);
	va_end(args);
}
