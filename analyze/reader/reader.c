/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader.h"

#include "analyze/reader/evtcheck.h"
#include "analyze/reader/reader_files.h"
#include "analyze/reader/reader_hands.h"
#include "analyze/tools/find_first.h"
#include "common/schema.h"

#include <otf2/OTF2_Pthread_Locks.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* OTF2 reports on stderr unless it is given this: keep a thread's first complaint for its error. */
static OTF2_ErrorCode on_otf2_error(void *data, const char *file, uint64_t line,
				    const char *function, OTF2_ErrorCode code, const char *format,
				    va_list args)
{
	const struct load *l = data;
	char *said = l ? pthread_getspecific(l->saying) : NULL;

	(void)file, (void)line, (void)function;
	if (said && !*said) {
		vsnprintf(said, LOAD_SAID, format ? format : "", args);
		if (!*said)
			snprintf(said, LOAD_SAID, "%s", OTF2_Error_GetDescription(code));
	}
	return code;
}

/* Open the archive and read its global definitions. */
static int open_archive(struct load *l, uint64_t *event_chunk, uint64_t *def_chunk)
{
	char path[PATH_MAX];
	struct evtcheck whole;

	if (evtcheck_anchor(l->anchor, l->err))
		return -1;
	l->otf2 = OTF2_Reader_Open(l->anchor);
	if (!l->otf2 || OTF2_Pthread_Reader_SetLockingCallbacks(l->otf2, NULL) != OTF2_SUCCESS ||
	    OTF2_Reader_SetSerialCollectiveCallbacks(l->otf2) != OTF2_SUCCESS ||
	    OTF2_Reader_GetChunkSize(l->otf2, event_chunk, def_chunk) != OTF2_SUCCESS)
		return err_set(l->err, "%s: not an OTF2 archive, or a damaged one (%s)", l->anchor,
			       l->otf2_said);
	if (OTF2_Reader_GetCreator(l->otf2, &l->trace.creator) != OTF2_SUCCESS)
		l->trace.creator = NULL;
	l->trace.dated = l->trace.creator &&
			 !strncmp(l->trace.creator, SCHEMA_CREATOR, strlen(SCHEMA_CREATOR));
	if (load_file(l, path, ".def", 0) ||
	    evtcheck_file(path, EVTCHECK_DEFINITIONS, *def_chunk, &whole, l->err))
		return -1;
	if (load_definitions(l, whole.records))
		return -1;
	l->trace.tick_ns = 1e9 / (double)l->defs.ticks_per_s;
	return 0;
}

/* Local definitions: id mappings and clock offsets, which OTF2 then applies by itself. */
static int read_local(struct load *l, struct def_location *location, uint64_t chunk_bytes)
{
	char path[PATH_MAX];
	struct evtcheck *own = &location->own;
	OTF2_DefReader *reader;
	OTF2_ErrorCode code;
	uint64_t n;

	if (load_file(l, path, "/%" PRIu64 ".def", location->id))
		return -1;
	if (evtcheck_file(path, EVTCHECK_DEFINITIONS, chunk_bytes, own, l->err))
		return own->end == EVTCHECK_OTHER ? -1 : 0;
	if (!own->records) /* OTF2 would clear megabytes first */
		return 0;
	reader = OTF2_Reader_GetDefReader(l->otf2, location->id);
	if (!reader)
		return err_set(l->err, "%s: cannot be read (%s)", path, l->otf2_said);
	code = OTF2_Reader_ReadLocalDefinitions(l->otf2, reader, own->records, &n);
	OTF2_Reader_CloseDefReader(l->otf2, reader);
	if (code != OTF2_SUCCESS)
		return err_set(l->err, "%s: cannot be read (%s): damaged archive", path,
			       l->otf2_said);
	return 0;
}

static int read_all_local(struct load *l, uint64_t chunk_bytes)
{
	const struct defs *d = &l->defs;
	size_t i;

	for (i = 0; i < d->n_locations; i++) {
		if (d->locations[i].rank != TRACE_NONE)
			OTF2_Reader_SelectLocation(l->otf2, d->locations[i].id);
	}
	if (OTF2_Reader_OpenDefFiles(l->otf2) != OTF2_SUCCESS)
		return 0; /* an archive may have none */
	for (i = 0; i < d->n_locations; i++) {
		if (d->locations[i].rank != TRACE_NONE &&
		    read_local(l, &d->locations[i], chunk_bytes))
			return -1;
	}
	OTF2_Reader_CloseDefFiles(l->otf2);
	load_judge_definitions(l);
	return 0;
}

/* Events of one location, and how far they extend its rank's time. */
static int read_location(struct load *l, const struct def_location *location, uint64_t chunk_bytes)
{
	struct rank *rank = &l->trace.ranks[location->rank];
	struct evtcheck whole;
	int any = rank->begin_ns < rank->end_ns || rank->calls || rank->ops;

	if (load_check_events(l, location, chunk_bytes, &whole))
		return -1;
	*l->otf2_said = 0;
	if (!whole.records)
		return 0;
	if (load_events(l, location, &whole))
		return -1;
	load_note_cut(l, location, &whole);
	if (!l->at.events)
		return 0;
	if (!any || l->at.begin_ns < rank->begin_ns)
		rank->begin_ns = l->at.begin_ns;
	if (!any || l->at.last_ns > rank->end_ns)
		rank->end_ns = l->at.last_ns;
	if (rank->begin_ns < l->first_ns)
		l->first_ns = rank->begin_ns;
	if (rank->end_ns > l->last_ns)
		l->last_ns = rank->end_ns;
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct def_location *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* All locations of a rank, which are next to each other. */
static int read_rank(struct load *l, uint32_t r, uint64_t chunk_bytes)
{
	const struct defs *d = &l->defs;
	struct rank *rank = &l->trace.ranks[r];
	size_t at = 0;

	FIND_FIRST(at, d->n_locations, d->locations[at].rank >= r);
	for (; at < d->n_locations && d->locations[at].rank == r; at++) {
		if (read_location(l, &d->locations[at], chunk_bytes))
			return -1;
		rank->calls = l->trace.n_calls;
		rank->ops = l->trace.n_ops;
	}
	return load_rank(l, r);
}

static int read_events(struct load *l, uint64_t chunk_bytes)
{
	struct defs *d = &l->defs;
	struct trace *t = &l->trace;

	if (OTF2_Reader_OpenEvtFiles(l->otf2) != OTF2_SUCCESS)
		return err_set(l->err, "%s: its event files cannot be opened (%s)", l->anchor,
			       l->otf2_said);
	if (d->n_locations)
		qsort(d->locations, d->n_locations, sizeof(*d->locations), by_rank);
	if (endpoints_init(&t->ends, t))
		return load_no_memory(l);
	l->first_ns = INT64_MAX;
	l->last_ns = INT64_MIN;
	if (t->n_ranks && load_by_hands(l, read_rank, chunk_bytes))
		return -1;
	OTF2_Reader_CloseEvtFiles(l->otf2);
	if (l->first_ns <= l->last_ns)
		return 0;
	l->first_ns = l->last_ns = 0; /* no event */
	return load_nothing_left(l, chunk_bytes);
}

static int read_all(struct load *l)
{
	uint64_t event_chunk, def_chunk;

	if (open_archive(l, &event_chunk, &def_chunk) || load_places(l) ||
	    read_all_local(l, def_chunk) || read_events(l, event_chunk))
		return -1;
	return load_finish(l);
}

/* The files of one location, without taking in what they hold. */
static int check_location(struct load *l, const struct def_location *location, uint64_t event_chunk,
			  uint64_t def_chunk)
{
	char path[PATH_MAX];
	struct evtcheck whole;

	if (load_file(l, path, "/%" PRIu64 ".def", location->id))
		return -1;
	if (!access(path, F_OK) &&
	    evtcheck_file(path, EVTCHECK_DEFINITIONS, def_chunk, &whole, l->err))
		return -1;
	if (load_file(l, path, "/%" PRIu64 ".evt", location->id))
		return -1;
	if (!location->events && access(path, F_OK))
		return 0;
	return evtcheck_file(path, EVTCHECK_EVENTS, event_chunk, &whole, l->err);
}

static int check_all(struct load *l)
{
	uint64_t event_chunk, def_chunk;
	size_t i;

	if (open_archive(l, &event_chunk, &def_chunk) || load_places(l) || load_find_files(l))
		return -1;
	for (i = 0; i < l->defs.n_locations; i++)
		if (l->defs.locations[i].rank != TRACE_NONE &&
		    check_location(l, &l->defs.locations[i], event_chunk, def_chunk))
			return -1;
	return 0;
}

/* Open the archive at path for what is to be done with it; out may be NULL. */
static int with_archive(const char *path, int (*what)(struct load *), struct trace *out,
			struct err *err)
{
	struct load l = {.err = err};
	char *anchor = load_anchor(path, err);
	OTF2_ErrorCallback said_before;
	int ret;

	if (!anchor)
		return -1;
	l.anchor = anchor;
	if (pthread_key_create(&l.saying, NULL)) {
		free(anchor);
		return err_set(err, "%s: no thread can have anything of its own", path);
	}
	pthread_setspecific(l.saying, l.otf2_said);
	said_before = OTF2_Error_RegisterCallback(on_otf2_error, &l);
	ret = what(&l);
	if (l.otf2)
		OTF2_Reader_Close(l.otf2);
	OTF2_Error_RegisterCallback(said_before, NULL);
	pthread_key_delete(l.saying);
	l.trace.anchor = anchor;
	if (ret || !out)
		trace_release(&l.trace);
	else
		*out = l.trace;
	reader_defs_release(&l.defs);
	free(l.region_of);
	load_release(&l);
	return ret;
}

int trace_read(const char *path, struct trace *out, struct err *err)
{
	return with_archive(path, read_all, out, err);
}

int trace_is_of_calls(const struct trace *t, struct err *err)
{
	if (t->n_calls)
		return 0;
	if (!t->n_ranks)
		return err_set(err, "%s: no MPI process in it: not the trace of an MPI program",
			       t->anchor);
	if (t->records)
		return err_set(err,
			       "%s: %" PRIu64 " records of communication, but no MPI call around "
			       "them: how long anybody waited is not in it",
			       t->anchor, t->records);
	return err_set(err, "%s: no MPI call in it: nothing to analyze", t->anchor);
}

int trace_check(const char *path, struct err *err)
{
	return with_archive(path, check_all, NULL, err);
}
