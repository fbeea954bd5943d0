/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive.h"

#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "common/schema.h"
#include "interpose/archive_defs.h"
#include "interpose/archive_mpi.h"
#include "interpose/archive_names.h"
#include "interpose/ticks.h"

#define CHUNK_EVENTS (1024 * 1024)
#define CHUNK_DEFS   (4 * 1024 * 1024)

enum call_class {
#define ROW(name, role, op) CLASS_##name,
	CLASS_ROWS(ROW)
#undef ROW
};

static const struct {
	const char *name;
	enum call_class class;
} calls[] = {
#define CALL(name, class, params, args, before, after) {"MPI_" #name, CLASS_##class},
#define SPECIAL(name, class)                           {"MPI_" #name, CLASS_##class},
#include "interpose/calls.def"
#undef SPECIAL
#undef CALL
};

#define N_CALLS (sizeof(calls) / sizeof(calls[0]))

static const OTF2_CollectiveOp ops[] = {
#define ROW(name, role, op) [CLASS_##name] = OTF2_COLLECTIVE_OP_##op,
	CLASS_ROWS(ROW)
#undef ROW
};

static const OTF2_RegionRole roles[] = {
#define ROW(name, role, op) [CLASS_##name] = ROLE_##role,
	CLASS_ROWS(ROW)
#undef ROW
};

struct archive {
	OTF2_Archive *otf2;
	OTF2_AttributeList *attributes;
	int failed; /* OTF2 has refused something */
	char why[256];
};

/* One log while it is being written out. */
struct writer {
	OTF2_EvtWriter *evt;
	OTF2_DefWriter *def; /* an empty file: readers expect one */
	OTF2_AttributeList *attributes;
	const struct def_rank *rank;
	struct ticks_scale scale;
	int64_t last_ns; /* times never go back */
	int64_t end_ns;
	int failed;
	struct archive_location *out;
};

const char *archive_call_name(uint32_t call)
{
	return call < N_CALLS ? calls[call].name : "MPI";
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
				void *caller, bool final)
{
	(void)user;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
	(void)user;
	(void)type;
	(void)location;
	return 0;
}

/* OTF2 would print; we keep its first words instead. */
static OTF2_ErrorCode remember_error(void *user, const char *file, uint64_t line,
				     const char *function, OTF2_ErrorCode code, const char *format,
				     va_list args)
{
	struct archive *a = user;

	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)args;
	if (code != OTF2_SUCCESS && !a->failed) {
		a->failed = 1;
		strncpy(a->why, OTF2_Error_GetDescription(code), sizeof(a->why) - 1);
	}
	return code;
}

struct archive *archive_open(const char *dir, void *mpi, struct err *err)
{
	static const OTF2_FlushCallbacks flush = {pre_flush, post_flush};
	struct archive *a = calloc(1, sizeof(*a));
	OTF2_ErrorCode events, defs;

	if (!a) {
		err_set(err, "out of memory for the archive");
		return NULL;
	}
	OTF2_Error_RegisterCallback(remember_error, a);
	a->attributes = OTF2_AttributeList_New();
	a->otf2 = OTF2_Archive_Open(dir, SCHEMA_ARCHIVE, OTF2_FILEMODE_WRITE, CHUNK_EVENTS,
				    CHUNK_DEFS, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!a->otf2 || !a->attributes) {
		err_set(err, "cannot open an OTF2 archive in %s: %s", dir, a->why);
		goto fail;
	}
	OTF2_Archive_SetFlushCallbacks(a->otf2, &flush, NULL);
	OTF2_Archive_SetCreator(a->otf2, "contend " CONTEND_VERSION);
	if (mpi)
		archive_mpi_set(a->otf2, mpi);
	else
		OTF2_Archive_SetSerialCollectiveCallbacks(a->otf2);
	/* Both are collective: each is called whatever the other says. */
	events = OTF2_Archive_OpenEvtFiles(a->otf2);
	defs = OTF2_Archive_OpenDefFiles(a->otf2);
	if ((events == OTF2_SUCCESS && defs == OTF2_SUCCESS) || mpi)
		return a;
	err_set(err, "cannot write into %s: %s", dir, a->why);
	OTF2_Archive_Close(a->otf2);
fail:
	OTF2_Error_RegisterCallback(NULL, NULL);
	if (a->attributes)
		OTF2_AttributeList_Delete(a->attributes);
	free(a);
	return NULL;
}

/* Offset to the reference clock at a time, from the one or two measured. */
static int64_t clock_offset(const struct log_header *h, int64_t mono_ns)
{
	const struct log_offset *a = &h->offset[0], *b = &h->offset[1];

	if (h->n_offsets == 0)
		return 0;
	if (h->n_offsets == 1 || b->mono_ns <= a->mono_ns)
		return a->offset_ns;
	return a->offset_ns +
	       (int64_t)((double)(b->offset_ns - a->offset_ns) * (double)(mono_ns - a->mono_ns) /
			 (double)(b->mono_ns - a->mono_ns));
}

static int64_t to_ns(const struct ticks_scale *scale, const struct log_header *h, uint64_t tick)
{
	int64_t mono = ticks_to_ns(scale, tick);

	return mono + clock_offset(h, mono);
}

int64_t archive_log_end_ns(const struct log_view *v, const struct log_header *first)
{
	struct ticks_scale scale = ticks_scale_of(v->header);
	uint64_t last = v->header->anchor[1].tick;
	const struct record *r;
	size_t i = 0;

	while ((r = log_view_next(v, &i))) {
		if (RECORD_IS_DEF(r->kind) || (r->flags & RECORD_FLAG_PART))
			continue;
		if (r->enter > last)
			last = r->enter;
		if (r->leave > last)
			last = r->leave;
	}
	return to_ns(&scale, first, last);
}

/* The time of a tick in this log, not before the last one. */
static OTF2_TimeStamp stamp(struct writer *w, uint64_t tick)
{
	int64_t ns = tick ? to_ns(&w->scale, &w->rank->header, tick) : w->end_ns;

	if (ns < w->last_ns)
		ns = w->last_ns;
	w->last_ns = ns;
	return (OTF2_TimeStamp)ns;
}

static void check(struct writer *w, OTF2_ErrorCode rc)
{
	if (rc != OTF2_SUCCESS)
		w->failed = 1;
	else
		w->out->events++;
}

static OTF2_CommRef comm_ref(const struct writer *w, uint32_t local)
{
	return local < w->rank->n_comms ? w->rank->comms[local] : OTF2_UNDEFINED_COMM;
}

static uint32_t root_ref(int32_t root)
{
	/* MPI_ROOT and MPI_PROC_NULL differ between MPIs; both are negative. */
	return root < 0 ? OTF2_COLLECTIVE_ROOT_NONE : (uint32_t)root;
}

/* What happens at the beginning of a call: posts. */
static void write_post(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_CommRef comm = comm_ref(w, r->comm);
	uint32_t peer = (uint32_t)r->peer, tag = (uint32_t)r->tag;

	switch (r->kind) {
	case RECORD_SEND:
		check(w, OTF2_EvtWriter_MpiSend(w->evt, NULL, t, peer, comm, tag, r->bytes));
		break;
	case RECORD_ISEND:
		check(w, OTF2_EvtWriter_MpiIsend(w->evt, NULL, t, peer, comm, tag, r->bytes,
						 r->request));
		break;
	case RECORD_IRECV:
		check(w, OTF2_EvtWriter_MpiIrecvRequest(w->evt, NULL, t, r->request));
		break;
	case RECORD_COLL:
		check(w, OTF2_EvtWriter_MpiCollectiveBegin(w->evt, NULL, t));
		break;
	case RECORD_NBC:
		check(w, OTF2_EvtWriter_NonBlockingCollectiveRequest(w->evt, NULL, t, r->request));
		break;
	default:
		break;
	}
}

/* What happens at its end: completions. */
static void write_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_CommRef comm = comm_ref(w, r->comm);
	uint32_t peer = (uint32_t)r->peer, tag = (uint32_t)r->tag;

	switch (r->kind) {
	case RECORD_RECV:
		check(w, OTF2_EvtWriter_MpiRecv(w->evt, NULL, t, peer, comm, tag, r->bytes));
		break;
	case RECORD_SEND_DONE:
		check(w, OTF2_EvtWriter_MpiIsendComplete(w->evt, NULL, t, r->request));
		break;
	case RECORD_RECV_DONE:
		check(w, OTF2_EvtWriter_MpiIrecv(w->evt, NULL, t, peer, comm, tag, r->bytes,
						 r->request));
		break;
	case RECORD_TEST_FAILED:
		if (r->request)
			check(w, OTF2_EvtWriter_MpiRequestTest(w->evt, NULL, t, r->request));
		break;
	case RECORD_CANCELLED:
		check(w, OTF2_EvtWriter_MpiRequestCancelled(w->evt, NULL, t, r->request));
		break;
	case RECORD_COLL:
		check(w, OTF2_EvtWriter_MpiCollectiveEnd(w->evt, NULL, t, ops[calls[r->call].class],
							 comm, root_ref(r->peer), r->bytes,
							 r->bytes_in));
		break;
	case RECORD_NBC_DONE:
		check(w, OTF2_EvtWriter_NonBlockingCollectiveComplete(
				 w->evt, NULL, t, ops[calls[r->aux % N_CALLS].class], comm,
				 root_ref(r->peer), r->bytes, r->bytes_in, r->request));
		break;
	default:
		break;
	}
}

/* The parts of a call, from *i on, which are passed over in log order. */
static void write_parts(struct writer *w, const struct log_view *v, size_t i, OTF2_TimeStamp t,
			void (*write)(struct writer *, const struct record *, OTF2_TimeStamp))
{
	const struct record *r;

	while ((r = log_view_next(v, &i)) &&
	       (RECORD_IS_DEF(r->kind) || (r->flags & RECORD_FLAG_PART)))
		write(w, r, t);
}

/* One call: enter with its call site, posts, completions, leave. */
static void write_call(struct writer *w, const struct log_view *v, const struct record *at,
		       size_t next)
{
	const struct record copy = *at, *r = &copy; /* its parts may go on for several chunks */
	OTF2_TimeStamp t = stamp(w, r->enter);
	OTF2_AttributeValue value;

	if (!w->out->calls++)
		w->out->first_ns = (int64_t)t;
	if (r->site < w->rank->n_sites && w->rank->sites[r->site] != UINT32_MAX) {
		value.stringRef = ARCHIVE_SITE_STRING(w->rank->sites[r->site]);
		OTF2_AttributeList_AddAttribute(w->attributes, ARCHIVE_ATTR_SITE, OTF2_TYPE_STRING,
						value);
	}
	check(w, OTF2_EvtWriter_Enter(w->evt, w->attributes, t, r->call));
	write_post(w, r, t);
	write_parts(w, v, next, t, write_post);
	t = stamp(w, r->leave);
	if (r->leave || r->kind == RECORD_COLL)
		write_completion(w, r, t);
	write_parts(w, v, next, t, write_completion);
	check(w, OTF2_EvtWriter_Leave(w->evt, NULL, t, r->call));
	w->out->inside = r->leave ? 0 : 1u + r->call;
}

int archive_write_log(struct archive *a, const struct log_view *v, const struct def_rank *rank,
		      int64_t end_ns, struct archive_location *out, struct err *err)
{
	struct writer w = {.attributes = a->attributes,
			   .rank = rank,
			   .end_ns = end_ns,
			   .scale = ticks_scale_of(v->header),
			   .last_ns = INT64_MIN,
			   .out = out};
	const struct record *r;
	size_t i = 0;

	memset(out, 0, sizeof(*out));
	out->rank = v->header->rank;
	out->thread = v->header->thread;
	w.evt = OTF2_Archive_GetEvtWriter(a->otf2, SCHEMA_LOCATION(out->rank, out->thread));
	w.def = OTF2_Archive_GetDefWriter(a->otf2, SCHEMA_LOCATION(out->rank, out->thread));
	if (!w.evt || !w.def)
		return err_set(err, "cannot write events of rank %u: %s", out->rank, a->why);
	while (!w.failed && !a->failed && (r = log_view_next(v, &i)))
		if (!RECORD_IS_DEF(r->kind) && !(r->flags & RECORD_FLAG_PART) && r->call < N_CALLS)
			write_call(&w, v, r, i);
	out->last_ns = w.last_ns;
	if (!out->calls)
		out->first_ns = out->last_ns = end_ns;
	if (w.failed || a->failed || OTF2_Archive_CloseEvtWriter(a->otf2, w.evt) != OTF2_SUCCESS ||
	    OTF2_Archive_CloseDefWriter(a->otf2, w.def) != OTF2_SUCCESS || a->failed)
		return err_set(err, "cannot write events of rank %u: %s", out->rank, a->why);
	return 0;
}

int archive_events_done(struct archive *a, struct err *err)
{
	OTF2_ErrorCode events = OTF2_Archive_CloseEvtFiles(a->otf2);
	OTF2_ErrorCode defs = OTF2_Archive_CloseDefFiles(a->otf2);

	if (events != OTF2_SUCCESS || defs != OTF2_SUCCESS || a->failed)
		return err_set(err, "cannot finish the event files: %s", a->why);
	return 0;
}

int archive_write_definitions(struct archive *a, const struct defs *d, size_t n,
			      const struct archive_location locations[n], struct err *err)
{
	struct archive_region regions[N_CALLS];
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a->otf2);
	size_t i;

	if (!w)
		return err_set(err, "cannot write definitions: %s", a->why);
	for (i = 0; i < N_CALLS; i++)
		regions[i] = (struct archive_region){calls[i].name, roles[calls[i].class]};
	if (archive_defs_write(w, d, N_CALLS, regions, n, locations) || a->failed)
		return err_set(err, "cannot write definitions: %s", a->why);
	return 0;
}

void archive_abandon(struct archive *a)
{
	OTF2_Error_RegisterCallback(NULL, NULL);
	free(a);
}

int archive_close(struct archive *a, struct err *err)
{
	int ret = OTF2_Archive_Close(a->otf2) == OTF2_SUCCESS && !a->failed ? 0 : -1;

	if (ret)
		err_set(err, "cannot finish the archive: %s", a->why);
	OTF2_Error_RegisterCallback(NULL, NULL);
	OTF2_AttributeList_Delete(a->attributes);
	free(a);
	return ret;
}
