/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frames of call paths (SCHEMA_ATTR_SITE): from recorded addresses to file, line and
 * function, with the debug information of the objects on this machine. The only file that uses
 * libdw. Each object is opened once, each frame looked up once.
 */
#ifndef ANALYZE_FRAMES_H
#define ANALYZE_FRAMES_H

#include <uthash.h>

struct frames;

struct frame {
	char *text;     /* as recorded */
	int is_program; /* 0: inside of MPI or below it, or not well formed */
	int is_rebuilt; /* its object has another build id than at recording */
	char *file;     /* NULL = unknown */
	char *function; /* NULL = unknown; without debug information it may be known alone */
	unsigned line;  /* 0 = unknown */
	char *around;   /* those that it is inlined into, innermost first, each with \n; or NULL */
	UT_hash_handle hh;
};

/* NULL: out of memory. */
struct frames *frames_open(void);
void frames_close(struct frames *f);

/*
 * The frame that text begins with, up to its first ';'. Of objects that are gone or have another
 * build id than at recording nothing is known. NULL: out of memory. Valid until frames_close().
 */
const struct frame *frames_find(struct frames *f, const char *text);

#endif
