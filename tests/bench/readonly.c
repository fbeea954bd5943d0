/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * readonly ANCHOR: read every event of an archive through OTF2's local readers and do nothing
 * with it, as fast as that goes: the floor for any analysis. Prints the number of events.
 */
#include <otf2/otf2.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct locations {
	uint64_t *id;
	size_t n, cap;
};

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t events,
				     OTF2_LocationGroupRef group)
{
	struct locations *l = data;

	(void)name, (void)type, (void)events, (void)group;
	if (l->n == l->cap) {
		l->cap = 2 * l->cap + 64;
		l->id = realloc(l->id, l->cap * sizeof(*l->id));
		if (!l->id)
			return OTF2_CALLBACK_ERROR;
	}
	l->id[l->n++] = self;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
				  void *data, OTF2_AttributeList *list, OTF2_RegionRef region)
{
	(void)location, (void)position, (void)list, (void)region;
	*(uint64_t *)data ^= time;
	return OTF2_CALLBACK_SUCCESS;
}

static int read_definitions(OTF2_Reader *reader, struct locations *l)
{
	OTF2_GlobalDefReader *defs = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t n;
	int bad;

	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, on_location);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, defs, calls, l);
	OTF2_GlobalDefReaderCallbacks_Delete(calls);
	bad = OTF2_Reader_ReadAllGlobalDefinitions(reader, defs, &n) != OTF2_SUCCESS;
	OTF2_Reader_CloseGlobalDefReader(reader, defs);
	return bad;
}

/* The location's own definitions (clock offsets) apply to its events. */
static uint64_t read_location(OTF2_Reader *reader, uint64_t id, OTF2_EvtReaderCallbacks *calls)
{
	OTF2_DefReader *defs = OTF2_Reader_GetDefReader(reader, id);
	OTF2_EvtReader *events;
	uint64_t n = 0, times = 0;

	if (defs) {
		OTF2_Reader_ReadAllLocalDefinitions(reader, defs, &n);
		OTF2_Reader_CloseDefReader(reader, defs);
	}
	n = 0;
	events = OTF2_Reader_GetEvtReader(reader, id);
	if (!events)
		return 0;
	OTF2_Reader_RegisterEvtCallbacks(reader, events, calls, &times);
	OTF2_Reader_ReadAllLocalEvents(reader, events, &n);
	OTF2_Reader_CloseEvtReader(reader, events);
	return n;
}

int main(int argc, char **argv)
{
	OTF2_Reader *reader = argc == 2 ? OTF2_Reader_Open(argv[1]) : NULL;
	OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
	struct locations l = {0};
	uint64_t events = 0;

	if (!reader || OTF2_Reader_SetSerialCollectiveCallbacks(reader) != OTF2_SUCCESS ||
	    read_definitions(reader, &l)) {
		fprintf(stderr, "usage: readonly ANCHOR.otf2\n");
		return 2;
	}
	OTF2_EvtReaderCallbacks_SetEnterCallback(calls, on_enter);
	for (size_t i = 0; i < l.n; i++)
		OTF2_Reader_SelectLocation(reader, l.id[i]);
	OTF2_Reader_OpenDefFiles(reader);
	OTF2_Reader_OpenEvtFiles(reader);
	for (size_t i = 0; i < l.n; i++)
		events += read_location(reader, l.id[i], calls);
	printf("%" PRIu64 "\n", events);
	OTF2_EvtReaderCallbacks_Delete(calls);
	OTF2_Reader_Close(reader);
	free(l.id);
	return 0;
}
