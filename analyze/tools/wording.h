/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text that is put together piece by piece in a room of fixed size; what does not fit is left out. */
#ifndef ANALYZE_WORDING_H
#define ANALYZE_WORDING_H

#include <stddef.h>

struct wording {
	char *text; /* of room bytes, its end included */
	size_t room, used;
};

__attribute__((format(printf, 2, 3))) void wording_add(struct wording *w, const char *format, ...);

#endif
