/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mkdialect DIR DIALECT: archives in which something is not there that Score-P's have (mkforeign):
 *
 * bare        only the records of messages and collectives, no regions around them
 * translated  from another format: microseconds, no communicator, no tree of hosts, one record for
 * a
 *             message at either end, whatever call it was, threads' ids task << 16 | thread
 * beside      the same, and records are before or after their calls, at the same time
 * begun       requests begin, and that they end is not recorded (EZTrace 2)
 * functions   functions only, with their arguments, as "MPI_Send()": neither messages nor
 * collectives contexts    MPI's functions as calling contexts, with samples between them threads
 * no MPI at all: threads of 4 processes and their functions device      one stream of an
 * accelerator, no process empty       4 processes without an event
 * untold      whether its groups of ranks are MPI's
 *
 * 4 ranks on one host. Each of ROUNDS rounds: Irecv from and Isend to a neighbour, Waitall,
 * Allreduce.
 */
#include "tests/traces/mkchecked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS  4
#define ROUNDS 25
#define BYTES  1000
#define BEGIN  UINT64_C(5000000)

enum { NAME_NONE, NAME_HOST, NAME_NODE, NAME_WORLD, NAMES };
enum region { MAIN, INIT, IRECV, ISEND, WAITALL, ALLREDUCE, FINALIZE, REGIONS };

static const char *const names[NAMES] = {"", "n0417", "node", "MPI_COMM_WORLD"};
static const char *const functions[REGIONS] = {
	"main",        "MPI_Init",      "MPI_Irecv",    "MPI_Isend",
	"MPI_Waitall", "MPI_Allreduce", "MPI_Finalize",
};

static const struct dialect {
	const char *name;
	uint64_t us; /* ticks in a microsecond */
	int shift;   /* of a rank in its location's id */
	enum { REGIONS_NONE, REGIONS_PLAIN, REGIONS_CALLS, REGIONS_CONTEXTS } regions;
	enum {
		RECORDS_NONE,
		RECORDS_REQUESTS,
		RECORDS_BEGUN,
		RECORDS_BLOCKING,
		RECORDS_BESIDE
	} records;
	int has_tree, has_comm, has_events;
	OTF2_LocationGroupType group;
	OTF2_LocationType location;
	int is_untold; /* that groups are MPI's */
} dialects[] = {
	{"bare", 1000, 0, REGIONS_NONE, RECORDS_REQUESTS, 1, 1, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS,
	 OTF2_LOCATION_TYPE_CPU_THREAD, 0},
	{"translated", 1, 16, REGIONS_PLAIN, RECORDS_BLOCKING, 0, 0, 1,
	 OTF2_LOCATION_GROUP_TYPE_PROCESS, OTF2_LOCATION_TYPE_CPU_THREAD, 0},
	{"beside", 1, 16, REGIONS_PLAIN, RECORDS_BESIDE, 0, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS,
	 OTF2_LOCATION_TYPE_CPU_THREAD, 0},
	{"begun", 1000, 0, REGIONS_PLAIN, RECORDS_BEGUN, 1, 1, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS,
	 OTF2_LOCATION_TYPE_CPU_THREAD, 0},
	{"functions", 1, 7, REGIONS_CALLS, RECORDS_NONE, 1, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS,
	 OTF2_LOCATION_TYPE_CPU_THREAD, 0},
	{"contexts", 1000, 0, REGIONS_CONTEXTS, RECORDS_REQUESTS, 1, 1, 1,
	 OTF2_LOCATION_GROUP_TYPE_PROCESS, OTF2_LOCATION_TYPE_CPU_THREAD, 0},
	{"untold", 1000, 0, REGIONS_PLAIN, RECORDS_REQUESTS, 1, 1, 1,
	 OTF2_LOCATION_GROUP_TYPE_PROCESS, OTF2_LOCATION_TYPE_CPU_THREAD, 1},
	{"threads", 1000, 0, REGIONS_NONE, RECORDS_NONE, 1, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS,
	 OTF2_LOCATION_TYPE_CPU_THREAD, 0},
	{"device", 1000, 0, REGIONS_NONE, RECORDS_NONE, 1, 0, 0,
	 OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 0},
	{"empty", 1000, 0, REGIONS_NONE, RECORDS_NONE, 1, 1, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS,
	 OTF2_LOCATION_TYPE_CPU_THREAD, 0},
};

static const struct dialect *is;
static OTF2_Archive *archive;

static uint64_t location_of(uint32_t rank)
{
	return ((uint64_t)rank << is->shift) + (is->shift == 16);
}

/* A rank at work. */
struct rank {
	OTF2_EvtWriter *w;
	uint64_t now;
	uint64_t requests;
	uint32_t rank;
};

#define EVENT(r, us_later, what, ...) \
	must(OTF2_EvtWriter_##what((r)->w, NULL, (r)->now += (us_later)*is->us, ##__VA_ARGS__))

static void enter(struct rank *r, enum region region)
{
	if (is->regions == REGIONS_CONTEXTS) {
		EVENT(r, 1, CallingContextSample, MAIN, 1, 0);
		EVENT(r, 1, CallingContextEnter, region, 1);
	} else if (is->regions || (region == MAIN && !is->records)) {
		EVENT(r, 2, Enter, region);
	}
}

static void leave(struct rank *r, enum region region)
{
	if (is->regions == REGIONS_CONTEXTS)
		EVENT(r, 1, CallingContextLeave, region);
	else if (is->regions || (region == MAIN && !is->records))
		EVENT(r, 1, Leave, region);
}

/* A call whose records have its times, but are before its begin or after its end. */
static void ring_beside(struct rank *r)
{
	uint32_t next = (r->rank + 1) % RANKS, before = (r->rank + RANKS - 1) % RANKS;

	enter(r, IRECV);
	leave(r, IRECV);
	EVENT(r, 2, MpiSend, next, OTF2_UNDEFINED_COMM, 7, BYTES);
	EVENT(r, 0, Enter, ISEND);
	leave(r, ISEND);
	enter(r, WAITALL);
	EVENT(r, 41, Leave, WAITALL);
	EVENT(r, 0, MpiRecv, before, OTF2_UNDEFINED_COMM, 7, BYTES);
	enter(r, ALLREDUCE);
	EVENT(r, 51, Leave, ALLREDUCE);
	EVENT(r, 0, MpiCollectiveEnd, OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_UNDEFINED_COMM,
	      OTF2_UNDEFINED_UINT32, 8, 8);
}

static void ring(struct rank *r)
{
	OTF2_CommRef comm = is->has_comm ? 0 : OTF2_UNDEFINED_COMM;
	uint32_t next = (r->rank + 1) % RANKS, before = (r->rank + RANKS - 1) % RANKS;
	uint64_t receive = ++r->requests, send = ++r->requests;
	int begun = is->records == RECORDS_REQUESTS || is->records == RECORDS_BEGUN;

	enter(r, IRECV);
	if (begun)
		EVENT(r, 0, MpiIrecvRequest, receive);
	leave(r, IRECV);
	enter(r, ISEND);
	if (begun)
		EVENT(r, 0, MpiIsend, next, comm, 7, BYTES, send);
	else if (is->records)
		EVENT(r, 0, MpiSend, next, comm, 7, BYTES);
	leave(r, ISEND);
	enter(r, WAITALL);
	if (is->records == RECORDS_REQUESTS) {
		EVENT(r, 40, MpiIrecv, before, comm, 7, BYTES, receive);
		EVENT(r, 0, MpiIsendComplete, send);
	} else if (is->records && !begun) {
		EVENT(r, 40, MpiRecv, before, comm, 7, BYTES);
	}
	leave(r, WAITALL);
}

static void gather(struct rank *r)
{
	OTF2_CommRef comm = is->has_comm ? 0 : OTF2_UNDEFINED_COMM;

	enter(r, ALLREDUCE);
	if (is->records) {
		EVENT(r, 0, MpiCollectiveBegin);
		EVENT(r, 50, MpiCollectiveEnd, OTF2_COLLECTIVE_OP_ALLREDUCE, comm,
		      OTF2_UNDEFINED_UINT32, 8, 8);
	}
	leave(r, ALLREDUCE);
}

static void play(uint32_t rank)
{
	struct rank r = {OTF2_Archive_GetEvtWriter(archive, location_of(rank)), BEGIN, 0, rank};

	if (is->has_events) {
		enter(&r, MAIN);
		enter(&r, INIT);
		r.now += 500 * is->us;
		leave(&r, INIT);
		for (int round = 0; round < ROUNDS; round++) {
			r.now += 100 * is->us;
			if (is->records == RECORDS_BESIDE) {
				ring_beside(&r);
				continue;
			}
			ring(&r);
			gather(&r);
		}
		enter(&r, FINALIZE);
		leave(&r, FINALIZE);
		leave(&r, MAIN);
	}
	must(OTF2_Archive_CloseEvtWriter(archive, r.w));
}

#define DEFINE(what, ...) must(OTF2_GlobalDefWriter_Write##what(w, __VA_ARGS__))

static void define_regions(OTF2_GlobalDefWriter *w)
{
	char name[64];

	for (enum region k = 0; k < REGIONS; k++) {
		snprintf(name, sizeof(name), "%s%s", functions[k],
			 is->regions != REGIONS_CALLS ? ""
			 : k == MAIN                  ? " [{main.c} {3,1}-{40,1}]"
						      : "()");
		DEFINE(String, NAMES + k, name);
		DEFINE(Region, k, NAMES + k, NAMES + k, NAME_NONE, OTF2_REGION_ROLE_FUNCTION,
		       OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, NAME_NONE, 0, 0);
		if (is->regions == REGIONS_CONTEXTS)
			DEFINE(CallingContext, k, k, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
			       k == MAIN ? OTF2_UNDEFINED_CALLING_CONTEXT : MAIN);
	}
	if (is->regions == REGIONS_CONTEXTS)
		DEFINE(InterruptGenerator, 0, NAME_NONE, OTF2_INTERRUPT_GENERATOR_MODE_TIME,
		       OTF2_BASE_DECIMAL, -6, 10000);
}

static void define_world(OTF2_GlobalDefWriter *w)
{
	OTF2_Paradigm paradigm = is->is_untold ? OTF2_PARADIGM_UNKNOWN : OTF2_PARADIGM_MPI;
	uint64_t places[RANKS], ranks[RANKS];

	for (uint32_t r = 0; r < RANKS; r++) {
		places[r] = location_of(r);
		ranks[r] = r;
	}
	DEFINE(Group, 0, NAME_NONE, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, OTF2_GROUP_FLAG_NONE,
	       RANKS, places);
	DEFINE(Group, 1, NAME_NONE, OTF2_GROUP_TYPE_COMM_GROUP, paradigm, OTF2_GROUP_FLAG_NONE,
	       RANKS, ranks);
	DEFINE(Comm, 0, NAME_WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void define(void)
{
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(archive);

	DEFINE(ClockProperties, is->us * 1000000, BEGIN, 100000 * is->us, 0);
	for (int n = 0; n < NAMES; n++)
		DEFINE(String, (OTF2_StringRef)n, names[n]);
	define_regions(w);
	if (is->has_tree)
		DEFINE(SystemTreeNode, 0, NAME_HOST, NAME_NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t r = 0; r < RANKS; r++) {
		DEFINE(LocationGroup, r, NAME_NONE, is->group,
		       is->has_tree ? 0 : OTF2_UNDEFINED_SYSTEM_TREE_NODE,
		       OTF2_UNDEFINED_LOCATION_GROUP);
		DEFINE(Location, location_of(r), NAME_NONE, is->location, 0, r);
	}
	if (is->has_comm)
		define_world(w);
}

int main(int argc, char **argv)
{
	for (size_t k = 0; argc == 3 && k < sizeof(dialects) / sizeof(dialects[0]); k++)
		if (!strcmp(argv[2], dialects[k].name))
			is = &dialects[k];
	if (!is)
		return 2;
	archive = begin_archive(argv[1], is->regions == REGIONS_CALLS ? "TAU" : "");
	for (uint32_t r = 0; r < RANKS; r++)
		play(r);
	must(OTF2_Archive_CloseEvtFiles(archive));
	define();
	must(OTF2_Archive_Close(archive));
	return 0;
}
