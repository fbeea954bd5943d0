/* SPDX-License-Identifier: BSD-3-Clause */
/* What OTF2 calls the classes of calls.def: region role and collective operation. */
#ifndef INTERPOSE_ARCHIVE_NAMES_H
#define INTERPOSE_ARCHIVE_NAMES_H

#include <otf2/otf2.h>

/* How many rows calls.def has. */
enum {
#define CALL(name, class, params, args, before, after) ARCHIVE_CALL_##name,
#define SPECIAL(name, class)                           ARCHIVE_CALL_##name,
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
	ARCHIVE_CALLS
};

/* Of a call id; archive_call_name() is in archive.h. */
OTF2_CollectiveOp archive_call_op(uint32_t call);
OTF2_RegionRole archive_call_role(uint32_t call);

#define CLASS_ROWS(ROW)                                          \
	ROW(INIT, OTHER, BARRIER)                                \
	ROW(FINALIZE, OTHER, BARRIER)                            \
	ROW(ABORT, OTHER, BARRIER)                               \
	ROW(LOCAL, OTHER, BARRIER)                               \
	ROW(P2P, P2P, BARRIER)                                   \
	ROW(WAIT, P2P, BARRIER)                                  \
	ROW(BARRIER, BARRIER, BARRIER)                           \
	ROW(BCAST, ONE2ALL, BCAST)                               \
	ROW(SCATTER, ONE2ALL, SCATTER)                           \
	ROW(SCATTERV, ONE2ALL, SCATTERV)                         \
	ROW(GATHER, ALL2ONE, GATHER)                             \
	ROW(GATHERV, ALL2ONE, GATHERV)                           \
	ROW(REDUCE, ALL2ONE, REDUCE)                             \
	ROW(ALLGATHER, ALL2ALL, ALLGATHER)                       \
	ROW(ALLGATHERV, ALL2ALL, ALLGATHERV)                     \
	ROW(ALLTOALL, ALL2ALL, ALLTOALL)                         \
	ROW(ALLTOALLV, ALL2ALL, ALLTOALLV)                       \
	ROW(ALLTOALLW, ALL2ALL, ALLTOALLW)                       \
	ROW(ALLREDUCE, ALL2ALL, ALLREDUCE)                       \
	ROW(REDUCE_SCATTER, ALL2ALL, REDUCE_SCATTER)             \
	ROW(REDUCE_SCATTER_BLOCK, ALL2ALL, REDUCE_SCATTER_BLOCK) \
	ROW(SCAN, OTHER_COLL, SCAN)                              \
	ROW(EXSCAN, OTHER_COLL, EXSCAN)                          \
	ROW(COMM_CREATE, OTHER_COLL, CREATE_HANDLE)              \
	ROW(COMM_FREE, OTHER_COLL, DESTROY_HANDLE)               \
	ROW(RMA, RMA, BARRIER)                                   \
	ROW(WIN_CREATE, RMA, CREATE_HANDLE)                      \
	ROW(WIN_FREE, RMA, DESTROY_HANDLE)                       \
	ROW(IO, IO, BARRIER)                                     \
	ROW(IO_COLL, IO, BARRIER)                                \
	ROW(IO_META, IO_META, BARRIER)

#define ROLE_OTHER      OTF2_REGION_ROLE_FUNCTION
#define ROLE_P2P        OTF2_REGION_ROLE_POINT2POINT
#define ROLE_BARRIER    OTF2_REGION_ROLE_BARRIER
#define ROLE_ONE2ALL    OTF2_REGION_ROLE_COLL_ONE2ALL
#define ROLE_ALL2ONE    OTF2_REGION_ROLE_COLL_ALL2ONE
#define ROLE_ALL2ALL    OTF2_REGION_ROLE_COLL_ALL2ALL
#define ROLE_OTHER_COLL OTF2_REGION_ROLE_COLL_OTHER
#define ROLE_RMA        OTF2_REGION_ROLE_RMA
#define ROLE_IO         OTF2_REGION_ROLE_FILE_IO
#define ROLE_IO_META    OTF2_REGION_ROLE_FILE_IO_METADATA

#endif
