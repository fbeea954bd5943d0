/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/places.h"

#include "common/cpu_name.h"

#include <hwloc.h>
#include <stdio.h>
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

/* A number of the object of a type that covers all processors of a set: its first processor's. */
static int covering(hwloc_topology_t t, hwloc_const_cpuset_t set, hwloc_obj_type_t type)
{
	hwloc_obj_t o = NULL;

	while ((o = hwloc_get_next_obj_by_type(t, type, o)))
		if (hwloc_bitmap_isincluded(set, o->cpuset))
			return hwloc_bitmap_first(o->cpuset);
	return -1;
}

/* One that some of its processors are of, is a core that a rank may use. */
static void take_cores(struct place *p, hwloc_topology_t t, hwloc_const_cpuset_t set)
{
	hwloc_obj_t o = NULL;

	memset(p->cores, 0, sizeof(p->cores));
	if (hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE) > PLACE_CORES_MAX)
		return;
	while ((o = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_CORE, o)))
		if (hwloc_bitmap_intersects(set, o->cpuset))
			p->cores[o->logical_index / 64] |= 1ull << o->logical_index % 64;
}

void place_within(struct place *p, struct hwloc_topology *t, const struct hwloc_bitmap_s *cpus)
{
	take_cores(p, t, cpus);
	p->socket = covering(t, cpus, HWLOC_OBJ_PACKAGE);
	p->cache = covering(t, cpus, HWLOC_OBJ_L3CACHE);
	if (p->cache < 0)
		p->cache = covering(t, cpus, HWLOC_OBJ_L2CACHE);
}

/* As long as it runs every kernel has a number of its own, which all who use it can read. */
static void take_kernel(struct place *p)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (f && !fgets(p->kernel, sizeof(p->kernel), f))
		p->kernel[0] = '\0';
	if (f)
		fclose(f);
}

void place_here(struct place *p)
{
	hwloc_topology_t t;
	hwloc_cpuset_t set = hwloc_bitmap_alloc();

	*p = (struct place){.cache = -1, .socket = -1};
	gethostname(p->host, sizeof(p->host) - 1);
	cpu_name(sizeof(p->cpu), p->cpu);
	take_kernel(p);
	if (!set || hwloc_topology_init(&t)) {
		hwloc_bitmap_free(set);
		return;
	}
	/* the same numbers for all ranks of a host, each of which may be kept to a part of it */
	hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	if (!hwloc_topology_load(t) && !hwloc_get_cpubind(t, set, HWLOC_CPUBIND_PROCESS))
		place_within(p, t, set);
	hwloc_topology_destroy(t);
	hwloc_bitmap_free(set);
}

enum nearness place_nearness(const struct place *a, const struct place *b)
{
	if (strcmp(a->host, b->host))
		return NEAR_NETWORK;
	if (a->cache >= 0 && a->cache == b->cache)
		return NEAR_CACHE;
	return a->socket >= 0 && a->socket == b->socket ? NEAR_SOCKET : NEAR_NODE;
}

static int is_one_machine(const struct place *a, const struct place *b)
{
	return !strcmp(a->host, b->host) || (*a->kernel && !strcmp(a->kernel, b->kernel));
}

int places_machines(const struct place places[], int n)
{
	int machines = 0, i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < i && !is_one_machine(&places[k], &places[i]);)
			k++;
		machines += k == i;
	}
	return machines;
}

int places_are_crowded(const struct place places[], int n, int i)
{
	uint64_t cores[PLACE_CORES_MAX / 64] = {0};
	int ranks = 0, many = 0, k;
	size_t w;

	for (k = 0; k < n; k++) {
		if (strcmp(places[k].host, places[i].host))
			continue;
		ranks++;
		for (w = 0; w < PLACE_CORES_MAX / 64; w++)
			cores[w] |= places[k].cores[w];
	}
	for (w = 0; w < PLACE_CORES_MAX / 64; w++)
		many += __builtin_popcountll(cores[w]);
	return many > 0 && ranks > many;
}
