/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's namespaces (containers, emulated hosts), by their numbers. */
#ifndef COMMON_SPACE_H
#define COMMON_SPACE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel's own numbers of the first ones, which those of all others are inside of. */
#define SPACE_FIRST_TIME 0xeffffffaU
#define SPACE_FIRST_PID  0xeffffffcU

/* Which of a kind ("pid", "time") this process is in; 0: that cannot be told. */
static inline uint32_t space_mine(const char *kind)
{
	char path[40], link[40], *number;
	ssize_t got;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	got = readlink(path, link, sizeof(link) - 1);
	link[got > 0 ? got : 0] = '\0';
	number = strchr(link, '['); /* "pid:[4026531836]" */
	return number ? (uint32_t)strtoul(number + 1, NULL, 10) : 0;
}

#endif
