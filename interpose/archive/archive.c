/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_writer.h"

#include <stdlib.h>
#include <string.h>

#include "common/schema.h"
#include "interpose/archive/archive_defs.h"
#include "interpose/archive/archive_memory.h"
#include "interpose/archive/archive_mpi.h"
#include "interpose/archive/archive_names.h"

#define MEMBER_BYTES 16 /* of a rank in the record of a group, at most */

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

/* A chunk has room for the record of a group of all. */
static uint64_t definitions_chunk(uint32_t ranks)
{
	uint64_t bytes = OTF2_CHUNK_SIZE_MIN;

	while (bytes < (uint64_t)ranks * MEMBER_BYTES && bytes < OTF2_CHUNK_SIZE_MAX)
		bytes *= 2;
	return bytes;
}

/*
 * The chunks are as small as they may be: whoever reads an archive has OTF2 make and clear one for
 * each file, which is most of the time for a short run.
 */
struct archive *archive_open(const char *dir, uint32_t ranks, void *mpi, struct err *err)
{
	static const OTF2_FlushCallbacks flush = {pre_flush, NULL}; /* no records of flushes */
	struct archive *a = calloc(1, sizeof(*a));
	OTF2_ErrorCode events, defs;

	if (!a) {
		err_set(err, "out of memory for the archive");
		return NULL;
	}
	OTF2_Error_RegisterCallback(remember_error, a);
	a->attributes = OTF2_AttributeList_New();
	a->otf2 = OTF2_Archive_Open(dir, SCHEMA_ARCHIVE, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
				    definitions_chunk(ranks), OTF2_SUBSTRATE_POSIX,
				    OTF2_COMPRESSION_NONE);
	if (!a->otf2 || !a->attributes) {
		err_set(err, "cannot open an OTF2 archive in %s: %s", dir, a->why);
		goto fail;
	}
	OTF2_Archive_SetFlushCallbacks(a->otf2, &flush, NULL);
	archive_memory_set(a->otf2);
	OTF2_Archive_SetCreator(a->otf2, SCHEMA_CREATOR " " CONTEND_VERSION);
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
	struct archive_region regions[ARCHIVE_CALLS];
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a->otf2);
	size_t i;

	if (!w)
		return err_set(err, "cannot write definitions: %s", a->why);
	for (i = 0; i < ARCHIVE_CALLS; i++)
		regions[i] = (struct archive_region){archive_call_name((uint32_t)i),
						     archive_call_role((uint32_t)i)};
	if (archive_defs_write(w, d, ARCHIVE_CALLS, regions, n, locations) || a->failed)
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
