/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What those who write a machine file and those who read it agree on, beside the schemas in share/.
 */
#ifndef COMMON_MACHINE_SCHEMA_H
#define COMMON_MACHINE_SCHEMA_H

#define MACHINE_SCHEMA_VERSION "contend-machine/1"

/* Of what calibrate --drift --json prints. */
#define DRIFT_SCHEMA_VERSION "contend-drift/1"

/* Had who measured a core nearly all the time (core_share)? Less is a machine that others use. */
#define MACHINE_CORE_ENOUGH 0.9

/* With less than this what is measured are mostly waits for a core: it says nothing of messages. */
#define MACHINE_CORE_MEANS 0.5

#endif
