/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program to be recorded, looked at before it is started. */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include <stddef.h>

enum program_kind {
	PROGRAM_FINE, /* a dynamic executable or a script */
	PROGRAM_NOT_FOUND,
	PROGRAM_NOT_EXECUTABLE, /* there, but not to be run */
	PROGRAM_STATIC,         /* no dynamic loader, so no preload */
	PROGRAM_SETUID,         /* the loader ignores preloads */
	PROGRAM_OTHER_MACHINE,  /* 32 bits, or another processor: the library does not fit */
};

/*
 * Look name up as execvp() does and look at it. path is where it is, or name
 * itself when it was not found.
 */
enum program_kind program_inspect(const char *name, size_t size, char path[size]);

#endif
