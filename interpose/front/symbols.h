/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a loaded object exports and imports, read from its dynamic symbol table in memory:
 * dlsym() cannot be asked about one object alone. No allocation, no locks.
 */
#ifndef INTERPOSE_SYMBOLS_H
#define INTERPOSE_SYMBOLS_H

#include <link.h>
#include <stdint.h>

struct symbols {
	const ElfW(Sym) * table;
	const char *names;
	const uint32_t *hash; /* DT_GNU_HASH */
};

/* The tables of the object at bias whose dynamic section is dyn; -1 when it has none. */
int symbols_of(const ElfW(Dyn) * dyn, uintptr_t bias, struct symbols *out);

/* Does the object define name for others? */
int symbols_define(const struct symbols *s, const char *name);

/* Does it want name from others? */
int symbols_want(const struct symbols *s, const char *name);

#endif
