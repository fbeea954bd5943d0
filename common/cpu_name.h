/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The model of this node's processors, as the kernel tells: what a run and a machine file say
 * about the machine, and by which they are compared. Processors of one kind are taken for granted.
 */
#ifndef COMMON_CPU_NAME_H
#define COMMON_CPU_NAME_H

#include <stddef.h>

/* "" when it is not told. No stdio and no memory of its own. */
void cpu_name(size_t size, char name[size]);

#endif
