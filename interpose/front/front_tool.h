/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other tools that stand between the program and MPI as we do (PMPI): one that the loader
 * finds before us calls PMPI_x, which is ours. One behind us would be passed over if
 * MPI_x led to MPI's own function.
 */
#ifndef INTERPOSE_FRONT_TOOL_H
#define INTERPOSE_FRONT_TOOL_H

/* The function that another tool behind us has for name; NULL when the next is MPI's, at real. */
void *front_tool_find(const char *name, const void *real);

/*
 * The path of the tool that function belongs to if it does not call pmpi_name as tools are
 * meant to: it may look MPI up for itself, and then its calls do not come back to us.
 */
const char *front_tool_past(const void *function, const char *pmpi_name);

#endif
