/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mkwords DIR WORDS: one run, in other words each time. Whatever resolution and origin its clock
 * has, in which order and with which ids its places are defined, how its communicators are, and
 * what else is between its records: the messages, and where the time went, are the same.
 *
 * plain    nanoseconds from the origin
 * fine     2^31 ticks a second; finest: 10^12
 * far      the clock, and so its origin, is beyond 2^62
 * early    the origin is after the run
 * places   locations defined backwards, with large ids; threads without events, with and without
 *          files; a device's streams; metrics
 * groups   communicators of locations instead of ranks, a group of one for MPI_COMM_SELF
 * nested   user's regions before and PMPI's inside of calls, parameters and metrics in between
 * locks    a lock is requested and acquired; operations are complete at the target, too
 * apart    each rank's clock has an origin of its own, as its location's definitions say
 * lost     the origin is 146 years before the run: no clock says so
 *
 * 4 ranks on 2 nodes. Times are multiples of 5^9 ns, which all these clocks can tell.
 */
#include "tests/traces/mkchecked.h"

#include <string.h>

#define RANKS  4
#define ROUNDS 20
#define BYTES  1000
#define UNIT   INT64_C(1953125)
#define NOW    (UINT64_C(1) << 62)

enum { NAME_NONE, NAME_A, NAME_B, NAME_NODE, NAME_WORLD, NAMES };
static const char *const names[NAMES] = {"", "n0417", "n0418", "node", "MPI_COMM_WORLD"};

enum region {
	MAIN,
	STEP,
	INIT,
	IRECV,
	ISEND,
	WAITALL,
	PWAITALL,
	SENDRECV,
	BCAST,
	ALLREDUCE,
	FENCE,
	LOCK,
	PUT,
	UNLOCK,
	FINALIZE,
	REGIONS
};
static const char *const functions[REGIONS] = {
	"main",          "step",         "MPI_Init",     "MPI_Irecv",      "MPI_Isend",
	"MPI_Waitall",   "PMPI_Waitall", "MPI_Sendrecv", "MPI_Bcast",      "MPI_Allreduce",
	"MPI_Win_fence", "MPI_Win_lock", "MPI_Put",      "MPI_Win_unlock", "MPI_Finalize",
};

enum { WORLD, TURNED, SELF, HALVES, COMMS };

static const struct words {
	const char *name;
	uint64_t ticks_per_s;
	uint64_t at;     /* tick of the run's begin */
	uint64_t origin; /* of the archive */
	int places, groups, nested, locks, apart;
} words[] = {
	{"plain", 1000000000, 5000, 5000, 0, 0, 0, 0, 0},
	{"fine", UINT64_C(1) << 31, 12345, 12345, 0, 0, 0, 0, 0},
	{"finest", UINT64_C(1000000000000), 12345, 12345, 0, 0, 0, 0, 0},
	{"far", UINT64_C(1) << 31, NOW + 77, NOW, 0, 0, 0, 0, 0},
	{"lost", 1000000000, NOW, 0, 0, 0, 0, 0, 0},
	{"early", 1000000000, 5000, UINT64_C(1000000000000000), 0, 0, 0, 0, 0},
	{"places", 1000000000, 5000, 5000, 1, 0, 0, 0, 0},
	{"groups", 1000000000, 5000, 5000, 0, 1, 0, 0, 0},
	{"nested", 1000000000, 5000, 5000, 0, 0, 1, 0, 0},
	{"locks", 1000000000, 5000, 5000, 0, 0, 0, 1, 0},
	{"apart", UINT64_C(1) << 31, NOW + 77, NOW, 0, 0, 0, 0, 1},
};

static const struct words *is;
static OTF2_Archive *archive;

static uint64_t location_of(uint32_t rank)
{
	return is->places ? UINT64_C(0xfffffff000000000) - ((uint64_t)rank << 33) : rank;
}

/* Its second thread; its process' device. */
#define THREAD(rank) (location_of(rank) + 1)
#define STREAM(rank) (location_of(rank) + 2)
#define METRIC(rank) (location_of(rank) + 3)

/* A rank at work. */
struct rank {
	OTF2_EvtWriter *w;
	int64_t units;
	uint64_t requests;
	uint32_t rank;
};

/* What is missing from its clock, in ticks. */
static uint64_t offset_of(uint32_t rank)
{
	return is->apart ? rank * UINT64_C(1000000007) : 0;
}

static uint64_t ticks_at(const struct rank *r)
{
	return is->at - offset_of(r->rank) +
	       (uint64_t)((unsigned __int128)(r->units * UNIT) * is->ticks_per_s / 1000000000);
}

#define EVENT(r, later, what, ...) \
	((r)->units += (later),    \
	 must(OTF2_EvtWriter_##what((r)->w, NULL, ticks_at(r), ##__VA_ARGS__)))

static void between(struct rank *r)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = (uint64_t)r->units};

	if (!is->nested)
		return;
	EVENT(r, 0, ParameterInt, 0, r->units);
	EVENT(r, 0, Metric, 0, 1, &type, &value);
}

static void enter(struct rank *r, enum region region)
{
	if (is->nested) {
		EVENT(r, 0, Enter, STEP);
		EVENT(r, 0, Leave, STEP);
	}
	between(r);
	EVENT(r, 1, Enter, region);
	between(r);
	if (is->nested && region == WAITALL)
		EVENT(r, 0, Enter, PWAITALL);
}

static void leave(struct rank *r, int64_t later, enum region region)
{
	between(r);
	if (is->nested && region == WAITALL)
		EVENT(r, 0, Leave, PWAITALL);
	EVENT(r, later, Leave, region);
}

static void ring(struct rank *r)
{
	uint32_t next = (r->rank + 1) % RANKS, before = (r->rank + RANKS - 1) % RANKS;
	uint64_t receive = ++r->requests, other = ++r->requests, send = ++r->requests;

	enter(r, IRECV);
	EVENT(r, 0, MpiIrecvRequest, receive);
	leave(r, 1, IRECV);
	enter(r, IRECV);
	EVENT(r, 0, MpiIrecvRequest, other);
	leave(r, 1, IRECV);
	enter(r, ISEND);
	EVENT(r, 0, MpiIsend, next, WORLD, 7, BYTES, send);
	leave(r, 1, ISEND);
	enter(r, WAITALL);
	EVENT(r, 8 + (int64_t)r->rank, MpiIrecv, before, WORLD, 7, BYTES, receive);
	EVENT(r, 0, MpiIsendComplete, send);
	EVENT(r, 0, MpiRequestTest, other);
	EVENT(r, 0, MpiRequestCancelled, other);
	leave(r, 3 - (int64_t)r->rank, WAITALL);
}

/* With the next rank where ranks count from the end; with itself; across the halves. */
static void sendrecv(struct rank *r, OTF2_CommRef comm, uint32_t to, uint32_t from)
{
	enter(r, SENDRECV);
	EVENT(r, 0, MpiSend, to, comm, 8 + comm, BYTES);
	EVENT(r, 6, MpiRecv, from, comm, 8 + comm, BYTES);
	leave(r, 1, SENDRECV);
}

static void gather(struct rank *r)
{
	enter(r, BCAST);
	EVENT(r, 0, MpiCollectiveBegin);
	EVENT(r, 4, MpiCollectiveEnd, OTF2_COLLECTIVE_OP_BCAST, TURNED, 1, r->rank == 2 ? 64 : 0,
	      64);
	leave(r, 0, BCAST);
	enter(r, ALLREDUCE);
	EVENT(r, 0, MpiCollectiveBegin);
	EVENT(r, 6, MpiCollectiveEnd, OTF2_COLLECTIVE_OP_ALLREDUCE, WORLD, OTF2_UNDEFINED_UINT32, 8,
	      8);
	leave(r, 0, ALLREDUCE);
}

static void fence(struct rank *r)
{
	enter(r, FENCE);
	EVENT(r, 0, RmaCollectiveBegin);
	EVENT(r, 5, RmaCollectiveEnd, OTF2_COLLECTIVE_OP_BARRIER,
	      OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY, 0, OTF2_UNDEFINED_UINT32, 0,
	      0);
	leave(r, 0, FENCE);
}

static void put(struct rank *r)
{
	enter(r, PUT);
	EVENT(r, 0, RmaPut, 0, 0, BYTES, ++r->requests);
	leave(r, 1, PUT);
}

/* Rank 0's window is locked by 1, then by 2, which asked in between, then by 3. */
static void locks(struct rank *r)
{
	int64_t begin = r->units, mine = 10 * r->rank;

	fence(r);
	if (r->rank) {
		r->units = begin + 10 + 2 * r->rank;
		enter(r, LOCK);
		if (is->locks)
			EVENT(r, 0, RmaRequestLock, 0, 0, 0, OTF2_LOCK_EXCLUSIVE);
		r->units = begin + 10 + mine;
		EVENT(r, 0, RmaAcquireLock, 0, 0, 0, OTF2_LOCK_EXCLUSIVE);
		leave(r, 0, LOCK);
		put(r);
		enter(r, UNLOCK);
		if (is->locks)
			EVENT(r, 0, RmaOpCompleteRemote, 0, r->requests);
		EVENT(r, 0, RmaOpCompleteBlocking, 0, r->requests);
		r->units = begin + 18 + mine;
		EVENT(r, 0, RmaReleaseLock, 0, 0, 0);
		leave(r, 0, UNLOCK);
	}
	r->units = begin + 60;
	fence(r);
}

static void play(uint32_t rank)
{
	struct rank r = {OTF2_Archive_GetEvtWriter(archive, location_of(rank)), 0, 0, rank};

	EVENT(&r, 0, Enter, MAIN);
	EVENT(&r, 0, Enter, INIT);
	EVENT(&r, 100, Leave, INIT);
	for (int round = 0; round < ROUNDS; round++) {
		r.units += 20 + (int64_t)rank;
		ring(&r);
		sendrecv(&r, TURNED, (6 - rank) % RANKS, (4 - rank) % RANKS);
		sendrecv(&r, SELF, 0, 0);
		sendrecv(&r, HALVES, rank % 2, rank % 2);
		r.units += 3 - (int64_t)rank;
		gather(&r);
	}
	locks(&r);
	EVENT(&r, 1, Enter, FINALIZE);
	EVENT(&r, 9, Leave, FINALIZE);
	EVENT(&r, 1, Leave, MAIN);
	must(OTF2_Archive_CloseEvtWriter(archive, r.w));
	if (!is->places)
		return;
	must(OTF2_Archive_CloseEvtWriter(archive,
					 OTF2_Archive_GetEvtWriter(archive, THREAD(rank))));
	r = (struct rank){OTF2_Archive_GetEvtWriter(archive, STREAM(rank)), 0, 0, rank};
	EVENT(&r, 100000, Enter, MAIN);
	must(OTF2_Archive_CloseEvtWriter(archive, r.w));
}

/* Twice the same: OTF2 takes what is between for a line. */
static void write_offsets(void)
{
	must(OTF2_Archive_OpenDefFiles(archive));
	for (uint32_t r = 0; r < RANKS; r++) {
		OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(archive, location_of(r));
		int64_t offset = (int64_t)offset_of(r);

		must(OTF2_DefWriter_WriteClockOffset(w, is->at - offset_of(r), offset, 0));
		must(OTF2_DefWriter_WriteClockOffset(w, is->at + (UINT64_C(1) << 40), offset, 0));
		must(OTF2_Archive_CloseDefWriter(archive, w));
	}
	must(OTF2_Archive_CloseDefFiles(archive));
}

#define DEFINE(what, ...) must(OTF2_GlobalDefWriter_Write##what(w, __VA_ARGS__))

static void define_regions(OTF2_GlobalDefWriter *w)
{
	OTF2_MetricMemberRef member = 0;

	for (OTF2_StringRef k = 0; k < NAMES; k++)
		DEFINE(String, k, names[k]);
	for (OTF2_RegionRef k = 0; k < REGIONS; k++) {
		DEFINE(String, NAMES + k, functions[k]);
		DEFINE(Region, k, NAMES + k, NAMES + k, NAME_NONE, OTF2_REGION_ROLE_FUNCTION,
		       k < INIT ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
		       NAME_NONE, 0, 0);
	}
	DEFINE(Parameter, 0, NAME_NODE, OTF2_PARAMETER_TYPE_INT64);
	DEFINE(MetricMember, member, NAME_NODE, NAME_NONE, OTF2_METRIC_TYPE_PAPI,
	       OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, NAME_NONE);
	DEFINE(MetricClass, 0, 1, &member, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
}

/* What is none of MPI's comes first, where there is any. */
static void define_places(OTF2_GlobalDefWriter *w)
{
	uint32_t devices = is->places ? RANKS : 0;

	for (uint32_t k = 0; k < 2; k++)
		DEFINE(SystemTreeNode, k, NAME_A + k, NAME_NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t k = 0; k < devices; k++)
		DEFINE(LocationGroup, RANKS + k, NAME_NONE, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR,
		       k / 2, k);
	for (uint32_t k = 0; k < RANKS; k++) {
		uint32_t r = is->places ? RANKS - 1 - k : k;

		DEFINE(LocationGroup, r, NAME_NONE, OTF2_LOCATION_GROUP_TYPE_PROCESS, r / 2,
		       OTF2_UNDEFINED_LOCATION_GROUP);
		if (devices) {
			DEFINE(Location, STREAM(r), NAME_NONE,
			       OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 2, RANKS + r);
			DEFINE(Location, METRIC(r), NAME_NONE, OTF2_LOCATION_TYPE_METRIC, 0, r);
			DEFINE(Location, THREAD(r), NAME_NONE, OTF2_LOCATION_TYPE_CPU_THREAD, 0, r);
			DEFINE(Location, THREAD(r) + 4, NAME_NONE, OTF2_LOCATION_TYPE_CPU_THREAD, 0,
			       r);
		}
		DEFINE(Location, location_of(r), NAME_NONE, OTF2_LOCATION_TYPE_CPU_THREAD, 1, r);
	}
}

/* A group of these ranks. */
static void define_group(OTF2_GlobalDefWriter *w, OTF2_GroupRef id, uint32_t n,
			 const uint32_t *ranks)
{
	uint64_t members[RANKS];

	for (uint32_t k = 0; k < n; k++)
		members[k] = is->groups ? location_of(ranks[k]) : ranks[k];
	DEFINE(Group, id, NAME_NONE, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
	       is->groups ? OTF2_GROUP_FLAG_GLOBAL_MEMBERS : OTF2_GROUP_FLAG_NONE, n, members);
}

static void define_comms(OTF2_GlobalDefWriter *w)
{
	static const uint32_t order[] = {0, 1, 2, 3}, backwards[] = {3, 2, 1, 0};
	uint64_t places[RANKS];

	for (uint32_t r = 0; r < RANKS; r++)
		places[r] = location_of(r);
	DEFINE(Group, 0, NAME_NONE, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
	       OTF2_GROUP_FLAG_NONE, RANKS, places);
	define_group(w, 1, RANKS, order);
	define_group(w, 2, RANKS, backwards);
	DEFINE(Group, 3, NAME_NONE, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
	       OTF2_GROUP_FLAG_NONE, 0, NULL);
	define_group(w, 4, 2, order);
	define_group(w, 5, 2, order + 2);
	DEFINE(Comm, WORLD, NAME_WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(Comm, TURNED, NAME_NONE, 2, WORLD, OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
	DEFINE(Comm, SELF, NAME_NONE, 3, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(InterComm, HALVES, NAME_NONE, 4, 5, WORLD, OTF2_COMM_FLAG_NONE);
	DEFINE(RmaWin, 0, NAME_NONE, WORLD, OTF2_RMA_WIN_FLAG_NONE);
}

static void define(void)
{
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(archive);

	DEFINE(ClockProperties, is->ticks_per_s, is->origin, UINT64_C(1) << 40, 0);
	define_regions(w);
	define_places(w);
	define_comms(w);
}

int main(int argc, char **argv)
{
	for (size_t k = 0; argc == 3 && k < sizeof(words) / sizeof(words[0]); k++)
		if (!strcmp(argv[2], words[k].name))
			is = &words[k];
	if (!is)
		return 2;
	archive = begin_archive(argv[1], "Score-P 8.4");
	for (uint32_t r = 0; r < RANKS; r++)
		play(r);
	must(OTF2_Archive_CloseEvtFiles(archive));
	if (is->apart)
		write_offsets();
	define();
	must(OTF2_Archive_Close(archive));
	return 0;
}
