/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/traces/mkarchive.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICKS_PER_S 1000000000U
#define WRITE(what, ...) \
	mkarchive_check(m, OTF2_GlobalDefWriter_Write##what(w, __VA_ARGS__), "a definition")

/* The first rank on the same host; its number + 1 is the host's system tree node. */
static uint32_t host_leader(const struct mktrace *m, uint32_t rank)
{
	uint32_t r = 0;

	while (strcmp(m->hosts[r].name, m->hosts[rank].name))
		r++;
	return r;
}

/* The attributes that are numbers. */
static const struct {
	enum mkattribute id;
	const char *name;
} numbers[] = {
	{POLLS_ATTRIBUTE, SCHEMA_ATTR_POLLS},     {POLLED_NS_ATTRIBUTE, SCHEMA_ATTR_POLLED_NS},
	{SKIPPED_ATTRIBUTE, SCHEMA_ATTR_SKIPPED}, {COMM_ATTRIBUTE, SCHEMA_ATTR_COMM},
	{PEER_ATTRIBUTE, SCHEMA_ATTR_PEER},       {TAG_ATTRIBUTE, SCHEMA_ATTR_TAG},
	{UNSEEN_ATTRIBUTE, SCHEMA_ATTR_UNSEEN},   {MATCHED_ATTRIBUTE, SCHEMA_ATTR_MATCHED},
};

/* The properties of ranks, and the field each is in. */
static const struct {
	const char *name;
	size_t field;
} costs[] = {
	{SCHEMA_PROP_COST_CALL, offsetof(struct rank_cost, call_ns)},
	{SCHEMA_PROP_COST_REQUEST, offsetof(struct rank_cost, request_ns)},
	{SCHEMA_PROP_COST_POLL, offsetof(struct rank_cost, poll_ns)},
	{SCHEMA_PROP_COST_SITES, offsetof(struct rank_cost, sites_ns)},
	{SCHEMA_PROP_COST_WRITING, offsetof(struct rank_cost, writing_ns)},
	{SCHEMA_PROP_COST_ASIDE, offsetof(struct rank_cost, aside_ns)},
};

/* Strings have to be written before they are used, so name all of them first. */
static void write_strings(struct mktrace *m, OTF2_GlobalDefWriter *w)
{
	uint32_t i;

	mkarchive_string(m, SCHEMA_ATTR_SITE);
	mkarchive_string(m, SCHEMA_ATTR_NEW_SITE);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		mkarchive_string(m, numbers[i].name);
	for (i = 0; i < sizeof(costs) / sizeof(costs[0]); i++)
		mkarchive_string(m, costs[i].name);
	mkarchive_string(m, "call path");
	mkarchive_string(m, SCHEMA_CLASS_MACHINE);
	mkarchive_string(m, SCHEMA_CLASS_NODE);
	mkarchive_string(m, SCHEMA_PROP_BOOT_ID);
	mkarchive_string(m, "MPI");
	mkarchive_string(m, "master thread");
	for (i = 0; i < m->ranks; i++) {
		mkarchive_string(m, m->hosts[i].name);
		if (m->hosts[i].boot_id)
			mkarchive_string(m, m->hosts[i].boot_id);
	}
	for (i = 0; i < m->n_comms; i++)
		mkarchive_string(m, m->comms[i].name);
	for (i = 0; i < m->n_regions; i++)
		mkarchive_string(m, m->regions[i]);
	for (i = 0; i < m->n_strings; i++)
		WRITE(String, i, m->strings[i]);
}

static void write_costs(struct mktrace *m, OTF2_GlobalDefWriter *w)
{
	OTF2_AttributeValue value;
	uint32_t r;
	size_t i;

	for (r = 0; r < m->ranks; r++)
		for (i = 0; i < sizeof(costs) / sizeof(costs[0]) && m->hosts[r].cost.call_ns > 0;
		     i++) {
			value.float64 =
				*(double *)(void *)((char *)&m->hosts[r].cost + costs[i].field);
			WRITE(LocationGroupProperty, r, mkarchive_string(m, costs[i].name),
			      OTF2_TYPE_DOUBLE, value);
		}
}

static void write_places(struct mktrace *m, OTF2_GlobalDefWriter *w)
{
	uint32_t r, i, thread_name = mkarchive_string(m, "master thread");

	WRITE(SystemTreeNode, 0, mkarchive_string(m, SCHEMA_CLASS_MACHINE),
	      mkarchive_string(m, SCHEMA_CLASS_MACHINE), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (r = 0; r < m->ranks; r++) {
		OTF2_AttributeValue value;

		if (host_leader(m, r) != r)
			continue;
		WRITE(SystemTreeNode, r + 1, mkarchive_string(m, m->hosts[r].name),
		      mkarchive_string(m, SCHEMA_CLASS_NODE), 0);
		if (!m->hosts[r].boot_id)
			continue;
		value.stringRef = mkarchive_string(m, m->hosts[r].boot_id);
		WRITE(SystemTreeNodeProperty, r + 1, mkarchive_string(m, SCHEMA_PROP_BOOT_ID),
		      OTF2_TYPE_STRING, value);
	}
	for (r = 0; r < m->ranks; r++)
		WRITE(LocationGroup, r, thread_name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
		      host_leader(m, r) + 1, OTF2_UNDEFINED_LOCATION_GROUP);
	for (i = 0; i < m->n_locations; i++)
		WRITE(Location, m->locations[i].id, thread_name, OTF2_LOCATION_TYPE_CPU_THREAD,
		      m->locations[i].events, (uint32_t)m->locations[i].id);
}

/* Group 0: all locations. Group i + 1: the members of communicator i. */
static void write_comms(struct mktrace *m, OTF2_GlobalDefWriter *w)
{
	uint64_t *members = calloc(m->ranks, sizeof(*members));
	uint32_t i, k;

	for (k = 0; k < m->ranks; k++)
		members[k] = SCHEMA_LOCATION(k, 0);
	WRITE(Group, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
	      m->ranks, members);
	for (i = 0; i < m->n_comms; i++) {
		const struct mkcomm *c = &m->comms[i];

		for (k = 0; c->members && k < c->n; k++)
			members[k] = c->members[k];
		WRITE(Group, i + 1, 0,
		      c->members ? OTF2_GROUP_TYPE_COMM_GROUP : OTF2_GROUP_TYPE_COMM_SELF,
		      OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, c->members ? c->n : 0, members);
	}
	for (i = 0; i < m->n_comms; i++)
		WRITE(Comm, mkarchive_id(m, i), mkarchive_string(m, m->comms[i].name), i + 1,
		      OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	for (i = 0; i < m->n_windows; i++)
		WRITE(RmaWin, i, 0, mkarchive_id(m, m->windows[i]), OTF2_RMA_WIN_FLAG_NONE);
	free(members);
}

static void write_local(struct mktrace *m)
{
	uint32_t i, k;

	mkarchive_check(m, OTF2_Archive_OpenDefFiles(m->archive), "local definitions");
	for (i = 0; i < m->n_locations; i++) {
		const struct mklocation *l = &m->locations[i];
		OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(m->archive, l->id);

		for (k = 0; w && k < l->n_offsets; k++)
			mkarchive_check(
				m,
				OTF2_DefWriter_WriteClockOffset(w, (uint64_t)l->offset_at_ns[k],
								l->offset_ns[k], 0.0),
				"a clock offset");
		OTF2_Archive_CloseDefWriter(m->archive, w);
	}
	mkarchive_check(m, OTF2_Archive_CloseDefFiles(m->archive), "local definitions");
}

static void write_counters(struct mktrace *m, OTF2_GlobalDefWriter *w)
{
	OTF2_MetricMemberRef i;

	for (i = 0; i < m->n_counters; i++) {
		WRITE(MetricMember, i, mkarchive_string(m, m->counters[i]), 0,
		      OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
		      OTF2_BASE_DECIMAL, 0, 0);
		WRITE(MetricClass, i, 1, &i, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT);
	}
}

void mkarchive_define(struct mktrace *m)
{
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(m->archive);
	uint32_t i;

	if (!w) {
		mkarchive_check(m, OTF2_ERROR_INVALID, "definitions");
		return;
	}
	write_local(m);
	WRITE(ClockProperties, TICKS_PER_S, (uint64_t)m->first_ns,
	      (uint64_t)(m->last_ns - m->first_ns), 0);
	write_strings(m, w);
	WRITE(Paradigm, OTF2_PARADIGM_MPI, mkarchive_string(m, "MPI"), OTF2_PARADIGM_CLASS_PROCESS);
	WRITE(Attribute, SITE_ATTRIBUTE, mkarchive_string(m, SCHEMA_ATTR_SITE),
	      mkarchive_string(m, "call path"), OTF2_TYPE_STRING);
	WRITE(Attribute, NEW_SITE_ATTRIBUTE, mkarchive_string(m, SCHEMA_ATTR_NEW_SITE),
	      mkarchive_string(m, "call path"), OTF2_TYPE_STRING);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		WRITE(Attribute, numbers[i].id, mkarchive_string(m, numbers[i].name), 0,
		      OTF2_TYPE_UINT64);
	write_places(m, w);
	write_costs(m, w);
	for (i = 0; i < m->n_regions; i++)
		WRITE(Region, mkarchive_id(m, i), mkarchive_string(m, m->regions[i]),
		      mkarchive_string(m, m->regions[i]), 0, OTF2_REGION_ROLE_FUNCTION,
		      OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
	write_comms(m, w);
	write_counters(m, w);
}

int mktrace_cut(const char *path, int64_t bytes, struct err *err)
{
	if (truncate(path, bytes))
		return err_set(err, "%s: cannot cut to %" PRId64 " bytes: %s", path, bytes,
			       strerror(errno));
	return 0;
}

int mktrace_run_json(const char *dir, uint32_t ranks, double wall_s, const char *ended,
		     struct err *err)
{
	char path[4096];
	FILE *f;
	int bad;

	snprintf(path, sizeof(path), "%s/" SCHEMA_RUN_JSON, dir);
	f = fopen(path, "w");
	if (!f)
		return err_set(err, "%s: cannot write: %s", path, strerror(errno));
	fprintf(f,
		"{\"schema\":\"" SCHEMA_RUN_VERSION "\",\"version\":\"0.1.0\","
		"\"command\":\"./mktrace\",\"ranks\":%" PRIu32 ",\"nodes\":%" PRIu32 ","
		"\"mpi\":\"simulated\",\"recorded_at\":\"2026-01-31T12:00:00Z\","
		"\"wall_s\":%.9f,\"ended\":\"%s\",\"options\":{},"
		"\"cost\":{\"calls\":0,\"ns_per_call\":0.0,\"share\":0.0},"
		"\"clock\":{\"error_ns\":0}}\n",
		ranks, ranks, wall_s, ended);
	bad = ferror(f);
	if (fclose(f) || bad)
		return err_set(err, "%s: cannot write: %s", path, strerror(errno));
	return 0;
}
