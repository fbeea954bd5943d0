/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_memory.h"

#include <stdlib.h>

/* One chunk, and those of its buffer before it. */
struct chunk {
	struct chunk *before;
	unsigned number;
	unsigned pad;
	char bytes[];
};

/* NULL: OTF2 writes the buffer into its file, gives its chunks back and asks again. */
static void *get_chunk(void *user, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
		       uint64_t bytes)
{
	struct chunk *last = *buffer, *c;

	(void)user;
	(void)location;
	if (type == OTF2_FILETYPE_EVENTS && last && last->number >= ARCHIVE_CHUNKS)
		return NULL;
	c = malloc(sizeof(*c) + bytes);
	if (!c)
		return NULL;
	c->before = last;
	c->number = last ? last->number + 1 : 1;
	*buffer = c;
	return c->bytes;
}

static void free_chunks(void *user, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
			bool final)
{
	struct chunk *c = *buffer, *before;

	(void)user;
	(void)type;
	(void)location;
	(void) final;
	for (; c; c = before) {
		before = c->before;
		free(c);
	}
	*buffer = NULL;
}

OTF2_ErrorCode archive_memory_set(OTF2_Archive *archive)
{
	static const OTF2_MemoryCallbacks callbacks = {get_chunk, free_chunks};

	return OTF2_Archive_SetMemoryCallbacks(archive, &callbacks, NULL);
}
