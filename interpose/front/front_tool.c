/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/front/front_tool.h"

#include <dlfcn.h>
#include <stddef.h>

#include "interpose/front/symbols.h"

static const struct link_map *object_of(const void *address)
{
	void *map = NULL;
	Dl_info info;

	return dladdr1(address, &info, &map, RTLD_DL_LINKMAP) ? map : NULL;
}

void *front_tool_find(const char *name, const void *real)
{
	void *next = real ? dlsym(RTLD_NEXT, name) : NULL;

	return next && object_of(next) != object_of(real) ? next : NULL;
}

const char *front_tool_past(const void *function, const char *pmpi_name)
{
	const struct link_map *object = object_of(function);
	struct symbols symbols;

	if (!object || symbols_of(object->l_ld, object->l_addr, &symbols) ||
	    symbols_want(&symbols, pmpi_name))
		return NULL;
	return object->l_name;
}
