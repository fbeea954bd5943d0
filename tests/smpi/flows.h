/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The truth about the network: a line for each flow when it ends,
 *
 *	src,dst,bytes,start_s,end_s,free_s
 *
 * hosts by number, bytes with the simulator's envelope, free_s what the flow takes alone. C++,
 * for the simulator's plug-in alone.
 */
#ifndef TESTS_SMPI_FLOWS_H
#define TESTS_SMPI_FLOWS_H

#ifdef __cplusplus
#include <simgrid/s4u.hpp>

/* From now on write engine's flows to path; ends the process when that cannot be. */
void flows_log(const simgrid::s4u::Engine &engine, const char *path);
#endif

#endif
