/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_names.h"

#include "interpose/archive/archive.h"

enum call_class {
#define ROW(name, role, op) CLASS_##name,
	CLASS_ROWS(ROW)
#undef ROW
};

static const struct {
	const char *name;
	enum call_class class;
} calls[] = {
#define CALL(name, class, params, args, before, after)      {"MPI_" #name, CLASS_##class},
#define SPECIAL(name, class)                                {"MPI_" #name, CLASS_##class},
#define SOME_MPIX(name, class, params, args, before, after) {"MPIX_" #name, CLASS_##class},
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
};
_Static_assert(sizeof(calls) / sizeof(calls[0]) == ARCHIVE_CALLS, "a name for each call");

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

const char *archive_call_name(uint32_t call)
{
	return call < ARCHIVE_CALLS ? calls[call].name : "MPI";
}

OTF2_CollectiveOp archive_call_op(uint32_t call)
{
	return ops[calls[call % ARCHIVE_CALLS].class];
}

OTF2_RegionRole archive_call_role(uint32_t call)
{
	return roles[calls[call % ARCHIVE_CALLS].class];
}
