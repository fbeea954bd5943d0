/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mkforeign DIR [blocking|eztrace|more|rewound]: an archive as Score-P's are (Score-P 8, OTF2's
 * manual): processes under nodes of a machine, location ids that are not ranks, OpenMP threads, a
 * GPU and metrics beside the MPI processes, groups of other paradigms, ticks of 0.4 ns, clock
 * offsets, parameters, metrics and buffer flushes between the MPI records. With "blocking" the
 * records of non-blocking calls are those of blocking ones, as without its extended events,
 * recording pauses once, and what goes to MPI_PROC_NULL is written too. With "eztrace" moreover of
 * Ibarrier only that it begins.
 *
 * 4 ranks on 2 nodes. Each of ROUNDS rounds: Irecv, Isend to the next rank, Waitall; a Sendrecv
 * back; Allreduce; Ibarrier and Wait. Then, but not with these, a window: a fence that rank 3
 * is 200 us late for, one all are in time for, an epoch whose post is 100 us late and whose
 * complete is 30 us late, and a lock of rank 0 that rank 3 waits 80 us for. With "more"
 * mkforeign_more.c follows, "rewound" is mkforeign_rewound.c's.
 */
#include "tests/traces/mkforeign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASTER(rank) ((uint64_t)(rank) + 100)
#define WORKER(rank) (UINT64_C(1) << 32 | MASTER(rank))
#define STREAM       (UINT64_C(2) << 32 | MASTER(0))

static const char *const names[NAMES] = {
	"main",
	"!$omp parallel @ring.c:31",
	"MPI_Init",
	"MPI_Irecv",
	"MPI_Isend",
	"MPI_Waitall",
	"MPI_Sendrecv",
	"MPI_Allreduce",
	"MPI_Ibarrier",
	"MPI_Wait",
	"MPI_Win_create",
	"MPI_Win_fence",
	"MPI_Put",
	"MPI_Win_post",
	"MPI_Win_start",
	"MPI_Win_complete",
	"MPI_Win_wait",
	"MPI_Win_lock",
	"MPI_Win_unlock",
	"MPI_Win_free",
	"MPI_Send",
	"MPI_Recv",
	"MPI_Mprobe",
	"MPI_Mrecv",
	"MPI_Recv_init",
	"MPI_Start",
	"MPI_Test",
	"MPI_Cancel",
	"MPI_Request_free",
	"cudaMemcpy",
	"MPI_Finalize",
	"TRACE BUFFER FLUSH",
	"",
	"machine",
	"node",
	"Cluster",
	"n0417",
	"n0418",
	"MPI Rank",
	"OMP thread",
	"MPI_COMM_WORLD",
	"OpenMP team",
	"PAPI_TOT_CYC",
};

static OTF2_Archive *archive;
static int blocking, eztrace, more, rewound;

static void metric(struct rank *r)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = r->now};

	EVENT(r, 0, Metric, 0, 1, &type, &value);
}

void foreign_enter(struct rank *r, enum name region)
{
	metric(r);
	EVENT(r, 10, Enter, region);
}

void foreign_leave(struct rank *r, uint64_t ticks, enum name region)
{
	EVENT(r, ticks, Leave, region);
}

static void ring(struct rank *r)
{
	uint32_t next = (r->rank + 1) % RANKS, before = (r->rank + RANKS - 1) % RANKS;
	uint64_t receive = ++r->requests, send = ++r->requests;

	foreign_enter(r, MPI_IRECV);
	if (!blocking)
		EVENT(r, 0, MpiIrecvRequest, receive);
	foreign_leave(r, US, MPI_IRECV);
	foreign_enter(r, MPI_ISEND);
	if (blocking)
		EVENT(r, 0, MpiSend, next, 0, 7, BYTES);
	else
		EVENT(r, 0, MpiIsend, next, 0, 7, BYTES, send);
	foreign_leave(r, US, MPI_ISEND);
	foreign_enter(r, MPI_WAITALL);
	if (blocking) {
		EVENT(r, 40 * US, MpiRecv, before, 0, 7, BYTES);
	} else {
		EVENT(r, 40 * US, MpiIrecv, before, 0, 7, BYTES, receive);
		EVENT(r, 10, MpiIsendComplete, send);
	}
	foreign_leave(r, 10, MPI_WAITALL);
	foreign_enter(r, MPI_SENDRECV);
	EVENT(r, 0, MpiSend, before, 0, 8, BYTES);
	EVENT(r, 40 * US, MpiRecv, next, 0, 8, BYTES);
	foreign_leave(r, 10, MPI_SENDRECV);
	if (!blocking)
		return;
	foreign_enter(r, MPI_SENDRECV);
	EVENT(r, 0, MpiSend, NOBODY, 0, 8, BYTES);
	EVENT(r, 10, MpiRecv, NOBODY, 0, 8, 0);
	foreign_leave(r, 10, MPI_SENDRECV);
	foreign_enter(r, MPI_ISEND);
	EVENT(r, 0, MpiIsend, NOBODY, 0, 7, BYTES, send);
	foreign_leave(r, US, MPI_ISEND);
	foreign_enter(r, MPI_IRECV);
	EVENT(r, 0, MpiIrecvRequest, receive);
	foreign_leave(r, US, MPI_IRECV);
	foreign_enter(r, MPI_WAITALL);
	EVENT(r, 10, MpiIsendComplete, send);
	EVENT(r, 10, MpiIrecv, NOBODY, 0, 7, 0, receive);
	foreign_leave(r, 10, MPI_WAITALL);
}

static void gather(struct rank *r)
{
	uint64_t request = ++r->requests;

	foreign_enter(r, MPI_ALLREDUCE);
	EVENT(r, 10, MpiCollectiveBegin);
	EVENT(r, 50 * US, MpiCollectiveEnd, OTF2_COLLECTIVE_OP_ALLREDUCE, 0, OTF2_UNDEFINED_UINT32,
	      8, 8);
	foreign_leave(r, 10, MPI_ALLREDUCE);
	foreign_enter(r, MPI_IBARRIER);
	if (eztrace)
		EVENT(r, 0, MpiCollectiveBegin);
	else
		EVENT(r, 0, NonBlockingCollectiveRequest, request);
	foreign_leave(r, US, MPI_IBARRIER);
	foreign_enter(r, MPI_WAIT);
	if (!eztrace)
		EVENT(r, 30 * US, NonBlockingCollectiveComplete, OTF2_COLLECTIVE_OP_BARRIER, 0,
		      OTF2_UNDEFINED_UINT32, 0, 0, request);
	foreign_leave(r, 10, MPI_WAIT);
}

/* OpenMP's own events lie between, and now and then the recorder writes its buffer. */
static void compute(struct rank *r, int round)
{
	uint64_t until;

	EVENT(r, 10, ParameterInt, 0, round);
	EVENT(r, 10, ThreadFork, OTF2_PARADIGM_OPENMP, 2);
	foreign_enter(r, PARALLEL);
	EVENT(r, 10, ThreadTeamBegin, 1);
	EVENT(r, 100 * US, ThreadTeamEnd, 1);
	foreign_leave(r, 10, PARALLEL);
	EVENT(r, 10, ThreadJoin, OTF2_PARADIGM_OPENMP);
	if (round % 10)
		return;
	foreign_enter(r, FLUSHING);
	until = r->now + 90 * US;
	EVENT(r, 0, BufferFlush, until);
	foreign_leave(r, 90 * US, FLUSHING);
}

static void play(uint32_t rank)
{
	struct rank r = {OTF2_Archive_GetEvtWriter(archive, MASTER(rank)), BEGIN, 0, rank};

	must(OTF2_EvtWriter_ProgramBegin(r.w, NULL, r.now, EMPTY, 0, NULL));
	foreign_enter(&r, MAIN);
	foreign_enter(&r, MPI_INIT);
	foreign_leave(&r, 500 * US, MPI_INIT);
	for (int round = 0; round < ROUNDS; round++) {
		if (rewound)
			foreign_rewind(&r, round);
		compute(&r, round);
		ring(&r);
		if (blocking && round == ROUNDS / 2) {
			EVENT(&r, 10, MeasurementOnOff, OTF2_MEASUREMENT_OFF);
			EVENT(&r, 100 * US, MeasurementOnOff, OTF2_MEASUREMENT_ON);
		}
		gather(&r);
	}
	if (!blocking)
		foreign_windows(&r);
	if (more)
		foreign_more(&r);
	foreign_enter(&r, MPI_FINALIZE);
	foreign_leave(&r, 100 * US, MPI_FINALIZE);
	foreign_leave(&r, US, MAIN);
	EVENT(&r, 10, ProgramEnd, 0);
	must(OTF2_Archive_CloseEvtWriter(archive, r.w));
	r = (struct rank){OTF2_Archive_GetEvtWriter(archive, WORKER(rank)), BEGIN + US, 0, rank};
	EVENT(&r, 10, Enter, PARALLEL);
	EVENT(&r, US, Leave, PARALLEL);
	if (more)
		foreign_thread(&r);
	must(OTF2_Archive_CloseEvtWriter(archive, r.w));
}

/* They are there, and say that all clocks are right. */
static void write_offsets(void)
{
	must(OTF2_Archive_OpenDefFiles(archive));
	for (uint32_t r = 0; r < RANKS; r++) {
		OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(archive, MASTER(r));

		must(OTF2_DefWriter_WriteClockOffset(w, BEGIN, 0, 0));
		must(OTF2_Archive_CloseDefWriter(archive, w));
	}
	must(OTF2_Archive_CloseDefFiles(archive));
}

#define DEFINE(what, ...) must(OTF2_GlobalDefWriter_Write##what(w, __VA_ARGS__))

static void define_places(OTF2_GlobalDefWriter *w)
{
	const OTF2_LocationGroupRef gpu = RANKS;

	DEFINE(SystemTreeNode, 0, CLUSTER, MACHINE_CLASS, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	DEFINE(SystemTreeNode, 1, NODE_A, NODE_CLASS, 0);
	DEFINE(SystemTreeNode, 2, NODE_B, NODE_CLASS, 0);
	for (uint32_t r = 0; r < RANKS; r++)
		DEFINE(LocationGroup, r, PROCESS, OTF2_LOCATION_GROUP_TYPE_PROCESS, 1 + r / 2,
		       OTF2_UNDEFINED_LOCATION_GROUP);
	DEFINE(LocationGroup, gpu, PROCESS, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 1, 0);
	for (uint32_t r = 0; r < RANKS; r++) {
		DEFINE(Location, MASTER(r), THREAD, OTF2_LOCATION_TYPE_CPU_THREAD, 1, r);
		DEFINE(Location, WORKER(r), THREAD, OTF2_LOCATION_TYPE_CPU_THREAD, 2, r);
	}
	DEFINE(Location, STREAM, THREAD, OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 0, gpu);
	DEFINE(Location, STREAM + 1, CYCLES, OTF2_LOCATION_TYPE_METRIC, 0, 0);
}

static void define_comms(OTF2_GlobalDefWriter *w)
{
	uint64_t masters[RANKS], ranks[RANKS], team[] = {MASTER(0), WORKER(0)},
					       device[] = {MASTER(0), STREAM};
	uint64_t regions[] = {MPI_INIT, MPI_FINALIZE};

	for (uint32_t r = 0; r < RANKS; r++) {
		masters[r] = MASTER(r);
		ranks[r] = r;
	}
	DEFINE(Group, 0, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
	       OTF2_GROUP_FLAG_NONE, 2, team);
	DEFINE(Group, 1, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
	       OTF2_GROUP_FLAG_NONE, RANKS, masters);
	DEFINE(Group, 2, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
	       OTF2_GROUP_FLAG_NONE, 2, ranks);
	DEFINE(Group, 3, WORLD, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
	       RANKS, ranks);
	DEFINE(Group, 4, EMPTY, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
	       0, NULL);
	DEFINE(Group, 5, EMPTY, OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
	       regions);
	for (uint32_t r = 0; r < RANKS; r++)
		DEFINE(Group, GROUP_OF(r), EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
		       OTF2_GROUP_FLAG_NONE, 1, &ranks[r]);
	DEFINE(Comm, COMM_TEAM, TEAM, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(Comm, COMM_WORLD, WORLD, 3, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(Comm, COMM_SELF, EMPTY, 4, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(RmaWin, WINDOW, EMPTY, COMM_WORLD, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
	if (!more)
		return;
	DEFINE(Group, 6, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
	       RANKS / 2, ranks);
	DEFINE(Group, 7, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
	       RANKS / 2, ranks + RANKS / 2);
	DEFINE(Group, 8, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA,
	       OTF2_GROUP_FLAG_NONE, 2, device);
	DEFINE(InterComm, COMM_HALVES, EMPTY, 6, 7, COMM_WORLD, OTF2_COMM_FLAG_NONE);
	DEFINE(Comm, COMM_DEVICE, EMPTY, 8, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	DEFINE(RmaWin, WINDOW_DEVICE, EMPTY, COMM_DEVICE, OTF2_RMA_WIN_FLAG_NONE);
}

static void define(void)
{
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_MetricMemberRef member = 0;

	DEFINE(ClockProperties, UINT64_C(2500000000), BEGIN, 100000 * US, 0);
	for (enum name n = 0; n < NAMES; n++)
		DEFINE(String, n, names[n]);
	for (enum name n = 0; n < REGIONS; n++)
		DEFINE(Region, n, n, n, EMPTY,
		       n == MAIN ? OTF2_REGION_ROLE_FUNCTION : OTF2_REGION_ROLE_UNKNOWN,
		       n == MAIN          ? OTF2_PARADIGM_COMPILER
		       : n == PARALLEL    ? OTF2_PARADIGM_OPENMP
		       : n == FLUSHING    ? OTF2_PARADIGM_MEASUREMENT_SYSTEM
		       : n == CUDA_MEMCPY ? OTF2_PARADIGM_CUDA
					  : OTF2_PARADIGM_MPI,
		       OTF2_REGION_FLAG_NONE, EMPTY, 31, 40);
	define_places(w);
	define_comms(w);
	DEFINE(Parameter, 0, PROCESS, OTF2_PARAMETER_TYPE_INT64);
	DEFINE(MetricMember, member, CYCLES, EMPTY, OTF2_METRIC_TYPE_PAPI,
	       OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, CYCLES);
	DEFINE(MetricClass, 0, 1, &member, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	eztrace = argc > 2 && !strcmp(argv[2], "eztrace");
	blocking = eztrace || (argc > 2 && !strcmp(argv[2], "blocking"));
	more = argc > 2 && !strcmp(argv[2], "more");
	rewound = argc > 2 && !strcmp(argv[2], "rewound");
	archive = begin_archive(argv[1], "Score-P 8.0");
	for (uint32_t r = 0; r < RANKS; r++)
		play(r);
	must(OTF2_Archive_CloseEvtFiles(archive));
	write_offsets();
	define();
	must(OTF2_Archive_Close(archive));
	return 0;
}
