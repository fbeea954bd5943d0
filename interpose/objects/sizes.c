/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/sizes.h"

#include "interpose/job/recorder.h"

struct sizes sizes;

/* Where two share a slot, the one that comes first here has it. */
static void add_type(MPI_Datatype type)
{
	unsigned i = size_slot(type);
	int bytes = 0;

	if (type == MPI_DATATYPE_NULL || sizes.slot[i].bytes || real.Type_size(type, &bytes) ||
	    bytes <= 0)
		return;
	sizes.slot[i].type = type;
	sizes.slot[i].bytes = bytes;
}

static void add_types(void)
{
	const MPI_Datatype own[] = {MPI_DOUBLE,
				    MPI_FLOAT,
				    MPI_INT,
				    MPI_BYTE,
				    MPI_CHAR,
				    MPI_LONG,
				    MPI_UNSIGNED,
				    MPI_UNSIGNED_LONG,
				    MPI_LONG_LONG,
				    MPI_UNSIGNED_LONG_LONG,
				    MPI_INT64_T,
				    MPI_INT32_T,
				    MPI_UINT64_T,
				    MPI_UINT32_T,
				    MPI_UINT8_T,
				    MPI_INT8_T,
				    MPI_INT16_T,
				    MPI_UINT16_T,
				    MPI_UNSIGNED_CHAR,
				    MPI_SIGNED_CHAR,
				    MPI_SHORT,
				    MPI_UNSIGNED_SHORT,
				    MPI_PACKED,
				    MPI_DOUBLE_PRECISION,
				    MPI_REAL,
				    MPI_INTEGER,
				    MPI_LOGICAL,
				    MPI_CHARACTER,
				    MPI_COMPLEX,
				    MPI_DOUBLE_COMPLEX,
				    MPI_C_DOUBLE_COMPLEX,
				    MPI_C_FLOAT_COMPLEX,
				    MPI_DOUBLE_INT,
				    MPI_FLOAT_INT,
				    MPI_2INT,
				    MPI_LONG_INT,
				    MPI_LONG_DOUBLE,
				    MPI_C_BOOL,
				    MPI_AINT,
				    MPI_OFFSET,
				    MPI_COUNT,
				    MPI_WCHAR};
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		add_type(own[i]);
}

/* A library may keep its count elsewhere than its header says: try it with several. */
static int is_status_shown(void)
{
	static const MPI_Count counts[] = {0, 1, 4095, 0x7fffffff, 0x80000000, 0x123456789a};
	MPI_Status status;
	MPI_Count told;
	size_t i;
	int cancelled;

	if (SIMULATED) /* SMPI ends the job in functions that it lacks */
		return 0;
	for (i = 0; i < 2 * sizeof(counts) / sizeof(counts[0]); i++) {
		cancelled = i & 1;
		memset(&status, 0, sizeof(status));
		if (real.Status_set_elements_x(&status, MPI_BYTE, counts[i / 2]) ||
		    real.Status_set_cancelled(&status, cancelled) ||
		    real.Get_elements_x(&status, MPI_BYTE, &told) || told != counts[i / 2] ||
		    size_of_status(&status) != (uint64_t)told)
			return 0;
	}
	return 1;
}

void sizes_start(void)
{
	memset(&sizes, 0, sizeof(sizes));
	add_types();
	sizes.status_shown = is_status_shown();
}
