/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/traces/mkarchive.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(struct mktrace *m, const char *what)
{
	if (!m->failed)
		err_set(&m->err, "%s: cannot write %s", m->dir, what);
	m->failed = 1;
}

void mkarchive_check(struct mktrace *m, OTF2_ErrorCode code, const char *what)
{
	if (code != OTF2_SUCCESS)
		fail(m, what);
}

static void *grown(void *array, uint32_t n, size_t size)
{
	/* a power of two at least n + 1; reallocates only when n reaches one */
	if (n & (n - 1))
		return array;
	array = reallocarray(array, n ? 2 * (size_t)n : 1, size);
	if (!array)
		abort(); /* test code: nothing to save */
	return array;
}

static uint32_t name_id(char ***names, uint32_t *n, const char *name)
{
	uint32_t i;

	for (i = *n; i-- > 0;) {
		if (!strcmp((*names)[i], name))
			return i;
	}
	*names = grown(*names, *n, sizeof(**names));
	(*names)[*n] = strdup(name);
	return (*n)++;
}

uint32_t mkarchive_string(struct mktrace *m, const char *text)
{
	return name_id(&m->strings, &m->n_strings, text);
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location,
				   void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = before_flush};

/* The smallest chunk of definitions has room for the record of a group of so many. */
#define RANKS_OF_CHUNK_MIN 10000

/* Opened at the first event, when the chunk size is known. */
static OTF2_Archive *open_archive(struct mktrace *m)
{
	if (m->archive || m->failed)
		return m->archive;
	m->archive = OTF2_Archive_Open(m->dir, SCHEMA_ARCHIVE, OTF2_FILEMODE_WRITE, m->chunk_bytes,
				       m->ranks > RANKS_OF_CHUNK_MIN
					       ? OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT
					       : OTF2_CHUNK_SIZE_MIN,
				       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!m->archive) {
		fail(m, "an archive (is one there already?)");
		return NULL;
	}
	mkarchive_check(m, OTF2_Archive_SetFlushCallbacks(m->archive, &flush_callbacks, NULL),
			"settings");
	mkarchive_check(m, OTF2_Archive_SetSerialCollectiveCallbacks(m->archive), "settings");
	mkarchive_check(m, OTF2_Archive_OpenEvtFiles(m->archive), "event files");
	m->attributes = OTF2_AttributeList_New();
	return m->archive;
}

static struct mklocation *location_at(struct mktrace *m, uint64_t id)
{
	uint32_t i;

	assert((uint32_t)id < m->ranks);
	for (i = 0; i < m->n_locations; i++) {
		if (m->locations[i].id == id)
			return &m->locations[i];
	}
	m->locations = grown(m->locations, m->n_locations, sizeof(*m->locations));
	m->locations[m->n_locations] = (struct mklocation){.id = id};
	return &m->locations[m->n_locations++];
}

/* The event writer of a location, after noting an event at ns; NULL after a failure. */
static OTF2_EvtWriter *writer_at(struct mktrace *m, uint64_t id, int64_t ns)
{
	struct mklocation *location = location_at(m, id);

	assert(ns >= 0);
	if (!open_archive(m))
		return NULL;
	if (!location->writer)
		location->writer = OTF2_Archive_GetEvtWriter(m->archive, id);
	if (!location->writer)
		fail(m, "an event file");
	if (!m->events || ns < m->first_ns)
		m->first_ns = ns;
	if (ns > m->last_ns)
		m->last_ns = ns;
	location->events++;
	m->events++;
	return location->writer;
}

struct mktrace *mktrace_new(const char *dir, uint32_t ranks, struct err *err)
{
	struct mktrace *m;
	uint32_t r, *world;

	if (mkdir(dir, 0777) && errno != EEXIST) {
		err_set(err, "%s: cannot make the directory: %s", dir, strerror(errno));
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	world = calloc(ranks, sizeof(*world));
	if (!m || !world)
		abort();
	m->dir = strdup(dir);
	m->ranks = ranks;
	m->chunk_bytes = OTF2_CHUNK_SIZE_MIN;
	m->id_step = 1;
	m->hosts = calloc(ranks, sizeof(*m->hosts));
	mkarchive_string(m, "");
	for (r = 0; r < ranks; r++) {
		char name[32];

		snprintf(name, sizeof(name), "node%" PRIu32, r);
		mktrace_host(m, r, name, NULL);
		location_at(m, SCHEMA_LOCATION(r, 0));
		world[r] = r;
	}
	mktrace_comm(m, "MPI_COMM_WORLD", ranks, world);
	free(world);
	return m;
}

void mktrace_chunk(struct mktrace *m, uint64_t bytes)
{
	assert(!m->archive);
	m->chunk_bytes = bytes;
}

void mktrace_new_sites(struct mktrace *m)
{
	m->site_attribute = NEW_SITE_ATTRIBUTE;
}

void mktrace_host(struct mktrace *m, uint32_t rank, const char *host, const char *boot_id)
{
	assert(rank < m->ranks);
	free(m->hosts[rank].name);
	free(m->hosts[rank].boot_id);
	m->hosts[rank].name = strdup(host);
	m->hosts[rank].boot_id = boot_id ? strdup(boot_id) : NULL;
}

void mktrace_cost(struct mktrace *m, uint32_t rank, struct rank_cost cost)
{
	assert(rank < m->ranks);
	m->hosts[rank].cost = cost;
}

uint32_t mktrace_comm(struct mktrace *m, const char *name, uint32_t n, const uint32_t *members)
{
	struct mkcomm *comm;

	m->comms = grown(m->comms, m->n_comms, sizeof(*m->comms));
	comm = &m->comms[m->n_comms];
	*comm = (struct mkcomm){.name = strdup(name), .n = n};
	if (members) {
		comm->members = calloc(n, sizeof(*comm->members));
		memcpy(comm->members, members, n * sizeof(*comm->members));
	}
	return m->n_comms++;
}

uint32_t mktrace_comm_self(struct mktrace *m)
{
	return mktrace_comm(m, "MPI_COMM_SELF", 1, NULL);
}

uint32_t mktrace_window(struct mktrace *m, uint32_t comm)
{
	m->windows = grown(m->windows, m->n_windows, sizeof(*m->windows));
	m->windows[m->n_windows] = comm;
	return m->n_windows++;
}

void mktrace_sparse(struct mktrace *m, uint32_t base, uint32_t step)
{
	m->id_base = base;
	m->id_step = step;
}

uint32_t mkarchive_id(const struct mktrace *m, uint32_t i)
{
	return m->id_base + m->id_step * i;
}

void mktrace_clock_offset(struct mktrace *m, uint64_t location, int64_t at_ns, int64_t offset_ns)
{
	struct mklocation *l = location_at(m, location);

	assert(l->n_offsets < 2);
	l->offset_at_ns[l->n_offsets] = at_ns;
	l->offset_ns[l->n_offsets++] = offset_ns;
}

static void enter(struct mktrace *m, uint64_t location, int64_t ns, const char *function,
		  const char *site, struct flood flood)
{
	uint32_t region = name_id(&m->regions, &m->n_regions, function);
	OTF2_EvtWriter *w = writer_at(m, location, ns);

	if (!w)
		return;
	if (site)
		OTF2_AttributeList_AddStringRef(m->attributes, m->site_attribute,
						mkarchive_string(m, site));
	mkarchive_number(m, POLLS_ATTRIBUTE, flood.polls);
	mkarchive_number(m, POLLED_NS_ATTRIBUTE, (uint64_t)flood.inside_ns);
	mkarchive_check(
		m, OTF2_EvtWriter_Enter(w, m->attributes, (uint64_t)ns, mkarchive_id(m, region)),
		"an event");
}

void mktrace_enter(struct mktrace *m, uint64_t location, int64_t ns, const char *function,
		   const char *site)
{
	enter(m, location, ns, function, site, (struct flood){0});
}

void mktrace_enter_flood(struct mktrace *m, uint64_t location, int64_t ns, const char *function,
			 struct flood flood)
{
	enter(m, location, ns, function, NULL, flood);
}

void mktrace_leave(struct mktrace *m, uint64_t location, int64_t ns, const char *function)
{
	uint32_t region = name_id(&m->regions, &m->n_regions, function);
	OTF2_EvtWriter *w = writer_at(m, location, ns);

	if (w)
		mkarchive_check(
			m, OTF2_EvtWriter_Leave(w, NULL, (uint64_t)ns, mkarchive_id(m, region)),
			"an event");
}

void mktrace_op(struct mktrace *m, uint64_t location, int64_t ns, const struct mkop *op)
{
	OTF2_EvtWriter *w = writer_at(m, location, ns);

	if (w)
		mkarchive_check(m, mkarchive_op(m, w, (uint64_t)ns, op), "an event");
}

static int starts_something(enum op_kind kind)
{
	return kind == OP_SEND || kind == OP_ISEND || kind == OP_IRECV || kind == OP_NBC_POST;
}

void mktrace_call(struct mktrace *m, uint64_t location, struct mkspan when, const char *function,
		  const char *site, uint32_t n, const struct mkop ops[n])
{
	uint32_t i;

	mktrace_enter(m, location, when.enter_ns, function, site);
	for (i = 0; i < n; i++) {
		if (starts_something(ops[i].kind))
			mktrace_op(m, location, when.enter_ns, &ops[i]);
	}
	for (i = 0; i < n; i++) {
		if (!starts_something(ops[i].kind))
			mktrace_op(m, location, when.leave_ns, &ops[i]);
	}
	mktrace_leave(m, location, when.leave_ns, function);
}

void mktrace_reading(struct mktrace *m, uint64_t location, int64_t ns, const char *counter,
		     uint64_t value)
{
	OTF2_EvtWriter *w = writer_at(m, location, ns);
	OTF2_MetricValue values = {.unsigned_int = value};
	OTF2_Type type = OTF2_TYPE_UINT64;

	mkarchive_string(m, counter);
	if (w)
		mkarchive_check(
			m,
			OTF2_EvtWriter_Metric(w, NULL, (uint64_t)ns,
					      name_id(&m->counters, &m->n_counters, counter), 1,
					      &type, &values),
			"an event");
}

uint64_t mktrace_events(const struct mktrace *m)
{
	return m->events;
}

int mktrace_close(struct mktrace *m, struct err *err)
{
	uint32_t i;
	int failed;

	if (open_archive(m)) {
		mkarchive_check(m, OTF2_Archive_CloseEvtFiles(m->archive), "event files");
		mkarchive_define(m);
		mkarchive_check(m, OTF2_Archive_Close(m->archive), "the archive");
		OTF2_AttributeList_Delete(m->attributes);
	}
	failed = m->failed;
	if (failed)
		*err = m->err;
	for (i = 0; i < m->n_comms; i++) {
		free(m->comms[i].name);
		free(m->comms[i].members);
	}
	for (i = 0; i < m->ranks; i++) {
		free(m->hosts[i].name);
		free(m->hosts[i].boot_id);
	}
	for (i = 0; i < m->n_strings; i++)
		free(m->strings[i]);
	for (i = 0; i < m->n_counters; i++)
		free(m->counters[i]);
	free(m->counters);
	for (i = 0; i < m->n_regions; i++)
		free(m->regions[i]);
	free(m->comms);
	free(m->windows);
	free(m->hosts);
	free(m->strings);
	free(m->regions);
	free(m->locations);
	free(m->dir);
	free(m);
	return failed ? -1 : 0;
}
