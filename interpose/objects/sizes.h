/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes that MPI would tell, found without asking it: of its own datatypes, which never go
 * away (the handle of a program's own type may tomorrow be another's), and of the message
 * that a status tells of, where MPI's header shows it. Read only after sizes_start().
 */
#ifndef INTERPOSE_SIZES_H
#define INTERPOSE_SIZES_H

#include <mpi.h>
#include <stdint.h>
#include <string.h>

#define SIZES_SLOTS 256

struct sizes {
	int status_shown; /* size_of_status() reads what MPI itself would say */
	struct {
		MPI_Datatype type;
		int bytes; /* 0: nothing here */
	} slot[SIZES_SLOTS];
};
extern struct sizes sizes __attribute__((visibility("hidden")));

/* After MPI_Init. */
void sizes_start(void);

static inline unsigned size_slot(MPI_Datatype type)
{
	uint64_t x = 0;

	memcpy(&x, &type, sizeof(type));
	return (unsigned)(x * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* Bytes of one of MPI's own types; 0: ask MPI. */
static inline int size_of_type(MPI_Datatype type)
{
	unsigned i = size_slot(type);

	return sizes.slot[i].type == type ? sizes.slot[i].bytes : 0;
}

/*
 * Can MPI be asked for the size of this type? If it is none the program's error handler hears, and
 * has to hear of the call itself alone. Open MPI asks only whether the type is NULL or
 * MPI_DATATYPE_NULL; MPICH looks whether there is such a type, and can be asked once a call with it
 * has succeeded.
 */
#ifdef MPICH_NUMVERSION
#define SIZES_COME_LATER 1
#else
#define SIZES_COME_LATER 0
#endif

static inline int size_is_there(MPI_Datatype type)
{
	return SIZES_COME_LATER || (type && type != MPI_DATATYPE_NULL);
}

/* Bytes of the message, only if sizes.status_shown. */
static inline uint64_t size_of_status(const MPI_Status *status)
{
#if defined(OPEN_MPI)
	return status->_ucount;
#elif defined(MPICH_NUMVERSION)
	return (uint32_t)status->count_lo |
	       (uint64_t)((uint32_t)status->count_hi_and_cancelled >> 1) << 32;
#else
	return status == NULL;
#endif
}

#endif
