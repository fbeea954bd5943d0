/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that is put together piece by piece in a room of fixed size; what does not fit is cut. */
#ifndef COMMON_WORDING_H
#define COMMON_WORDING_H

#include <stddef.h>

struct wording {
	char *text; /* of room bytes, its end included */
	size_t room, used;
};

/* Nothing is said yet. */
static inline struct wording wording_begin(size_t room, char text[room])
{
	text[0] = '\0';
	return (struct wording){text, room, 0};
}

__attribute__((format(printf, 2, 3))) void wording_add(struct wording *w, const char *format, ...);

#endif
