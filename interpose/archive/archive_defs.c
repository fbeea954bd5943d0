/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_defs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "common/schema.h"

#define CLOCK_PER_S UINT64_C(1000000000)

/* A list of members that has a group. */
struct listed {
	UT_hash_handle hh;
	OTF2_GroupRef group;
};

struct definer {
	OTF2_GlobalDefWriter *w;
	const struct defs *d;
	OTF2_StringRef next_string;
	OTF2_GroupRef next_group;
	struct listed *listed;
	int failed;
};

static void check(struct definer *f, OTF2_ErrorCode rc)
{
	if (rc != OTF2_SUCCESS)
		f->failed = 1;
}

static OTF2_StringRef string(struct definer *f, const char *text)
{
	check(f, OTF2_GlobalDefWriter_WriteString(f->w, f->next_string, text));
	return f->next_string++;
}

static void write_fixed_strings(struct definer *f)
{
	static const char *const fixed[STRING_FIXED] = {
		[STRING_EMPTY] = "",
		[STRING_MACHINE] = SCHEMA_CLASS_MACHINE,
		[STRING_NODE] = SCHEMA_CLASS_NODE,
		[STRING_BOOT_ID] = SCHEMA_PROP_BOOT_ID,
		[STRING_CLOCK_BOUND] = SCHEMA_PROP_CLOCK_BOUND,
		[STRING_NEW_SITE] = SCHEMA_ATTR_NEW_SITE,
		[STRING_NEW_SITE_HELP] =
			"call path of this and the region's next calls: PATH:BUILDID+0xOFFSET, "
			"innermost first, joined by ;",
		[STRING_POLLS] = SCHEMA_ATTR_POLLS,
		[STRING_POLLS_HELP] = "failing polls in a row, or tests of a request among them",
		[STRING_POLLED_NS] = SCHEMA_ATTR_POLLED_NS,
		[STRING_POLLED_NS_HELP] = "time inside of these polls, ns",
		[STRING_SKIPPED] = SCHEMA_ATTR_SKIPPED,
		[STRING_SKIPPED_HELP] = "before this one on its channel, not recorded",
		[STRING_COMM] = SCHEMA_ATTR_COMM,
		[STRING_PEER] = SCHEMA_ATTR_PEER,
		[STRING_TAG] = SCHEMA_ATTR_TAG,
		[STRING_CHANNEL_HELP] = "channel of receives that are missing, or of MATCHED",
		[STRING_UNSEEN] = SCHEMA_ATTR_UNSEEN,
		[STRING_UNSEEN_HELP] = "happened while recording was off",
		[STRING_MATCHED] = SCHEMA_ATTR_MATCHED,
		[STRING_MATCHED_HELP] = "message taken by a probe, and the receive of it",
		[STRING_COST_CALL] = SCHEMA_PROP_COST_CALL,
		[STRING_COST_REQUEST] = SCHEMA_PROP_COST_REQUEST,
		[STRING_COST_POLL] = SCHEMA_PROP_COST_POLL,
		[STRING_COST_SITES] = SCHEMA_PROP_COST_SITES,
		[STRING_COST_WRITING] = SCHEMA_PROP_COST_WRITING,
		[STRING_COST_ASIDE] = SCHEMA_PROP_COST_ASIDE,
		[STRING_MPI] = "MPI",
		[STRING_MPI_IO] = "MPI-IO",
	};
	uint32_t i;

	for (i = 0; i < STRING_FIXED; i++)
		string(f, fixed[i]);
	for (i = 0; i < f->d->n_sites; i++)
		string(f, f->d->sites[i]);
}

static void write_clock(struct definer *f, size_t n, const struct archive_location locations[n])
{
	int64_t first = INT64_MAX, last = INT64_MIN, realtime = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		first = locations[i].first_ns < first ? locations[i].first_ns : first;
		last = locations[i].last_ns > last ? locations[i].last_ns : last;
	}
	if (n == 0)
		first = last = 0;
	if (f->d->n_ranks) {
		const struct log_header *h = &f->d->ranks[0].header;

		realtime = h->realtime_ns + first - h->anchor[0].mono_ns;
	}
	check(f, OTF2_GlobalDefWriter_WriteClockProperties(f->w, CLOCK_PER_S, (uint64_t)first,
							   (uint64_t)(last - first),
							   (uint64_t)realtime));
}

static void write_system(struct definer *f)
{
	const struct defs *d = f->d;
	OTF2_AttributeValue value;
	uint32_t i;

	check(f, OTF2_GlobalDefWriter_WriteSystemTreeNode(f->w, 0, STRING_MACHINE, STRING_MACHINE,
							  OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (i = 0; i < d->n_nodes; i++) {
		check(f, OTF2_GlobalDefWriter_WriteSystemTreeNode(
				 f->w, i + 1, string(f, d->nodes[i].host), STRING_NODE, 0));
		check(f, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
				 f->w, i + 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
		value.stringRef = string(f, d->nodes[i].boot_id);
		check(f, OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(
				 f->w, i + 1, STRING_BOOT_ID, OTF2_TYPE_STRING, value));
		if (!d->nodes[d->nodes[i].clock_at].clock.n)
			continue;
		value.int64 = timeline_judge(&d->nodes[d->nodes[i].clock_at].clock).error_ns;
		check(f, OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(
				 f->w, i + 1, STRING_CLOCK_BOUND, OTF2_TYPE_INT64, value));
	}
}

static void write_process(struct definer *f, uint32_t rank, OTF2_SystemTreeNodeRef node)
{
	char name[32];

	snprintf(name, sizeof(name), "rank %u", rank);
	check(f, OTF2_GlobalDefWriter_WriteLocationGroup(f->w, rank, string(f, name),
							 OTF2_LOCATION_GROUP_TYPE_PROCESS, node,
							 OTF2_UNDEFINED_LOCATION_GROUP));
}

/* Numbered as the ranks, without a gap: those not recorded are on no node, and empty. */
static void write_processes(struct definer *f)
{
	const struct defs *d = f->d;
	uint32_t i, rank, next = 0;

	for (i = 0; i < d->n_ranks; i++) {
		rank = d->ranks[i].header.rank;
		while (next < rank && next < d->ranks[0].header.ranks)
			write_process(f, next++, 0);
		write_process(f, rank, d->ranks[i].node + 1);
		next = rank + 1;
	}
}

static void write_locations(struct definer *f, size_t n, const struct archive_location l[n])
{
	char name[48];
	size_t i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "rank %u thread %u", l[i].rank, l[i].thread);
		check(f, OTF2_GlobalDefWriter_WriteLocation(
				 f->w, SCHEMA_LOCATION(l[i].rank, l[i].thread), string(f, name),
				 OTF2_LOCATION_TYPE_CPU_THREAD, l[i].events, l[i].rank));
	}
}

static void write_regions(struct definer *f, size_t n, const struct archive_region regions[n])
{
	OTF2_StringRef name;
	size_t i;

	check(f, OTF2_GlobalDefWriter_WriteParadigm(f->w, OTF2_PARADIGM_MPI, STRING_MPI,
						    OTF2_PARADIGM_CLASS_PROCESS));
	for (i = 0; i < n; i++) {
		name = string(f, regions[i].name);
		check(f, OTF2_GlobalDefWriter_WriteRegion(
				 f->w, (OTF2_RegionRef)i, name, name, STRING_EMPTY, regions[i].role,
				 OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, STRING_MPI, 0, 0));
	}
}

static void write_attributes(struct definer *f)
{
	static const struct {
		OTF2_AttributeRef id;
		OTF2_StringRef name, help;
		OTF2_Type type;
	} all[] = {
		{ARCHIVE_ATTR_NEW_SITE, STRING_NEW_SITE, STRING_NEW_SITE_HELP, OTF2_TYPE_STRING},
		{ARCHIVE_ATTR_POLLS, STRING_POLLS, STRING_POLLS_HELP, OTF2_TYPE_UINT64},
		{ARCHIVE_ATTR_POLLED_NS, STRING_POLLED_NS, STRING_POLLED_NS_HELP, OTF2_TYPE_UINT64},
		{ARCHIVE_ATTR_SKIPPED, STRING_SKIPPED, STRING_SKIPPED_HELP, OTF2_TYPE_UINT64},
		{ARCHIVE_ATTR_COMM, STRING_COMM, STRING_CHANNEL_HELP, OTF2_TYPE_UINT64},
		{ARCHIVE_ATTR_PEER, STRING_PEER, STRING_CHANNEL_HELP, OTF2_TYPE_UINT64},
		{ARCHIVE_ATTR_TAG, STRING_TAG, STRING_CHANNEL_HELP, OTF2_TYPE_UINT64},
		{ARCHIVE_ATTR_UNSEEN, STRING_UNSEEN, STRING_UNSEEN_HELP, OTF2_TYPE_UINT64},
		{ARCHIVE_ATTR_MATCHED, STRING_MATCHED, STRING_MATCHED_HELP, OTF2_TYPE_UINT64},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		check(f, OTF2_GlobalDefWriter_WriteAttribute(f->w, all[i].id, all[i].name,
							     all[i].help, all[i].type));
}

/*
 * A group of world ranks. Members of other worlds keep the places of those behind them; OTF2
 * has no name for them, so those that nobody is behind are left out.
 */
static OTF2_GroupRef group(struct definer *f, OTF2_GroupType type, uint32_t n, const int32_t *ranks)
{
	uint64_t *members = malloc((n ? n : 1) * sizeof(*members));
	uint32_t i, m = ranks ? n : 0;

	while (m && ranks[m - 1] < 0)
		m--;
	if (!members) {
		f->failed = 1;
		return 0;
	}
	for (i = 0; i < m; i++)
		members[i] = ranks[i] < 0 ? OTF2_UNDEFINED_UINT64 : (uint64_t)ranks[i];
	check(f,
	      OTF2_GlobalDefWriter_WriteGroup(f->w, f->next_group, STRING_EMPTY, type,
					      OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, m, members));
	free(members);
	return f->next_group++;
}

/* All ranks of the world, in order. */
static OTF2_GroupRef group_of_all(struct definer *f, OTF2_GroupType type)
{
	uint32_t i, n = f->d->n_ranks ? f->d->ranks[0].header.ranks : 0;
	int32_t *all = malloc((n ? n : 1) * sizeof(*all));
	OTF2_GroupRef ref;

	for (i = 0; all && i < n; i++)
		all[i] = (int32_t)i;
	if (!all)
		f->failed = 1;
	ref = group(f, type, all ? n : 0, all);
	free(all);
	return ref;
}

/* The group of n members, one definition for equal lists; members may be NULL. */
static OTF2_GroupRef group_of(struct definer *f, uint32_t n, const int32_t *members)
{
	size_t bytes = n * sizeof(*members);
	struct listed *head = f->listed, *l = NULL;

	if (!members || !n)
		return group(f, OTF2_GROUP_TYPE_COMM_GROUP, 0, NULL);
	HASH_FIND(hh, head, members, bytes, l);
	if (l)
		return l->group;
	l = calloc(1, sizeof(*l));
	if (!l) {
		f->failed = 1;
		return 0;
	}
	l->group = group(f, OTF2_GROUP_TYPE_COMM_GROUP, n, members);
	HASH_ADD_KEYPTR(hh, head, members, bytes, l);
	f->listed = head;
	return l->group;
}

static void free_listed(struct definer *f)
{
	struct listed *head = f->listed, *l, *next;

	HASH_ITER(hh, head, l, next) {
		HASH_DEL(head, l);
		free(l);
	}
}

static void write_comms(struct definer *f)
{
	const struct defs *d = f->d;
	OTF2_GroupRef local, remote;
	OTF2_StringRef name;
	uint32_t i;

	for (i = 0; i < d->n_comms; i++) {
		const struct def_comm *c = &d->comms[i];

		name = string(f, c->about.name);
		if (c->about.self)
			local = group(f, OTF2_GROUP_TYPE_COMM_SELF, 0, NULL);
		else if (c->about.size == d->ranks[0].header.ranks && c->key == LOG_COMM_WORLD)
			local = group_of_all(f, OTF2_GROUP_TYPE_COMM_GROUP);
		else
			local = group_of(f, c->about.size, c->members);
		if (!c->about.remote) {
			check(f, OTF2_GlobalDefWriter_WriteComm(
					 f->w, i, name, local,
					 c->parent == UINT32_MAX ? OTF2_UNDEFINED_COMM : c->parent,
					 OTF2_COMM_FLAG_NONE));
			continue;
		}
		remote = group_of(f, c->about.remote,
				  c->members ? c->members + c->about.size : NULL);
		check(f, OTF2_GlobalDefWriter_WriteInterComm(f->w, i, name, local, remote,
							     OTF2_UNDEFINED_COMM,
							     OTF2_COMM_FLAG_NONE));
	}
	free_listed(f);
}

/* A metric class of one member for each counter, when there are readings. */
static void write_metrics(struct definer *f)
{
	uint32_t i, any = 0;

	for (i = 0; i < f->d->n_ranks; i++)
		any |= f->d->ranks[i].header.metrics;
	for (i = 0; any && i < COUNTERS; i++) {
		const struct counter_row *row = &counter_rows[i];
		OTF2_MetricMemberRef member = i;

		check(f, OTF2_GlobalDefWriter_WriteMetricMember(
				 f->w, member, string(f, row->name), STRING_EMPTY,
				 OTF2_METRIC_TYPE_OTHER,
				 row->of == COUNTER_OF_QUEUE ? OTF2_METRIC_ABSOLUTE_POINT
							     : OTF2_METRIC_ACCUMULATED_START,
				 OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, string(f, row->unit)));
		check(f, OTF2_GlobalDefWriter_WriteMetricClass(
				 f->w, i, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
				 row->of == COUNTER_OF_NODE ? OTF2_RECORDER_KIND_ABSTRACT
							    : OTF2_RECORDER_KIND_CPU));
	}
}

/* Groups whose numbers events know; what their members count in comes first. */
static void write_groups(struct definer *f)
{
	const struct def_group *g;
	uint32_t i;

	group_of_all(f, OTF2_GROUP_TYPE_COMM_LOCATIONS);
	for (i = 0; i < f->d->n_groups; i++) {
		g = &f->d->groups[i];
		group(f, OTF2_GROUP_TYPE_COMM_GROUP, g->size, g->members);
	}
}

static void write_windows(struct definer *f)
{
	const struct def_window *v;
	uint32_t i;

	for (i = 0; i < f->d->n_windows; i++) {
		v = &f->d->windows[i];
		check(f, OTF2_GlobalDefWriter_WriteRmaWin(f->w, i, string(f, v->name), v->comm,
							  OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
	}
}

static void write_files(struct definer *f)
{
	const struct def_file *h;
	uint32_t i;

	if (f->d->n_paths)
		check(f, OTF2_GlobalDefWriter_WriteIoParadigm(
				 f->w, ARCHIVE_PARADIGM_IO, STRING_MPI_IO, STRING_MPI_IO,
				 OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
				 NULL, NULL, NULL));
	for (i = 0; i < f->d->n_paths; i++)
		check(f, OTF2_GlobalDefWriter_WriteIoRegularFile(f->w, i, string(f, f->d->paths[i]),
								 0));
	for (i = 0; i < f->d->n_files; i++) {
		h = &f->d->files[i];
		check(f, OTF2_GlobalDefWriter_WriteIoHandle(
				 f->w, i, STRING_EMPTY, h->path, ARCHIVE_PARADIGM_IO,
				 OTF2_IO_HANDLE_FLAG_NONE, h->comm, OTF2_UNDEFINED_IO_HANDLE));
	}
}

int archive_defs_write(OTF2_GlobalDefWriter *w, const struct defs *d, size_t n_regions,
		       const struct archive_region regions[n_regions], size_t n_locations,
		       const struct archive_location locations[n_locations])
{
	struct definer f = {.w = w, .d = d};

	write_clock(&f, n_locations, locations);
	write_fixed_strings(&f);
	write_system(&f);
	write_processes(&f);
	write_locations(&f, n_locations, locations);
	write_regions(&f, n_regions, regions);
	write_attributes(&f);
	write_groups(&f);
	write_comms(&f);
	write_metrics(&f);
	write_windows(&f);
	write_files(&f);
	return f.failed || archive_costs_write(w, d, n_locations, locations) ? -1 : 0;
}
