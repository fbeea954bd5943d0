/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_definer.h"

#include <stdio.h>

#include "common/schema.h"

#define CLOCK_PER_S UINT64_C(1000000000)

static void write_fixed_strings(struct definer *f)
{
	static const char *const fixed[STRING_FIXED] = {
		[STRING_EMPTY] = "",
		[STRING_MACHINE] = SCHEMA_CLASS_MACHINE,
		[STRING_NODE] = SCHEMA_CLASS_NODE,
		[STRING_BOOT_ID] = SCHEMA_PROP_BOOT_ID,
		[STRING_CLOCK_BOUND] = SCHEMA_PROP_CLOCK_BOUND,
#define ATTRIBUTE(NAME, TYPE, help) \
	[STRING_##NAME] = SCHEMA_ATTR_##NAME, [STRING_##NAME##_HELP] = (help),
#include "interpose/archive/archive_attributes.def"
#undef ATTRIBUTE
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
		definer_string(f, fixed[i]);
	for (i = 0; i < f->d->n_sites; i++)
		definer_string(f, f->d->sites[i]);
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
	definer_check(f, OTF2_GlobalDefWriter_WriteClockProperties(
				 f->w, CLOCK_PER_S, (uint64_t)first, (uint64_t)(last - first),
				 (uint64_t)realtime));
}

static void write_system(struct definer *f)
{
	const struct defs *d = f->d;
	OTF2_AttributeValue value;
	uint32_t i;

	definer_check(f, OTF2_GlobalDefWriter_WriteSystemTreeNode(f->w, 0, STRING_MACHINE,
								  STRING_MACHINE,
								  OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (i = 0; i < d->n_nodes; i++) {
		definer_check(f, OTF2_GlobalDefWriter_WriteSystemTreeNode(
					 f->w, i + 1, definer_string(f, d->nodes[i].host),
					 STRING_NODE, 0));
		definer_check(f, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
					 f->w, i + 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
		value.stringRef = definer_string(f, d->nodes[i].boot_id);
		definer_check(f, OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(
					 f->w, i + 1, STRING_BOOT_ID, OTF2_TYPE_STRING, value));
		if (!d->nodes[d->nodes[i].clock_at].clock.n)
			continue;
		value.int64 = timeline_judge(&d->nodes[d->nodes[i].clock_at].clock).error_ns;
		definer_check(f, OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(
					 f->w, i + 1, STRING_CLOCK_BOUND, OTF2_TYPE_INT64, value));
	}
}

static void write_process(struct definer *f, uint32_t rank, OTF2_SystemTreeNodeRef node)
{
	char name[32];

	snprintf(name, sizeof(name), "rank %u", rank);
	definer_check(f,
		      OTF2_GlobalDefWriter_WriteLocationGroup(f->w, rank, definer_string(f, name),
							      OTF2_LOCATION_GROUP_TYPE_PROCESS,
							      node, OTF2_UNDEFINED_LOCATION_GROUP));
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
		definer_check(f, OTF2_GlobalDefWriter_WriteLocation(
					 f->w, SCHEMA_LOCATION(l[i].rank, l[i].thread),
					 definer_string(f, name), OTF2_LOCATION_TYPE_CPU_THREAD,
					 l[i].events, l[i].rank));
	}
}

static void write_regions(struct definer *f, size_t n, const struct archive_region regions[n])
{
	OTF2_StringRef name;
	size_t i;

	definer_check(f, OTF2_GlobalDefWriter_WriteParadigm(f->w, OTF2_PARADIGM_MPI, STRING_MPI,
							    OTF2_PARADIGM_CLASS_PROCESS));
	for (i = 0; i < n; i++) {
		name = definer_string(f, regions[i].name);
		definer_check(f, OTF2_GlobalDefWriter_WriteRegion(
					 f->w, (OTF2_RegionRef)i, name, name, STRING_EMPTY,
					 regions[i].role, OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
					 STRING_MPI, 0, 0));
	}
}

static void write_attributes(struct definer *f)
{
	static const struct {
		OTF2_AttributeRef id;
		OTF2_StringRef name, help;
		OTF2_Type type;
	} all[] = {
#define ATTRIBUTE(NAME, TYPE, help) \
	{ARCHIVE_ATTR_##NAME, STRING_##NAME, STRING_##NAME##_HELP, OTF2_TYPE_##TYPE},
#include "interpose/archive/archive_attributes.def"
#undef ATTRIBUTE
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		definer_check(f, OTF2_GlobalDefWriter_WriteAttribute(f->w, all[i].id, all[i].name,
								     all[i].help, all[i].type));
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

		definer_check(f,
			      OTF2_GlobalDefWriter_WriteMetricMember(
				      f->w, member, definer_string(f, row->name), STRING_EMPTY,
				      OTF2_METRIC_TYPE_OTHER,
				      row->of == COUNTER_OF_QUEUE ? OTF2_METRIC_ABSOLUTE_POINT
								  : OTF2_METRIC_ACCUMULATED_START,
				      OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
				      definer_string(f, row->unit)));
		definer_check(f, OTF2_GlobalDefWriter_WriteMetricClass(
					 f->w, i, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
					 row->of == COUNTER_OF_NODE ? OTF2_RECORDER_KIND_ABSTRACT
								    : OTF2_RECORDER_KIND_CPU));
	}
}

static void write_windows(struct definer *f)
{
	const struct def_window *v;
	uint32_t i;

	for (i = 0; i < f->d->n_windows; i++) {
		v = &f->d->windows[i];
		definer_check(f, OTF2_GlobalDefWriter_WriteRmaWin(
					 f->w, i, definer_string(f, v->name), v->comm,
					 OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
	}
}

static void write_files(struct definer *f)
{
	const struct def_file *h;
	uint32_t i;

	if (f->d->n_paths)
		definer_check(f, OTF2_GlobalDefWriter_WriteIoParadigm(
					 f->w, ARCHIVE_PARADIGM_IO, STRING_MPI_IO, STRING_MPI_IO,
					 OTF2_IO_PARADIGM_CLASS_PARALLEL,
					 OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
	for (i = 0; i < f->d->n_paths; i++)
		definer_check(f, OTF2_GlobalDefWriter_WriteIoRegularFile(
					 f->w, i, definer_string(f, f->d->paths[i]), 0));
	for (i = 0; i < f->d->n_files; i++) {
		h = &f->d->files[i];
		definer_check(f,
			      OTF2_GlobalDefWriter_WriteIoHandle(
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
	definer_groups(&f);
	definer_comms(&f);
	write_metrics(&f);
	write_windows(&f);
	write_files(&f);
	return f.failed || archive_costs_write(w, d, n_locations, locations) ? -1 : 0;
}
