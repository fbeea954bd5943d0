/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/places.h"

#include "common/cpu_name.h"

#include <hwloc.h>
#include <string.h>
#include <unistd.h>

const char *nearness_name(enum nearness n)
{
	static const char *const names[NEAR_COUNT] = {
		[NEAR_CACHE] = "cache",
		[NEAR_SOCKET] = "socket",
		[NEAR_NODE] = "node",
		[NEAR_NETWORK] = "network",
	};

	return names[n];
}

/* The object of a type that covers all processors of a set, if it is not the whole machine's. */
static int covering(hwloc_topology_t t, hwloc_const_cpuset_t set, hwloc_obj_type_t type)
{
	hwloc_obj_t o = NULL;

	while ((o = hwloc_get_next_obj_by_type(t, type, o)))
		if (hwloc_bitmap_isincluded(set, o->cpuset))
			return (int)o->logical_index;
	return -1;
}

void place_here(struct place *p)
{
	hwloc_topology_t t;
	hwloc_cpuset_t set = hwloc_bitmap_alloc();

	*p = (struct place){.cache = -1, .socket = -1, .cores = 1};
	gethostname(p->host, sizeof(p->host) - 1);
	cpu_name(sizeof(p->cpu), p->cpu);
	if (!set || hwloc_topology_init(&t)) {
		hwloc_bitmap_free(set);
		return;
	}
	if (!hwloc_topology_load(t) && !hwloc_get_cpubind(t, set, HWLOC_CPUBIND_PROCESS)) {
		p->cores = hwloc_get_nbobjs_inside_cpuset_by_type(t, set, HWLOC_OBJ_CORE);
		p->bound = p->cores <= 1;
		p->socket = covering(t, set, HWLOC_OBJ_PACKAGE);
		p->cache = covering(t, set, HWLOC_OBJ_L3CACHE);
		if (p->cache < 0)
			p->cache = covering(t, set, HWLOC_OBJ_L2CACHE);
	}
	hwloc_topology_destroy(t);
	hwloc_bitmap_free(set);
}

enum nearness place_nearness(const struct place *a, const struct place *b)
{
	if (strcmp(a->host, b->host))
		return NEAR_NETWORK;
	if (!a->bound || !b->bound || a->socket < 0 || a->socket != b->socket)
		return NEAR_NODE;
	return a->cache >= 0 && a->cache == b->cache ? NEAR_CACHE : NEAR_SOCKET;
}
